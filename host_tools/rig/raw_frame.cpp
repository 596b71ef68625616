#include "host_tools/rig/raw_frame.h"

namespace taut::rig {

signal::SensorFrame as_sensor_frame(const RawFrame& raw) {
  const auto good = [](const RawReading& reading) {
    return signal::Sample{.value = reading.value,
                          .age_ticks = 0,
                          .sequence = reading.sequence,
                          .quality = signal::Quality::kGood};
  };
  signal::SensorFrame frame{};
  frame.tick = raw.tick;
  frame.crank_acceleration_rad_s2 = good(raw.crank_acceleration_rad_s2);
  frame.link_force_N = good(raw.link_force_N);
  frame.tightener_acceleration_m_s2 = good(raw.tightener_acceleration_m_s2);
  frame.tightener_position_m = good(raw.tightener_position_m);
  frame.edges = static_cast<decltype(frame.edges)>(raw.edges);
  frame.edge = raw.edge;
  frame.edges_lost = raw.edges_lost;
  return frame;
}

}  // namespace taut::rig
