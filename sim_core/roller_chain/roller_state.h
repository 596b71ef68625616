// What changes while a roller chain runs. RollerState is the whole of it: saved, restored
// and stepped on, it gives the same bits. Plain arrays over rollers: link i joins rollers
// i - 1 and i, cyclic. RollerScratch may be thrown away after a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/drive/drive_spec.h"

namespace taut::roller_chain {

template <typename T>
using PerLink = etl::array<T, drive::kMaxLinks>;
template <typename T>
using PerSprocket = etl::array<T, drive::kMaxSprockets>;

template <typename Real>
struct Configuration {
  PerLink<Real> x_m;
  PerLink<Real> y_m;
  PerSprocket<Real> angle_rad;  // [0] is the crankshaft
  Real arm_angle_rad;           // counter-clockwise from the arm as drawn
};

template <typename Real>
struct Rates {
  PerLink<Real> x_m_s;
  PerLink<Real> y_m_s;
  PerSprocket<Real> angle_rad_s;
  Real arm_angle_rad_s;
};

// Generalised forces: what acts on each coordinate of a configuration.
template <typename Force>
struct Forces {
  PerLink<Force> x_N;
  PerLink<Force> y_N;
  PerSprocket<Force> torque_N_m;
  Force arm_moment_N_m;
};

// What a contact remembers from its first touch on.
template <typename Force>
struct TouchMemory {
  Force inverse_first_touch_speed_s_m;
  std::uint16_t gap;   // of the sprocket, counted counter-clockwise; 0 on a bar
  std::uint8_t where;  // sprocket or bar, from 1; 0: touches nothing
  std::uint8_t area;   // of the surface: contact::ToothArea or contact::GuideArea
};

template <typename Force>
struct TouchMemories {
  PerLink<TouchMemory<Force>> tooth;  // of each roller
  PerLink<TouchMemory<Force>> bar;
};

template <typename Real, typename Force = Real>
struct RollerState {
  Configuration<Real> at;
  Rates<Real> rate;
  TouchMemories<Force> touches;
  Forces<Force> forces;        // at this configuration; the next step starts from them
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
  Force driver_W;  // given by the crankshaft
};

template <typename Real, typename Force = Real>
struct RollerScratch {
  // compute_links()
  PerLink<Force> along_x;  // unit, along the link
  PerLink<Force> along_y;
  PerLink<Force> inverse_length_1_m;
  PerLink<Force> tension_N;
  PerLink<Force> turning_rad_s;  // rate of the link's direction
  // add_joint_damping()
  PerLink<Force> joint_moment_N_m;  // of each roller
  // add_tooth_contacts()
  PerLink<Force> tooth_force_N;      // normal force on each roller
  PerSprocket<Force> on_centre_x_N;  // sum of tooth forces on each sprocket
  PerSprocket<Force> on_centre_y_N;
  // all of them
  Powers<Force> powers;
  // step()
  Rates<Real> half_step_rate;  // velocity Verlet
};

}  // namespace taut::roller_chain
