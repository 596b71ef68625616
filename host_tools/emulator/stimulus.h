// What an emulated board is given: a bench's frames as packets of XCP stimulation, and a twin's
// block for its flash.
#pragma once

#include <memory>
#include <vector>

#include "firmware/twin_block.h"
#include "host_tools/emulator/xcp_master.h"
#include "host_tools/rig/raw_frame.h"
#include "host_tools/taut/twin_machine.h"

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

// Sealed for this drive.
[[nodiscard]] std::unique_ptr<firmware::TwinBlock> twin_block(
    const drive::DriveSpec& drive, const tool::TwinMachine<twin::ReducedChain>& machine);

}  // namespace taut::emulator
