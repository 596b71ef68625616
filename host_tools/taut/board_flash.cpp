#include "host_tools/taut/board_flash.h"

#include <filesystem>
#include <fstream>
#include <vector>

#include "boards/mps2/board_flash.h"
#include "host_tools/taut/output_file.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"
#include "sim_core/drive/spec_hash.h"

namespace taut::tool {
namespace {

constexpr const char* kAnew = "; choose another path, or begin anew with --new";

// In words of eight bytes, since a block begins at a multiple of eight.
using Memory = std::vector<std::uint64_t>;
constexpr std::uint64_t kErasedWord = ~std::uint64_t{0};

Memory read_memory(const std::string& path) {
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (size != mps2::kFlashBytes) {
    throw Failure(ExitCode::kWrongUse, path + ": is no flash of a board: it has " +
                                           std::to_string(size) + " bytes, a flash " +
                                           std::to_string(mps2::kFlashBytes) + kAnew);
  }
  Memory memory(mps2::kFlashBytes / sizeof(std::uint64_t));
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(memory.data()), mps2::kFlashBytes)) {
    throw Failure(ExitCode::kWrongUse, path + ": cannot be read");
  }
  return memory;
}

}  // namespace

std::unique_ptr<firmware::TwinBlock> twin_block_of(const drive::DriveSpec& drive,
                                                   const TwinMachine<twin::ReducedChain>& machine) {
  auto block = std::make_unique<firmware::TwinBlock>();
  block->model = machine.model;
  block->channels = machine.channels;
  block->calibration = machine.state.calibration;
  firmware::seal(drive::hash_of(drive), *block);
  return block;
}

std::unique_ptr<firmware::TwinBlock> make_twin_block(const rig::RigSpec& rig,
                                                     const std::string& block) {
  return twin_block_of(rig.drive, *make_twin<twin::ReducedChain>(rig, block));
}

FlashWrite write_flash(const std::string& path, const firmware::TwinBlock& block, bool begin_anew) {
  const std::uint64_t drive_hash = block.header.drive_hash;
  FlashWrite write;
  write.is_new = begin_anew || !std::filesystem::exists(path);
  Memory memory = write.is_new ? Memory(mps2::kFlashBytes / sizeof(std::uint64_t), kErasedWord)
                               : read_memory(path);
  mps2::BoardFlash flash({reinterpret_cast<std::uint8_t*>(memory.data()), mps2::kFlashBytes});
  if (!flash.load_kept().has_value()) {
    write.is_new = true;
    if (flash.save_kept({drive_hash, block.calibration}) != hal::CopyStatus::kOk) {
      throw Failure(ExitCode::kNoSolution, path + ": what is kept does not fit into the flash");
    }
  }
  const firmware::KeptParameters kept = *flash.load_kept();
  const firmware::BlockSave save = flash.save_block(block, kept.drive_hash);
  if (save.block == reduced_chain::BlockStatus::kOtherDrive) {
    throw Failure(ExitCode::kWrongUse, path + ": is the flash of another drive, " +
                                           hexadecimal(kept.drive_hash, 16) + "; this one is " +
                                           hexadecimal(drive_hash, 16) + kAnew);
  }
  if (save.copy != hal::CopyStatus::kOk) {
    throw Failure(ExitCode::kNoSolution, path + ": the block does not fit into the flash");
  }
  write_file(path, {reinterpret_cast<const char*>(memory.data()), mps2::kFlashBytes});
  write.calibration = kept.calibration;
  return write;
}

}  // namespace taut::tool
