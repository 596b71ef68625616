// Has the drive settled? Over a crank turn of steady running the crankshaft, and the supply of a
// hydraulic tightener, give what the drive loses (Pedersen 4.8-4.13); while a strand still swings
// in or out, they do not.
#pragma once

#include <cstdint>

#include "sim_core/crank/motion.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/roller_chain/roller_state.h"

namespace taut::roller_chain {

struct PowerBalance {
  double given_J;              // in this turn so far
  double lost_J;               // damping, friction and loads
  double last_crank_rad;       // to see the turn end
  double imbalance;            // (given - lost)/lost of the last whole turn
  std::uint32_t turns;         // whole turns so far
  std::uint32_t steady_turns;  // in a row, up to the last one
};

// Two turns in a row within this: one alone may be luck.
inline constexpr double kSteadyImbalance = 0.05;
inline constexpr std::uint32_t kSteadyTurns = 2;

template <typename Force>
[[nodiscard]] double lost_W(const Powers<Force>& powers) {
  return static_cast<double>(powers.link_W) + static_cast<double>(powers.joint_W) +
         static_cast<double>(powers.contact_W) + static_cast<double>(powers.friction_W) +
         static_cast<double>(powers.bearing_W) + static_cast<double>(powers.tightener_W) +
         static_cast<double>(powers.load_W);
}

template <typename Force>
[[nodiscard]] double given_W(const Powers<Force>& powers) {
  return static_cast<double>(powers.driver_W) + static_cast<double>(powers.supply_W);
}

// After every step.
template <typename Real, typename Force>
void add(const Powers<Force>& powers, const crank::Motion<Real>& crank, double step_s,
         PowerBalance& balance) {
  balance.given_J += step_s * given_W(powers);
  balance.lost_J += step_s * lost_W(powers);
  const auto crank_rad = static_cast<double>(crank.angle_rad);
  // Falls by a whole turn, not by a crank that swings back a little.
  const bool turn_ends = crank_rad < balance.last_crank_rad - math::kPi<double>;
  balance.last_crank_rad = crank_rad;
  if (!turn_ends) {
    return;
  }
  const bool loses = balance.lost_J > 0;
  balance.imbalance = loses ? (balance.given_J - balance.lost_J) / balance.lost_J : 0;
  const bool even = loses && math::magnitude(balance.imbalance) < kSteadyImbalance;
  balance.steady_turns = even ? balance.steady_turns + 1 : 0;
  balance.given_J = 0;
  balance.lost_J = 0;
  ++balance.turns;
}

[[nodiscard]] inline bool is_steady(const PowerBalance& balance) {
  return balance.steady_turns >= kSteadyTurns;
}

}  // namespace taut::roller_chain
