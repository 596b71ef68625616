#include "host_tools/emulator/stimulus.h"

#include <cstring>
#include <string>

#include "sim_core/twin/table.h"

namespace taut::emulator {
namespace {

struct Sensor {
  const char* name;
  rig::RawReading rig::RawFrame::*reading;
};

constexpr Sensor kSensors[] = {
    {"crank_acceleration_rad_s2", &rig::RawFrame::crank_acceleration_rad_s2},
    {"link_force_N", &rig::RawFrame::link_force_N},
    {"tightener_acceleration_m_s2", &rig::RawFrame::tightener_acceleration_m_s2},
    {"tightener_position_m", &rig::RawFrame::tightener_position_m},
};

bool is_carried(const Sensor& sensor, float value) {
  for (const signal::Entry& entry : twin::entries(twin::Part::kInput)) {
    if (std::strcmp(entry.name, sensor.name) == 0) {
      const auto told = static_cast<double>(value);
      return told >= entry.lowest && told <= entry.highest;
    }
  }
  return false;
}

template <typename Value>
void append(const Value& value, Packet& packet) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&value);
  packet.insert(packet.end(), bytes, bytes + sizeof value);
}

}  // namespace

std::vector<Signal> stimulated() {
  std::vector<Signal> signals;
  for (const Sensor& sensor : kSensors) {
    signals.push_back(input(sensor.name));
    signals.push_back(input(std::string(sensor.name) + ".sequence"));
  }
  signals.push_back(input("edges"));
  signals.push_back(input("edge"));
  signals.push_back(input("edges_lost"));
  return signals;
}

// In the order of stimulated().
Packet to_packet(const rig::RawFrame& raw) {
  Packet packet;
  for (const Sensor& sensor : kSensors) {
    append((raw.*sensor.reading).value, packet);
    append((raw.*sensor.reading).sequence, packet);
  }
  append(raw.edges, packet);
  append(raw.edge, packet);
  append(raw.edges_lost, packet);
  return packet;
}

rig::RawFrame CarriedReadings::of(const rig::RawFrame& raw) {
  rig::RawFrame carried = raw;
  for (const Sensor& sensor : kSensors) {
    if (!is_carried(sensor, (raw.*sensor.reading).value)) {
      carried.*sensor.reading = last_.*sensor.reading;
    }
  }
  last_ = carried;
  return carried;
}

}  // namespace taut::emulator
