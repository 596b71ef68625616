// What changes while a roller chain runs. RollerState is the whole of it: saved, restored
// and stepped on, it gives the same bits. Plain arrays over rollers: link i joins rollers
// i - 1 and i, cyclic. RollerScratch may be thrown away after a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/math/lanes.h"
#include "sim_core/tightener/hydraulic_unit.h"
#include "sim_core/tightener/weight_arm.h"

namespace taut::roller_chain {

// With a lane more than there are links: loops run in whole lanes, over the end. It also keeps
// arrays from beginning at the same place of a memory page, where they would hinder each other.
template <typename T>
using PerLink = etl::array<T, drive::kMaxLinks + math::kLanes>;
// Vector units read whole cache lines best.
inline constexpr std::size_t kAlignment = 64;

template <typename T>
using PerSprocket = etl::array<T, drive::kMaxSprockets>;

template <typename Real>
struct Configuration {
  alignas(kAlignment) PerLink<Real> x_m;
  PerLink<Real> y_m;
  PerSprocket<Real> angle_rad;   // [0] is the crankshaft
  PerSprocket<Real> offset_x_m;  // of centres that yield, from as drawn
  PerSprocket<Real> offset_y_m;
  Real arm_angle_rad;                    // counter-clockwise from the arm as drawn
  tightener::HydraulicState<Real> unit;  // flows alone change it
};

// Rollers' speeds are no sums over long times, so that the precision of forces will do: a float
// at 4 m/s rounds as a force of 0.02 N would. Sprockets are heavier, and keep Real.
template <typename Real, typename Force = Real>
struct Rates {
  alignas(kAlignment) PerLink<Force> x_m_s;
  PerLink<Force> y_m_s;
  PerSprocket<Real> angle_rad_s;
  PerSprocket<Real> offset_x_m_s;
  PerSprocket<Real> offset_y_m_s;
  Real crank_rad_s2;  // acceleration of sprocket 1, as told: out of balance it shakes its support
  Real arm_angle_rad_s;
};

// Generalised forces: what acts on each coordinate of a configuration.
template <typename Force>
struct Forces {
  alignas(kAlignment) PerLink<Force> x_N;
  PerLink<Force> y_N;
  PerSprocket<Force> torque_N_m;
  PerSprocket<Force> offset_x_N;  // on centres that yield
  PerSprocket<Force> offset_y_N;
  // What motion adds to these where a sprocket out of balance yields: add_unbalance().
  PerSprocket<Force> inertial_torque_N_m;
  PerSprocket<Force> inertial_x_N;
  PerSprocket<Force> inertial_y_N;
  Force arm_moment_N_m;
};

// Rollers one after the other that are near a sprocket's teeth or at a guide-bar, kept up to
// date at its two ends: nobody searches all rollers in a step.
template <typename Force>
struct Engagement {
  std::uint16_t first;  // roller
  std::uint16_t count;
  std::uint16_t steps_to_look;  // until its ends are looked at again
  // Of each roller that touches; 0 for all others.
  PerLink<Force> inverse_first_touch_speed_s_m;
};

// Besides, the gap that each of the rollers lies in, as its seat from the centre at angle zero.
// Rollers at the ends of the run that are above all teeth get no contact.
template <typename Real, typename Force>
struct ToothEngagement : Engagement<Force> {
  std::uint16_t clear_at_begin;
  std::uint16_t clear_at_end;
  PerLink<Real> seat_x_m;
  PerLink<Real> seat_y_m;
};

template <typename Real, typename Force>
struct Engagements {
  PerSprocket<ToothEngagement<Real, Force>> teeth;
  etl::array<Engagement<Force>, drive::kMaxGuideBars> bars;
};

template <typename Real, typename Force = Real>
struct RollerState {
  Configuration<Real> at;
  Rates<Real, Force> rate;
  Forces<Force> forces;  // at this configuration; the next step starts from them
  Engagements<Real, Force> engaged;
  Real crank_zero_rad;         // angle of sprocket 1 where the crank's angle is zero
  std::uint64_t steps;         // since init()
  std::uint32_t bad_commands;  // crank motions that were no numbers, and were bridged
};
static_assert(std::is_trivially_copyable_v<RollerState<double>>);

// Power that leaves the drive at each kind of place (Pedersen 4.8-4.13), and the driver's.
template <typename Force>
struct Powers {
  Force link_W;
  Force joint_W;
  Force contact_W;   // damping of rollers on teeth and bars
  Force friction_W;  // of rollers on teeth and bars
  Force bearing_W;
  Force tightener_W;
  Force load_W;    // taken by the load torques of driven sprockets
  Force supply_W;  // given by the oil that enters the tightener
  Force driver_W;  // given by the crankshaft
};

// Eight contacts side by side, and all that a step computes of them: one address finds all of
// it, and each part of the contact is one loop over the lanes.
template <typename Force>
struct ContactBlock {
  using Lanes = etl::array<Force, math::kLanes>;
  // place: of the roller
  alignas(math::kLanes * sizeof(Force)) Lanes x_m;  // from the sprocket's centre; not used at a bar
  Lanes y_m;
  Lanes slip_x_m_s;  // against the surface
  Lanes slip_y_m_s;
  Lanes axis_x;        // of the frame that the surface is described in: radially out of the gap, or
  Lanes axis_y;        // out of the bar
  Lanes in_frame_x_m;  // along the pitch circle, or along the bar
  Lanes in_frame_y_m;  // along the axis
  Lanes inverse_first_touch_speed_s_m;
  // touch
  Lanes indentation_m;
  Lanes normal_x;
  Lanes normal_y;
  Lanes approach_m_s;
  Lanes sliding_m_s;
  // press
  Lanes normal_N;
  Lanes damping_W;
  // rub
  Lanes x_N;
  Lanes y_N;
  Lanes torque_N_m;
  Lanes rubbing_W;
  // append
  std::uint32_t first_roller;  // of those that lie in its lanes, one after the other
  std::uint32_t rollers;       // lanes behind them touch nothing
};

// One engagement's part of a list of contacts.
struct ContactSection {
  std::size_t begin;  // block
  std::size_t end;
};

// Contacts of one kind, teeth or bars, engagement after engagement, each in whole blocks. A
// roller may be near two sprockets, but not all of them.
inline constexpr std::size_t kMaxContactBlocks = 2 * drive::kMaxLinks / math::kLanes;
inline constexpr std::size_t kMaxSections =
    drive::kMaxSprockets > drive::kMaxGuideBars ? drive::kMaxSprockets : drive::kMaxGuideBars;

template <typename Force>
struct Contacts {
  ContactSection all;
  etl::array<ContactSection, kMaxSections> section;  // of each sprocket, or bar
  etl::array<ContactBlock<Force>, kMaxContactBlocks> block;
};

template <typename Real, typename Force = Real>
struct RollerScratch {
  // compute_centres()
  tightener::ArmPose<Real> arm_pose;
  PerSprocket<Real> centre_x_m;  // where they are now
  PerSprocket<Real> centre_y_m;
  PerSprocket<Real> centre_x_m_s;
  PerSprocket<Real> centre_y_m_s;
  // add_unbalance(); set where a drive has any
  PerSprocket<Force> unbalance_x_kg_m;  // mass times place of counterweights
  PerSprocket<Force> unbalance_y_kg_m;
  // add_arm()
  Force tightener_N;  // tension between arm and ground, of spring, damper, oil and stops
  // compute_links()
  alignas(kAlignment) PerLink<Force> along_x;  // unit, along the link
  PerLink<Force> along_y;
  PerLink<Force> inverse_length_1_m;
  PerLink<Force> tension_N;
  PerLink<Force> turning_rad_s;  // rate of the link's direction
  PerLink<Force> link_W;
  // compute_joints()
  PerLink<Force> joint_moment_N_m;  // of each roller
  PerLink<Force> joint_W;
  // compute_pulls()
  PerLink<Force> pull_x_N;  // of each link on the roller at its begin; minus that at its end
  PerLink<Force> pull_y_N;
  // contacts
  Contacts<Force> teeth;
  Contacts<Force> bars;
  PerSprocket<Force> on_centre_x_N;  // sum of tooth forces on each sprocket
  PerSprocket<Force> on_centre_y_N;
  // all of them
  Powers<Force> powers;
  // step()
  Rates<Real, Force> half_step_rate;  // velocity Verlet
};

}  // namespace taut::roller_chain
