#include "sim_core/roller_chain/roller_model.h"

#include <algorithm>

#include "sim_core/drive/drive_model.h"
#include "sim_core/drive/links.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::roller_chain {
namespace {

// In pitches. Runs are looked at every few steps only: so far a roller may come down meanwhile.
// On 6S90MC-C four steps and 11 m/s, several times the speed of its chain.
constexpr double kClearance = 0.02;

// Mass times place of the counterweight from the sprocket's centre, where the sprocket's angle is
// zero: it was given for the drive as placed.
drive::Point unbalance_kg_m(const drive::SprocketSpec& given, double placed_rad) {
  const auto direction = math::sincos(given.counterweight_angle_rad - placed_rad);
  const double size_kg_m = given.counterweight_mass_kg * given.counterweight_radius_m;
  return {size_kg_m * direction.cos, size_kg_m * direction.sin};
}

template <typename Real, typename Force>
SprocketConstants<Real, Force> sprocket_constants(const drive::DriveModel& drive, std::size_t s,
                                                  double placed_rad) {
  const drive::SprocketSpec& given = drive.spec.sprockets[s];
  const drive::Point unbalance = unbalance_kg_m(given, placed_rad);
  const double mass_kg = given.mass_kg + given.counterweight_mass_kg;
  // Steiner (Pedersen 2.8).
  const double inertia_kg_m2 = given.inertia_kg_m2 + given.counterweight_mass_kg *
                                                         given.counterweight_radius_m *
                                                         given.counterweight_radius_m;
  const drive::Wrap& wrap = drive.geometry.wrap[s];
  // A roller further out than on a tooth's very tip touches nothing.
  const contact::ToothGap<double> gap = drive::tooth_gap_of<double>(drive.spec, s);
  const double tip_m = wrap.pitch_radius_m + gap.tip_y_m;
  const double reach_m =
      math::sqrt(tip_m * tip_m + gap.tip_x_m * gap.tip_x_m) + drive.spec.chain.roller_radius_m;
  const bool driven = s > 0;
  const bool yields = given.support_stiffness_N_m > 0;
  const double turning_kg_m2 =
      yields ? inertia_kg_m2 - unbalance.squaredNorm() / mass_kg : inertia_kg_m2;
  const auto half = math::sincos(wrap.pitch_angle_rad / 2);
  SprocketConstants<Real, Force> constants{
      .centre_x_m = static_cast<Real>(given.centre_x_m),
      .centre_y_m = static_cast<Real>(given.centre_y_m),
      .turn = static_cast<Real>(wrap.turn),
      .pitch_radius_m = static_cast<Real>(wrap.pitch_radius_m),
      .pitch_radius_inverse_1_m = static_cast<Force>(1 / wrap.pitch_radius_m),
      .pitch_angle_rad = static_cast<Real>(wrap.pitch_angle_rad),
      .pitch_angle_inverse_1_rad = static_cast<Real>(1 / wrap.pitch_angle_rad),
      .reach_m2 = static_cast<Real>(reach_m * reach_m),
      .half_gap = static_cast<Force>(half.sin / half.cos),
      .clear_height_m =
          static_cast<Force>(contact::clear_height_m(gap) + kClearance * drive.spec.chain.pitch_m),
      .teeth = given.teeth,
      .load_torque_N_m = static_cast<Force>(-wrap.turn * given.load_torque_N_m),
      .bearing_damping_N_m_s = static_cast<Force>(given.bearing_damping_N_m_s),
      .inertia_kg_m2 = static_cast<Force>(inertia_kg_m2),
      .inertia_inverse_1_kg_m2 = driven ? static_cast<Force>(1 / turning_kg_m2) : 0,
      .unbalance_x_kg_m = static_cast<Real>(unbalance.x()),
      .unbalance_y_kg_m = static_cast<Real>(unbalance.y()),
      .yields = yields,
      .support_stiffness_N_m = static_cast<Force>(given.support_stiffness_N_m),
      .support_damping_N_s_m = static_cast<Force>(given.support_damping_N_s_m),
      .mass_kg = static_cast<Force>(mass_kg),
      .mass_inverse_1_kg = yields ? static_cast<Force>(1 / mass_kg) : 0,
      .gap = drive::tooth_gap_of<Force>(drive.spec, s),
      .seat_x_m = {},
      .seat_y_m = {}};
  // Gaps of the second half are mirror images of the first, to the last bit, and the one
  // opposite to the first is its own.
  const auto teeth = static_cast<std::size_t>(given.teeth);
  for (std::size_t k = 0; k <= teeth / 2; ++k) {
    const auto direction = math::sincos(static_cast<double>(k) * wrap.pitch_angle_rad);
    const auto x_m = static_cast<Real>(wrap.pitch_radius_m * direction.cos);
    const auto y_m = static_cast<Real>(2 * k == teeth ? 0 : wrap.pitch_radius_m * direction.sin);
    const std::size_t mirrored = k == 0 ? 0 : teeth - k;
    constants.seat_x_m[mirrored] = x_m;
    constants.seat_y_m[mirrored] = -y_m;
    constants.seat_x_m[k] = x_m;
    constants.seat_y_m[k] = y_m;
  }
  return constants;
}

template <typename Real>
StrandLine<Real> strand_line(const drive::Strand& strand) {
  return {.begin_x_m = static_cast<Real>(strand.begin_m.x()),
          .begin_y_m = static_cast<Real>(strand.begin_m.y()),
          .along_x = static_cast<Real>(strand.direction.x()),
          .along_y = static_cast<Real>(strand.direction.y()),
          .length_m = static_cast<Real>(strand.length_m)};
}

// The circles that a worn chain lies on, where these leave a loop.
drive::Geometry lain_on(const drive::DriveModel& drive) {
  drive::Geometry worn;
  return drive::make_worn_geometry(drive.spec, worn).possible ? worn : drive.geometry;
}

}  // namespace

