// One measured quantity beside its prediction: do they agree, of late? By the slow part of both: a
// bias beyond some part of the signal, or a difference as large as the signal itself, as offset,
// drift, delay, a wrong gain, noise and standing still make it within the range of a sensor. Does
// not know which of the two is wrong: verdict.h. Bounded work, the same bits everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/signal/sensor_frame.h"

namespace taut::monitor {

inline constexpr std::uint32_t kMostLate_ticks = 31;

struct WitnessModel {
  bool is_fitted;
  std::uint32_t late_ticks;  // that the sensor is behind, up to kMostLate_ticks
  float bias_floor;          // in its unit: differences that always are
  float swing_floor;
};
static_assert(std::is_trivially_copyable_v<WitnessModel>);

// Parts of the predicted signal: beyond them there is disagreement, below kBack of them none any
// longer. A model with parameters off by 15 % stays below.
inline constexpr float kBiasPart = 0.35F;  // of its RMS
inline constexpr float kSwingPart =
    0.75F;  // of the lesser standard deviation, of the swing about the bias
inline constexpr float kBack = 0.7F;
// Of the slow part, by a low-pass of two equal poles at 10 Hz; means over half a second.
inline constexpr float kSlowing = 0.0309F;  // 1 - exp(-2 pi 10 Hz 0.5 ms)
inline constexpr std::uint32_t kMean_ticks = 1024;
inline constexpr std::uint32_t kCalm_ticks = 1000;

struct Mean {
  float value;
  float square;
};

struct WitnessState {
  etl::array<float, kMostLate_ticks + 1> expected;  // a ring
  std::uint32_t newest;
  std::uint32_t filled;  // of the ring, up to all of it
  std::uint32_t ticks;   // compared, up to kMean_ticks
  etl::array<float, 2> slow_expected;
  etl::array<float, 2> slow_apart;
  Mean told;  // expected
  Mean measured;
  Mean apart;  // measured less expected
  bool disagrees;
  std::uint32_t calm_ticks;
};
static_assert(std::is_trivially_copyable_v<WitnessState>);

[[nodiscard]] inline bool has_opinion(const WitnessState& state) {
  return state.ticks == kMean_ticks;
}

// Once a tick. Nothing is compared with a prediction that is not to be trusted, and all before is
// forgotten; a sample that is not good is left out.
void watch(const WitnessModel& model, float expected, bool is_trusted,
           const signal::Sample& measured, WitnessState& state);

}  // namespace taut::monitor
