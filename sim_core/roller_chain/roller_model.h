// The full model's constants: every roller, every tooth. Made once from a DriveModel; const
// while it runs. Places and shapes are in Real, laws and forces in Force: only differences
// of places need double.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/array.h>

#include "sim_core/contact/friction.h"
#include "sim_core/contact/guide_bar.h"
#include "sim_core/contact/normal_law.h"
#include "sim_core/contact/tooth_gap.h"
#include "sim_core/drive/drive_spec.h"
#include "sim_core/roller_chain/roller_state.h"
#include "sim_core/tightener/hydraulic_unit.h"
#include "sim_core/tightener/weight_arm.h"

namespace taut::drive {
struct DriveModel;
}

namespace taut::roller_chain {

template <typename Real, typename Force>
struct SprocketConstants {
  Real centre_x_m, centre_y_m;  // as drawn
  Real turn;                    // +1: turns counter-clockwise, -1: clockwise
  Real pitch_radius_m;
  Force pitch_radius_inverse_1_m;
  Real pitch_angle_rad;
  Real pitch_angle_inverse_1_rad;
  Real reach_m2;         // squared distance from the centre beyond which no tooth is
  Force half_gap;        // tangent of half the pitch angle
  Force clear_height_m;  // over its gap, above which a roller is out of danger: kClearance
  int teeth;
  Force load_torque_N_m;  // signed, counter-clockwise positive
  Force bearing_damping_N_m_s;
  Force inertia_kg_m2;            // about the centre, counterweight included
  Force inertia_inverse_1_kg_m2;  // about the mass centre where the centre yields; 0 for the
                                  // crankshaft: its motion is given
  Real unbalance_x_kg_m;          // mass times place of the counterweight, at angle zero
  Real unbalance_y_kg_m;
  bool yields;  // its centre moves, on the stiffness of its support
  Force support_stiffness_N_m;
  Force support_damping_N_s_m;
  Force mass_kg;                                // counterweight included
  Force mass_inverse_1_kg;                      // 0 where the centre does not move by itself
  contact::ToothGap<Force> gap;                 // its frame is at the seat: small numbers
  etl::array<Real, drive::kMaxTeeth> seat_x_m;  // of each gap, from the centre, at angle zero
  etl::array<Real, drive::kMaxTeeth> seat_y_m;
};

template <typename Real, typename Force>
struct BarConstants {
  contact::GuideBar<Real> bar;
  contact::NormalLaw<Force> law;
};

// The straight line of a strand as drawn, for what is measured there.
template <typename Real>
struct StrandLine {
  Real begin_x_m, begin_y_m;
  Real along_x, along_y;  // unit, in the direction of travel
  Real length_m;
};

inline constexpr std::size_t kNoSprocket = drive::kMaxSprockets;

enum class Integrator : std::uint8_t {
  kSemiImplicitEuler,
  kVelocityVerlet,  // second order: velocity-dependent forces at the predicted velocity
};

template <typename Real, typename Force = Real>
struct RollerModel {
  std::size_t links;
  std::size_t sprockets;
  std::size_t guide_bars;    // those of the drive that are there
  std::size_t arm_sprocket;  // index of the one on the weight-arm, or kNoSprocket
  bool has_yielding_centres;
  bool has_unbalance;
  Integrator integrator;
  Real step_s;
  Real pitch_m;  // of a link with the wear of all, not of teeth
  Force roller_mass_kg;
  Force roller_mass_inverse_1_kg;
  Force link_damping_N_s_m;
  Force joint_damping_N_m_s;
  Force gravity_x_m_s2, gravity_y_m_s2;
  contact::NormalLaw<Force> tooth_law;
  contact::Friction<Force> friction;
  PerLink<Real> link_length_m;         // without tension
  PerLink<Real> link_length_m2;        // its square, and it as good as forces need: saves a
  PerLink<Force> rough_link_length_m;  // product and a conversion of every link in a step
  PerLink<Force> link_stiffness_N_m;
  etl::array<SprocketConstants<Real, Force>, drive::kMaxSprockets> sprocket;
  etl::array<BarConstants<Real, Force>, drive::kMaxGuideBars> guide_bar;
  etl::array<StrandLine<Real>, drive::kMaxSprockets> strand;
  tightener::WeightArm<Real> arm;
  Force arm_inertia_inverse_1_kg_m2;
  bool has_hydraulic_unit;  // on the arm
  tightener::HydraulicUnit<Real> unit;
};

struct StepSpec {
  Integrator integrator = Integrator::kSemiImplicitEuler;
  double step_s = 0;  // 0: default_step_s() of step_size.h
};

// Set-up, once. For double/double, double/float and float/float.
template <typename Real, typename Force>
void make_roller_model(const drive::DriveModel& drive, const StepSpec& step,
                       RollerModel<Real, Force>& model);

// Rollers along the tangents and seats of the drive as drawn, near rest but not at it
// (drive::place); the arm as drawn.
void place_rollers(const drive::DriveModel& drive, double tooth_phase, Configuration<double>& at);

}  // namespace taut::roller_chain
