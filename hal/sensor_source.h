// A source of measurements: what the drivers of an engine's sensors offer a tick together.
// Not for judging them: channels do that.
#pragma once

#include <concepts>

#include "hal/channels.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::hal {

// Called by the tick, once each; not from any other interrupt. Neither blocks nor waits for a
// measurement, and neither can fail.
// read: the newest measurement of each sensor; one that has none since the last call gives the same
// sequence again. Every new measurement counts one up.
// take_edges: those of the tick that has just ended, each once, into `edges`, `edge` and
// `edges_lost` of the frame; the rest of the frame is left alone. See edge_collector.h.
template <typename T>
concept SensorSource = requires(T& source, RawReadings& readings, signal::SensorFrame& frame) {
  { source.read(readings) } -> std::same_as<void>;
  { source.take_edges(frame) } -> std::same_as<void>;
};

}  // namespace taut::hal
