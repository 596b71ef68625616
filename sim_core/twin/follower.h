// The crank as a chain is told to turn it: the observer's, without its jumps. An observer moves its
// angle a little at every tooth, which would jolt the chain; here the angle is nothing but the
// integral of the speed, and the speed is led so that the angle comes after.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/crank/motion.h"
#include "sim_core/crank/wheel.h"
#include "sim_core/math/clamp.h"
#include "sim_core/math/constants.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::twin {

inline constexpr auto kTick_s = static_cast<float>(signal::kTick_s);

struct Follower {
  std::uint32_t angle;   // in 2^-32 turns: no rounding error grows with the turns
  std::uint32_t turns;   // modulo the turns after which the chain is in its place again
  std::uint32_t behind;  // the observed angle, by so much, from where the chain was started
  float speed_rad_s;
};
static_assert(std::is_trivially_copyable_v<Follower>);

// How fast a difference of angles is taken back: ten times slower than an observer's own
// corrections, far below every torsional mode (8 Hz and more).
inline constexpr float kLead_1_s = 4;
// At most so much speed is added for it, so that a chain bears it: 1/16 of that of a slow engine.
inline constexpr float kMostLead_rad_s = 0.25F;
// Changes of speed beyond are no engine's; a chain started at another speed gets there this way.
inline constexpr float kMostAcceleration_rad_s2 = 100;
inline constexpr float kMostSpeed_rad_s = 100;

// One tick after the observed angle, in 2^-32 turns, and speed, which must be finite. Gives how far
// it was behind, the shorter way round; 0 where the angle is not known.
inline float follow(std::uint32_t observed_angle, float observed_rad_s, bool angle_is_known,
                    std::uint32_t loop_turns, Follower& follower) {
  const std::uint32_t expected =
      follower.behind + follower.angle + crank::to_turns(kTick_s * follower.speed_rad_s);
  const float lag_rad = angle_is_known ? crank::to_signed_rad(observed_angle - expected) : 0.0F;
  const float lead_rad_s = math::clamp(kLead_1_s * lag_rad, kMostLead_rad_s);
  const float wanted_rad_s = math::clamp(observed_rad_s + lead_rad_s, kMostSpeed_rad_s);
  const float before_rad_s = follower.speed_rad_s;
  follower.speed_rad_s +=
      math::clamp(wanted_rad_s - before_rad_s, kMostAcceleration_rad_s2 * kTick_s);
  const float turned = 0.5F * (before_rad_s + follower.speed_rad_s) *
                       (kTick_s / math::kTwoPi<float> * 0x1p32F);  // below 2^31
  const std::uint32_t before = follower.angle;
  follower.angle += static_cast<std::uint32_t>(static_cast<std::int32_t>(turned));
  if (turned >= 0 && follower.angle < before) {
    follower.turns = follower.turns + 1 == loop_turns ? 0 : follower.turns + 1;
  } else if (turned < 0 && follower.angle > before) {
    follower.turns = follower.turns == 0 ? loop_turns - 1 : follower.turns - 1;
  }
  return lag_rad;
}

// For a chain that starts again, from crank angle zero on.
inline void place_as_drawn(Follower& follower) {
  follower.behind += follower.angle;
  follower.angle = 0;
  follower.turns = 0;
}

// From there on, at this speed, without a lag.
inline void start_at(std::uint32_t observed_angle, float speed_rad_s, Follower& follower) {
  follower = {0, 0, observed_angle, math::clamp(speed_rad_s, kMostSpeed_rad_s)};
}

// Where it was a part of the tick after `before`, under constant acceleration.
template <typename Real>
[[nodiscard]] crank::Motion<Real> motion_within(const Follower& before, const Follower& after,
                                                Real part) {
  const auto tick_s = static_cast<Real>(kTick_s);
  const auto begin_rad_s = static_cast<Real>(before.speed_rad_s);
  const Real change_rad_s = static_cast<Real>(after.speed_rad_s) - begin_rad_s;
  const Real turned_rad = tick_s * part * (begin_rad_s + Real(0.5) * part * change_rad_s);
  constexpr Real kTurn_rad = math::kTwoPi<Real>;
  Real angle_rad = crank::to_rad<Real>(before.angle) + turned_rad;
  angle_rad = angle_rad >= kTurn_rad ? angle_rad - kTurn_rad : angle_rad;
  angle_rad = angle_rad < 0 ? angle_rad + kTurn_rad : angle_rad;
  return {angle_rad, begin_rad_s + part * change_rad_s, change_rad_s / tick_s};
}

}  // namespace taut::twin
