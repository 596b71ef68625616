// What is measured, tick by tick: what enters the twin. hal's channels make the samples; a source
// that is missing is a sample of quality kMissing. No padding anywhere: frames are logged and
// compared as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

namespace taut::signal {

// From one frame to the next.
inline constexpr double kTick_s = 0.5e-3;

// Of a sample's value: measured, or put in its place. All but kGood say that the sensor is not
// to be trusted at this tick.
enum class Quality : std::uint32_t {
  kGood,
  kHeld,      // the last good value, for a short while
  kModelled,  // what the model expects, after that
  kMissing,   // no such sensor, or never a good value; the value is 0
};

struct Sample {
  float value;
  std::uint32_t age_ticks;  // since it was measured
  std::uint32_t sequence;   // counts measurements; wraps
  Quality quality;
};

// A tooth of the crank's wheel, a line of its encoder or the index pulse once a turn passed the
// pick-up, at a moment within the tick that the frame closes.
enum class EdgeKind : std::uint16_t { kTooth, kIndex };

struct Edge {
  std::uint16_t moment;  // 1/65536 ticks after the tick's begin
  EdgeKind kind;
};

// 16 000 edges a second: an encoder of 3600 lines at 260 rpm.
inline constexpr std::size_t kMaxEdges = 8;

struct SensorFrame {
  std::uint32_t tick;  // that the frame closes; wraps
  Sample crank_acceleration_rad_s2;
  Sample link_force_N;                 // by the strain-gauge link
  Sample tightener_acceleration_m_s2;  // of the arm's accelerometer, along its motion
  Sample tightener_position_m;         // of the same place, from as drawn
  std::uint32_t edges;                 // that passed during the tick, in order of time
  etl::array<Edge, kMaxEdges> edge;
  std::uint32_t edges_lost;  // counted: more than there is room for; wraps
};
static_assert(std::is_trivially_copyable_v<SensorFrame>);

}  // namespace taut::signal
