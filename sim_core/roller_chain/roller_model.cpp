#include "sim_core/roller_chain/roller_model.h"

#include "sim_core/drive/drive_model.h"

namespace taut::roller_chain {
namespace {

SprocketConstants<double> sprocket_constants(const drive::DriveModel& drive, std::size_t s) {
  const drive::SprocketSpec& given = drive.spec.sprockets[s];
  const drive::Wrap& wrap = drive.geometry.wrap[s];
  // A tooth is about as high as a roller's radius (ASA B29.1); one diameter is beyond it.
  const double reach_m = wrap.pitch_radius_m + 2 * drive.spec.chain.roller_radius_m;
  return {.centre_x_m = given.centre_x_m,
          .centre_y_m = given.centre_y_m,
          .pitch_radius_m = wrap.pitch_radius_m,
          .pitch_angle_rad = wrap.pitch_angle_rad,
          .pitch_angle_inverse_1_rad = 1 / wrap.pitch_angle_rad,
          .reach_m2 = reach_m * reach_m,
          .load_torque_N_m = -wrap.turn * given.load_torque_N_m,
          .inertia_kg_m2 = given.inertia_kg_m2,
          .gap = drive.tooth_gap[s]};
}

}  // namespace

void make_roller_model(const drive::DriveModel& drive, RollerModel<double>& model) {
  const drive::DriveSpec& spec = drive.spec;
  model.links = static_cast<std::size_t>(spec.chain.links);
  model.sprockets = spec.sprockets.size();
  model.guide_bars = spec.guide_bars.size();
  model.arm_sprocket = spec.tightener.kind == drive::TightenerKind::kArm
                           ? static_cast<std::size_t>(spec.tightener.sprocket) - 1
                           : kNoSprocket;
  model.pitch_m = spec.chain.pitch_m;
  model.roller_mass_kg = spec.chain.roller_mass_kg;
  model.link_stiffness_N_m = spec.chain.link_stiffness_N_m;
  model.gravity_x_m_s2 = spec.gravity.x_m_s2;
  model.gravity_y_m_s2 = spec.gravity.y_m_s2;
  model.tooth_law = drive.tooth_law;
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    model.sprocket[s] = sprocket_constants(drive, s);
  }
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    model.guide_bar[b] = {drive.guide_bar[b], drive.guide_bar_law[b]};
  }
  model.arm = drive.arm;
}

}  // namespace taut::roller_chain
