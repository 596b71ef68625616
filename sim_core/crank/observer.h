// Angle, speed and acceleration of the crank from its measured angular acceleration and the edges
// of a toothed wheel: prediction by the acceleration every tick, correction at every edge, the
// sensor's bias estimated along with them. Says how far it may be trusted. Constants:
// make_observer.h. Not for running astern: one pick-up does not see the sense of rotation.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/crank/edge_track.h"
#include "sim_core/crank/edge_trouble.h"
#include "sim_core/crank/make_observer.h"
#include "sim_core/crank/motion.h"
#include "sim_core/crank/sensor_trial.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::crank {

inline constexpr std::uint32_t kMomentsATick = 65536;
inline constexpr std::uint32_t kMaxTicksApart = 8;  // frames farther apart have no order in time
inline constexpr std::uint32_t kHeld_ticks = 4;     // bad for longer: edges alone are used
inline constexpr std::uint32_t kLongestInterval_ticks = 60'000;  // moments wrap after 65 536
inline constexpr std::uint32_t kMaxPitches = 16384;              // round a wheel

enum class Sync : std::uint8_t {
  kSearching,  // edges pass, or none yet; which is which is not known
  kSynced,     // edges pass where they are expected
  kCoasting,   // the angle is still right, but nothing confirms it: edges overdue, or too slow
  kLost,       // the angle is no longer right, and there are no edges to search among
};

// All wrap.
struct ObserverCounts {
  std::uint32_t losses;
  std::uint32_t missed_edges;  // while synced or coasting: of teeth that gave none, or not used
  std::uint32_t stray_edges;   // out of order, too soon, in the gap, far from any tooth
  std::uint32_t bad_accelerations;  // said to be good, and not finite, absurd or old
  std::uint32_t stale_frames;       // that did not follow the one before
};

// All there is to save.
struct ObserverState {
  // What leaves, for the end of the tick.
  Motion<float> motion;  // the speed has a sign
  Sync sync;
  std::uint32_t blind_ticks;  // the acceleration was not good, or doubted, for so long; above
                              // kHeld_ticks, where it is replaced, edges alone are used
  Tracked by_edges;           // motion as edges alone tell it; at rest while the place is not known
  ObserverCounts counts;

  // Estimates.
  bool started;
  std::uint32_t tick;   // of the last frame
  std::uint32_t angle;  // in 2^-32 turns
  float speed_rad_s;
  float acceleration_rad_s2;  // without bias and delay
  float bias_rad_s2;
  float smoothed_rad_s2;  // the sensor's, to take its delay out

  // Edges: the last one taken, and what has happened since.
  bool has_edge;
  std::uint32_t edge_moment;     // in 1/65536 ticks; wraps after 32 s
  std::uint32_t edge_ticks;      // since then, held at its largest
  float edge_rad;                // travelled since then, with its sign
  bool in_gap;                   // an edge came where the gap has a tooth missing
  std::uint32_t stray_angle;     // of the last edge that was at no tooth, in 2^-32 turns
  std::uint32_t strays_in_step;  // such edges, each a pitch after the one before

  // Searching.
  float interval_s;          // of the last pitch, 0: none
  std::uint32_t mark_edges;  // teeth since gap or index passed; 2^31 and more: none did. Held at
                             // its largest
  bool from_rest;            // the speed was zero where edge_rad was

  // Edges alone, what they say of the sensor, and what is wrong with them.
  EdgeTrack track;
  SensorTrial trial;
  EdgeTrouble trouble;

  // Synced and coasting.
  float mark_rad;  // travelled since gap or index were where they should be
  float memory_s;  // how far back edges have a say in the estimates
  float coast_s;
  float coast_rad;
};
static_assert(std::is_trivially_copyable_v<ObserverState>);

void init(ObserverState& state);

// One frame, one tick. A frame whose number does not follow is taken as a tick without sensors.
void observe(const ObserverModel& model, ObserverState& state, const signal::SensorFrame& frame);

}  // namespace taut::crank
