// The engine of the bench: gas torque on the crank, a shaft, a propeller, and a governor. Two
// inertias J1 w1' = T(phi) - S - Q, J2 w2' = S - L with S = k (phi1 - phi2) + c (w1 - w2), Q what
// the chain takes from the crank and the load L = L0 (w2/w0)^2. T is the governor's mean torque M
// and orders that grow with it: T = M (1 + sum_k T_k/M0 sin(k phi + psi_k)), as gas pressures do.
// Not the twin's model of a crank: sim_core/crank knows nothing of torques.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sim_core/crank/motion.h"

namespace taut::rig {

inline constexpr int kMaxOrder = 64;

struct TorqueOrder {
  int order = 1;  // periods a turn, up to kMaxOrder
  double amplitude_N_m = 0;
  double phase_rad = 0;
};

// Makes the mean torque of the speed it sees, once a tick.
struct GovernorSpec {
  double per_speed_N_m_s = 0;  // proportional
  double per_angle_N_m = 0;    // integral
  double filter_s = 0;         // of the speed that it sees: it leaves the orders alone
  double lowest_N_m = 0;
  double highest_N_m = 0;
};

struct EngineSpec {
  double rated_speed_rad_s = 0;
  double rated_torque_N_m = 0;
  double crank_inertia_kg_m2 = 0;      // all that is rigid with the crank
  double propeller_inertia_kg_m2 = 0;  // with the water that it drags
  double shaft_stiffness_N_m_rad = 0;
  double shaft_damping_N_m_s = 0;
  GovernorSpec governor;
  std::vector<TorqueOrder> orders;  // at rated torque
  double order_factor = 1;          // of all amplitudes
  double set_speed_rad_s = 0;
  double run_up_s = 0;   // from rest; 0: at speed from the start
  double fade_in_s = 1;  // of the orders, from the start
};

// An engine like a 6S90MC-C: at 76 rpm, with its chain, the crank's acceleration of order 6 is
// about 7 rad/s^2. For another rated speed all that makes it move is scaled by the square of the
// speed, so that the crank is as irregular in its angle.
[[nodiscard]] EngineSpec engine_for(double rated_speed_rad_s);

// A set speed may be so much above the rated one; the governor's highest torque allows it.
inline constexpr double kMostOverspeed = 1.2;
inline constexpr double kMostOrderFactor = 10;

struct EngineModel {
  EngineSpec spec;
  std::size_t orders = 0;                    // highest one
  std::array<double, kMaxOrder + 1> sine{};  // parts of the mean torque
  std::array<double, kMaxOrder + 1> cosine{};
};

struct EngineState {
  crank::Motion<double> crank{};
  double twist_rad = 0;  // of the shaft
  double propeller_rad_s = 0;
  double set_speed_rad_s = 0;  // that the governor goes for when run up
  double seen_speed_rad_s = 0;
  double integral_N_m = 0;
  double mean_torque_N_m = 0;
  double fade = 0;
  double time_s = 0;
};

[[nodiscard]] EngineModel make_engine(const EngineSpec& spec);
void init(const EngineModel& model, EngineState& state);

// The governor's turn, once a tick of this length.
void govern(const EngineModel& model, double tick_s, EngineState& state);

// One step by Runge-Kutta of order 4, the chain's torque on the crank held.
void advance(const EngineModel& model, double step_s, double chain_torque_N_m, EngineState& state);

}  // namespace taut::rig
