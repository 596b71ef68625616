// The crank's motion by edges alone: what stands in for the acceleration sensor, and what judges
// it. A smooth angle, followed as the observer's is, and on it what comes again every turn: orders
// of gas torques, as a series of the angle whose coefficients are learned from what the edges are
// off by. Between two edges, and over the gap, the series tells what no edge does. What an edge
// teaches is learned one order a tick, so that a tick with an edge takes little more than others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/crank/fading_memory.h"
#include "sim_core/crank/wheel.h"

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

// What one edge teaches. While it is learned others teach nothing: where they come so fast, one in
// 12 ticks is more than the learning needs (73 a second, edge_track.cpp).
struct Lesson {
  std::uint32_t angle;  // of the edge, in 2^-32 turns; the smooth one is mrad from it
  float error_rad;
  std::uint32_t orders_left;  // from the highest down
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
  Lesson lesson;
};
static_assert(std::is_trivially_copyable_v<EdgeTrack>);

// Of what was learned before, all stays.
void start(std::uint32_t angle, float speed_rad_s, EdgeTrack& track);

// One tick, and one order of what the last edge taught.
void advance(const EdgeTrackModel& model, float time_s, EdgeTrack& track);

struct Tracked {
  std::uint32_t angle;
  float speed_rad_s;
  float acceleration_rad_s2;
};

// So long before, under constant acceleration.
[[nodiscard]] inline std::uint32_t angle_before(const Tracked& end, float time_s) {
  return end.angle - to_turns(time_s * (end.speed_rad_s - 0.5F * time_s * end.acceleration_rad_s2));
}

[[nodiscard]] Tracked at_end_of_tick(const EdgeTrackModel& model, const EdgeTrack& track);

// A tooth whose place is known.
struct PlacedEdge {
  std::uint32_t place;  // in 2^-32 turns
  float before_end_s;   // of the tick
  float time_s;         // since the one before
  Gains settled;        // for that time
  bool teaches;         // the orders too
};

// `at_end` is what the track told of this tick's end, and is moved along with it. Gives by how much
// the tooth was not where it was expected; beyond most_rad the track begins anew there.
float correct(const EdgeTrackModel& model, const PlacedEdge& edge, EdgeTrack& track,
              Tracked& at_end);

}  // namespace taut::crank
