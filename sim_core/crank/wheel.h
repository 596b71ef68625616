// A toothed wheel on the crank and its pick-up: N equal pitches of which the last M have no tooth,
// or a wheel without a gap and an index pulse, or the index pulse alone (a wheel of one tooth).
// Angles as 32-bit fractions of a turn: they wrap exactly. Not for the edges' moments: observer.h.
#pragma once

#include <cstdint>

#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"

namespace taut::crank {

struct WheelSpec {
  std::uint32_t pitches = 60;  // round the wheel, those of the gap included; 0: index pulse only
  std::uint32_t missing = 2;   // teeth that make the gap; 0: the index pulse is the mark
  double first_tooth_rad = 0;  // crank angle when the first tooth (behind the gap) passes
  double index_rad = 0;        // crank angle of the index pulse
  bool confirmed_by_index = false;  // there is an index pulse beside the gap
};

struct Wheel {
  std::uint32_t pitches;
  std::uint32_t missing;
  std::uint32_t first_tooth;  // in 2^-32 turns
  std::uint32_t index;        // in 2^-32 turns
  std::uint64_t pitch;        // in 2^-64 turns; 0 if there is but one
  bool index_only;
};

// To 2^-32 turns, of less than half a turn; beyond nothing sensible can be said, nor converted. To
// the nearest, but as cheaply as a tick needs it: what is beyond 2^23 is rounded already.
[[nodiscard]] inline std::uint32_t to_turns(float angle_rad) {
  constexpr float kScale = 0x1p32F / math::kTwoPi<float>;
  const float scaled = angle_rad * kScale;
  const bool fits = math::magnitude(scaled) < 0x1p31F;  // a NaN does not
  const float away = scaled < 0 ? -0.5F : 0.5F;
  return fits ? static_cast<std::uint32_t>(static_cast<std::int32_t>(scaled + away)) : 0;
}

// Of the shorter way round, with its sign.
[[nodiscard]] inline float to_signed_rad(std::uint32_t turns) {
  return static_cast<float>(static_cast<std::int32_t>(turns)) * (math::kTwoPi<float> * 0x1p-32F);
}

// [0, 2 pi). Of a float 24 bits, which it holds: the last of them is not rounded to a turn.
template <typename Real = float>
[[nodiscard]] Real to_rad(std::uint32_t turns) {
  constexpr std::uint32_t kBits = math::FloatBits<Real>::kFractionBits < 32 ? 24 : 32;
  constexpr Real kScale = math::kTwoPi<Real> / static_cast<Real>(std::uint64_t{1} << kBits);
  return static_cast<Real>(turns >> (32 - kBits)) * kScale;
}

// Counted from the first behind the gap; N - M and up: in the gap, where there is no tooth.
[[nodiscard]] inline std::uint32_t nearest_tooth(const Wheel& wheel, std::uint32_t angle) {
  const std::uint64_t half_pitch = wheel.index_only ? 0x80000000U : wheel.pitch >> 33;
  const auto from_first = static_cast<std::uint32_t>(angle - wheel.first_tooth + half_pitch);
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(from_first) * wheel.pitches) >> 32);
}

[[nodiscard]] inline std::uint32_t place_of(const Wheel& wheel, std::uint32_t tooth) {
  return wheel.first_tooth + static_cast<std::uint32_t>((tooth * wheel.pitch) >> 32);
}

[[nodiscard]] inline bool has_gap(const Wheel& wheel) {
  return wheel.missing != 0;
}

}  // namespace taut::crank
