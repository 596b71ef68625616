// What makes an emulated board the twin of a drive: its block, made from a drive and its sensors,
// and the file that is the board's flash (boards/mps2/board_flash.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "firmware/twin_block.h"
#include "host_tools/rig/rig.h"
#include "host_tools/taut/twin_machine.h"

namespace taut::tool {

// Of this twin, sealed for its drive.
[[nodiscard]] std::unique_ptr<firmware::TwinBlock> twin_block_of(
    const drive::DriveSpec& drive, const TwinMachine<twin::ReducedChain>& machine);
// `block`: path of a file of taut reduce; empty: the drive is reduced anew. Throws a Failure as
// make_twin() does.
[[nodiscard]] std::unique_ptr<firmware::TwinBlock> make_twin_block(const rig::RigSpec& rig,
                                                                   const std::string& block);

struct FlashWrite {
  bool is_new = false;              // there was no such file, or it was begun anew
  twin::Calibration calibration{};  // that the board starts with
};

// The block becomes the newest of the flash in this file; what the board keeps beside it stays. A
// flash that is begun is the drive's from then on, with the block's calibration. Throws a Failure
// if the file is no flash, or another drive's, and leaves it as it was.
FlashWrite write_flash(const std::string& path, const firmware::TwinBlock& block, bool begin_anew);

}  // namespace taut::tool
