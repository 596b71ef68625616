// The full model's constants: every roller, every tooth. Made once from a DriveModel, on
// the host; const while it runs.
#pragma once

#include <cstddef>

#include <etl/array.h>

#include "sim_core/contact/guide_bar.h"
#include "sim_core/contact/normal_law.h"
#include "sim_core/contact/tooth_gap.h"
#include "sim_core/drive/drive_spec.h"
#include "sim_core/tightener/weight_arm.h"

namespace taut::drive {
struct DriveModel;
}

namespace taut::roller_chain {

template <typename Real>
struct SprocketConstants {
  Real centre_x_m, centre_y_m;  // as drawn
  Real pitch_radius_m;
  Real pitch_angle_rad;
  Real pitch_angle_inverse_1_rad;
  Real reach_m2;         // squared distance from the centre beyond which no tooth is
  Real load_torque_N_m;  // signed, counter-clockwise positive
  Real inertia_kg_m2;
  contact::ToothGap<Real> gap;
};

template <typename Real>
struct BarConstants {
  contact::GuideBar<Real> bar;
  contact::NormalLaw<Real> law;
};

inline constexpr std::size_t kNoSprocket = drive::kMaxSprockets;

template <typename Real>
struct RollerModel {
  std::size_t links;
  std::size_t sprockets;
  std::size_t guide_bars;
  std::size_t arm_sprocket;  // index of the one on the weight-arm, or kNoSprocket
  Real pitch_m;
  Real roller_mass_kg;
  Real link_stiffness_N_m;
  Real gravity_x_m_s2, gravity_y_m_s2;
  contact::NormalLaw<Real> tooth_law;
  etl::array<SprocketConstants<Real>, drive::kMaxSprockets> sprocket;
  etl::array<BarConstants<Real>, drive::kMaxGuideBars> guide_bar;
  tightener::WeightArm<Real> arm;
};

// Host only.
void make_roller_model(const drive::DriveModel& drive, RollerModel<double>& model);

}  // namespace taut::roller_chain
