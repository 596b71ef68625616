// The crank's motion by edges alone: what stands in for the acceleration sensor, and what judges
// it. A smooth angle, followed as the observer's is, and on it what comes again every turn: orders
// of gas torques, as a series of the angle whose coefficients are learned from what the edges are
// off by. Between two edges, and over the gap, the series tells what no edge does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/crank/motion.h"

namespace taut::crank {

// Highest: the noise of teeth grows with its square in the acceleration.
inline constexpr std::size_t kOrders = 12;

struct EdgeTrackModel {
  std::uint32_t orders;  // that are learned: a wheel of few teeth does not tell more apart
  float memory_s;        // how far back edges have a say in the smooth part
  float most_rad;        // of a coefficient, and of an error that is followed
  float max_speed_rad_s;
  float max_acceleration_rad_s2;
};

struct EdgeTrack {
  // Smooth, at the end of the tick.
  std::uint32_t angle;  // in 2^-32 turns
  float speed_rad_s;
  float acceleration_rad_s2;
  float memory_s;
  // By order, from 1 on: of the angle's deviation from it.
  etl::array<float, kOrders> cosine_rad;
  etl::array<float, kOrders> sine_rad;
};
static_assert(std::is_trivially_copyable_v<EdgeTrack>);

// Of what was learned before, all stays.
void start(std::uint32_t angle, float speed_rad_s, EdgeTrack& track);

void advance(const EdgeTrackModel& model, float time_s, EdgeTrack& track);

struct Tracked {
  std::uint32_t angle;
  float speed_rad_s;
  float acceleration_rad_s2;
};
[[nodiscard]] Tracked at_end_of_tick(const EdgeTrackModel& model, const EdgeTrack& track);

// A tooth whose place is known, so long before the end of the tick and so long after the one
// before. Gives by how much it was not where it was expected; beyond most_rad it begins anew there.
float correct(const EdgeTrackModel& model, std::uint32_t place, float before_end_s, float time_s,
              EdgeTrack& track);

}  // namespace taut::crank
