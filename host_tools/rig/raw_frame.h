// What the bench delivers each tick: readings as sensors send them, before anyone has judged
// them, and beside them the truth.
#pragma once

#include <cstdint>

#include <etl/array.h>

#include "hal/channel.h"
#include "sim_core/crank/motion.h"
#include "sim_core/signal/chain_outputs.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::rig {

using hal::RawReading;  // sequence 0: none yet

struct RawFrame {
  std::uint32_t tick = 0;  // that the frame closes, from 0; wraps
  RawReading crank_acceleration_rad_s2{};
  RawReading link_force_N{};
  RawReading tightener_acceleration_m_s2{};
  RawReading tightener_position_m{};
  std::uint32_t edges = 0;  // that passed during the tick, in order of time
  etl::array<signal::Edge, signal::kMaxEdges> edge{};
  std::uint32_t edges_lost = 0;  // counted: more than there is room for; wraps
};

// At the end of the tick.
struct Truth {
  double time_s = 0;
  crank::Motion<double> crank{};
  double mean_torque_N_m = 0;              // of the governor; 0 where the motion is prescribed
  double propeller_rad_s = 0;              // as the crank's where the motion is prescribed
  double tightener_position_m = 0;         // of the place that sensors are fixed to, along its arc
  double tightener_acceleration_m_s2 = 0;  // from the arm as drawn; counter-clockwise positive
  signal::ChainOutputs chain{};            // the tagged link's force among them
};

// Every reading as a good sample, for debugging: no one has looked at it.
[[nodiscard]] signal::SensorFrame as_sensor_frame(const RawFrame& raw);

}  // namespace taut::rig
