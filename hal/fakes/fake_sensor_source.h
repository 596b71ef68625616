// Sensors that measure what they are told to. Edges go the way that an interrupt's do.
#pragma once

#include <cstdint>

#include "hal/edge_collector.h"
#include "hal/sensor_source.h"

namespace taut::hal::fakes {

class FakeSensorSource {
 public:
  void read(RawReadings& readings) const { readings = readings_; }

  // Ends the tick.
  void take_edges(signal::SensorFrame& frame) { edges_.collect(kTickBegin, frame); }

  // One sensor measures: source.measure(&RawReadings::link_force, 60e3F).
  void measure(RawReading RawReadings::*sensor, float value) {
    RawReading& reading = readings_.*sensor;
    reading = {value, reading.sequence + 1};
  }

  // In the tick that goes on.
  void pass_edge(signal::Edge edge) {
    edges_.push_from_interrupt(kTickBegin + edge.moment, edge.kind);
  }

 private:
  // A count is what a moment counts in, and starts anew with every tick.
  static constexpr std::uint32_t kCountsPerTick = 65536;
  static constexpr std::uint32_t kTickBegin = 0;

  RawReadings readings_{};
  EdgeCollector edges_{kCountsPerTick};
};
static_assert(SensorSource<FakeSensorSource>);

}  // namespace taut::hal::fakes
