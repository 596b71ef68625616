// Whether a chain at standstill stays where its model says that it rests. The settled state was
// found on the host; a board loads it, looks whether it is one, and lets it come to rest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::firmware {

inline constexpr std::uint32_t kSettleTicks = 200;
// Of the largest strand's tension at the first tick. The reduced chain of 6S90MC-C moves by 3 %,
// and by 0.7 % in the second half.
inline constexpr float kMostResidual = 0.1F;  // from the first tick on
inline constexpr float kMostUnrest = 0.02F;   // between the least and the most of the second half

// What a chain is told meanwhile, in place of this frame: a crank that nothing is known of.
[[nodiscard]] inline signal::SensorFrame standstill(const signal::SensorFrame& frame) {
  constexpr signal::Sample kNone{0, 0, 0, signal::Quality::kMissing};
  signal::SensorFrame still{};
  still.tick = frame.tick;
  still.edges_lost = frame.edges_lost;
  still.crank_acceleration_rad_s2 = kNone;
  still.link_force_N = kNone;
  still.tightener_acceleration_m_s2 = kNone;
  still.tightener_position_m = kNone;
  return still;
}

struct Settling {
  std::uint32_t ticks;
  float largest_N;
  signal::PerStrand<float> first_N;
  signal::PerStrand<float> least_N;  // in the second half
  signal::PerStrand<float> most_N;
  float residual;
  float unrest;
};

inline void add(const signal::Prediction& prediction, Settling& settling) {
  const auto size = [](float x) { return x < 0 ? -x : x; };
  const auto larger = [](float a, float b) { return a > b ? a : b; };
  const signal::PerStrand<float>& tension_N = prediction.strand_mean_N;
  if (settling.ticks == 0) {
    settling.first_N = tension_N;
    for (const float strand_N : tension_N) {
      settling.largest_N = larger(settling.largest_N, size(strand_N));
    }
  }
  if (settling.ticks <= kSettleTicks / 2) {
    settling.least_N = tension_N;
    settling.most_N = tension_N;
  }
  ++settling.ticks;
  for (std::size_t s = 0; s < tension_N.size(); ++s) {
    settling.least_N[s] = tension_N[s] < settling.least_N[s] ? tension_N[s] : settling.least_N[s];
    settling.most_N[s] = larger(settling.most_N[s], tension_N[s]);
    const float change_N = size(tension_N[s] - settling.first_N[s]);
    const float span_N = settling.most_N[s] - settling.least_N[s];
    settling.residual = larger(settling.residual, change_N / settling.largest_N);
    settling.unrest = larger(settling.unrest, span_N / settling.largest_N);
  }
}

[[nodiscard]] inline bool is_over(const Settling& settling) {
  return settling.ticks >= kSettleTicks;
}

// `latched`: of the twin since its start. A chain without any tension does not pass.
[[nodiscard]] inline bool has_passed(const Settling& settling, std::uint32_t latched) {
  return settling.largest_N > 0 && settling.residual <= kMostResidual &&
         settling.unrest <= kMostUnrest &&
         (latched & (signal::kFaultyModel | signal::kModelOutside)) == 0;
}

}  // namespace taut::firmware