template <typename Real, typename Force>
void make_roller_model(const drive::DriveModel& drive, const StepSpec& step,
                       RollerModel<Real, Force>& model) {
  const drive::DriveSpec& spec = drive.spec;
  const drive::ChainSpec& chain = spec.chain;
  model = {};
  model.links = static_cast<std::size_t>(chain.links);
  model.sprockets = spec.sprockets.size();
  model.integrator = step.integrator;
  model.step_s = static_cast<Real>(step.step_s > 0 ? step.step_s : default_step_s(spec));
  model.pitch_m = static_cast<Real>(chain.pitch_m * (1 + chain.elongation));
  model.roller_mass_kg = static_cast<Force>(chain.roller_mass_kg);
  model.roller_mass_inverse_1_kg = static_cast<Force>(1 / chain.roller_mass_kg);
  model.link_damping_N_s_m = static_cast<Force>(chain.link_damping_N_s_m);
  model.joint_damping_N_m_s = static_cast<Force>(chain.joint_damping_N_m_s);
  model.gravity_x_m_s2 = static_cast<Force>(spec.gravity.x_m_s2);
  model.gravity_y_m_s2 = static_cast<Force>(spec.gravity.y_m_s2);
  model.tooth_law = drive::tooth_law_of<Force>(spec);
  model.friction = drive::friction_of<Force>(spec);
  for (std::size_t i = 0; i < model.links; ++i) {
    model.link_length_m[i] = static_cast<Real>(drive::link_length_m(spec, i));
    model.link_length_m2[i] = model.link_length_m[i] * model.link_length_m[i];
    model.rough_link_length_m[i] = static_cast<Force>(model.link_length_m[i]);
    model.link_stiffness_N_m[i] = static_cast<Force>(drive::link_stiffness_N_m(spec, i));
  }
  PerSprocket<double> placed_rad{};
  drive::place_sprockets(spec, lain_on(drive), 0, placed_rad);
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    model.sprocket[s] = sprocket_constants<Real, Force>(drive, s, placed_rad[s]);
    model.has_unbalance = model.has_unbalance || spec.sprockets[s].counterweight_mass_kg > 0;
    model.strand[s] = strand_line<Real>(drive.geometry.strand[s]);
    model.has_yielding_centres = model.has_yielding_centres || model.sprocket[s].yields;
  }
  for (std::size_t b = 0; b < spec.guide_bars.size(); ++b) {
    if (spec.guide_bars[b].condition != drive::BarCondition::kMissing) {
      model.guide_bar[model.guide_bars++] = {drive::guide_bar_of<Real>(drive, b),
                                             drive::bar_law_of<Force>(spec, b)};
    }
  }
  model.arm_sprocket = kNoSprocket;
  if (drive::has_arm(spec.tightener.kind)) {
    model.arm_sprocket = static_cast<std::size_t>(spec.tightener.sprocket) - 1;
    model.arm = drive::arm_of<Real>(spec);
    model.arm_inertia_inverse_1_kg_m2 = static_cast<Force>(1 / model.arm.inertia_kg_m2);
  }
  model.has_hydraulic_unit = spec.tightener.kind == drive::TightenerKind::kHydraulic;
  if (model.has_hydraulic_unit) {
    model.unit = drive::hydraulic_unit_of<Real>(spec, static_cast<double>(model.step_s));
  }
}

void place_rollers(const drive::DriveModel& drive, double tooth_phase, Configuration<double>& at) {
  drive::Placement placement{};
  drive::place(drive.spec, lain_on(drive), tooth_phase, placement);
  at = {};
  std::copy(placement.x_m.begin(), placement.x_m.end(), at.x_m.begin());
  std::copy(placement.y_m.begin(), placement.y_m.end(), at.y_m.begin());
  at.angle_rad = placement.angle_rad;
}

template void make_roller_model(const drive::DriveModel&, const StepSpec&,
                                RollerModel<double, double>&);
template void make_roller_model(const drive::DriveModel&, const StepSpec&,
                                RollerModel<double, float>&);
template void make_roller_model(const drive::DriveModel&, const StepSpec&,
                                RollerModel<float, float>&);

}  // namespace taut::roller_chain
