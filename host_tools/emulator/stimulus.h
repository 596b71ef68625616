// What an emulated board is told: a bench's frames as packets of XCP stimulation.
#pragma once

#include <vector>

#include "host_tools/emulator/xcp_master.h"
#include "host_tools/rig/raw_frame.h"

namespace taut::emulator {

// Of each sensor value and sequence, then the edges. The board counts ticks by itself.
[[nodiscard]] std::vector<Signal> stimulated();
[[nodiscard]] Packet to_packet(const rig::RawFrame& raw);

// XCP takes no frame with a value beyond its row's range, NaN among them. Of a reading like that
// the board is told the one before again: it has not arrived.
class CarriedReadings {
 public:
  // What the board will be told of this frame.
  [[nodiscard]] rig::RawFrame of(const rig::RawFrame& raw);

 private:
  rig::RawFrame last_;
};

}  // namespace taut::emulator
