// What makes a board the twin of one drive, over a loss of power: the twin's block, and what was
// calibrated since, each as two copies in a parameter store of its own. A block is taken whole and
// for the board's own drive, or not at all. Not for a tick: blocks as the stores do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/optional.h>
#include <etl/span.h>

#include "firmware/twin_block.h"
#include "hal/two_copies.h"

namespace taut::firmware {

// Beside the block. Once they are kept, the board is for this drive.
struct KeptParameters {
  std::uint64_t drive_hash;
  twin::Calibration calibration;
};
static_assert(std::is_trivially_copyable_v<KeptParameters>);
static_assert(sizeof(KeptParameters) == sizeof(std::uint64_t) + sizeof(twin::Calibration));

template <hal::ParameterStore Store>
[[nodiscard]] etl::optional<KeptParameters> load_kept(Store& store) {
  KeptParameters kept{};
  std::size_t size = 0;
  const hal::CopyStatus status =
      hal::load_copy(store, {reinterpret_cast<std::uint8_t*>(&kept), sizeof kept}, size);
  return status == hal::CopyStatus::kOk && size == sizeof kept ? etl::optional<KeptParameters>(kept)
                                                               : etl::nullopt;
}

template <hal::ParameterStore Store>
[[nodiscard]] hal::CopyStatus save_kept(Store& store, const KeptParameters& kept) {
  return hal::save_copy(store, {reinterpret_cast<const std::uint8_t*>(&kept), sizeof kept});
}

struct BlockSave {
  hal::CopyStatus copy;
  reduced_chain::BlockStatus block;  // unless it fits, nothing was written
};

// Bytes begin at a multiple of 8. Where `drive_hash` is given, they must be that drive's.
template <hal::ParameterStore Store>
[[nodiscard]] BlockSave save_block(Store& store, etl::span<const std::byte> bytes,
                                   etl::optional<std::uint64_t> drive_hash) {
  const TwinBlockRead read = read_twin_block(bytes, drive_hash);
  if (read.block == nullptr) {
    return {hal::CopyStatus::kNone, read.status};
  }
  return {
      hal::save_copy(store, {reinterpret_cast<const std::uint8_t*>(read.block), sizeof(TwinBlock)}),
      read.status};
}

// The newest block, where it lies: `memory` is what the store is over, and begins at a multiple of
// 8. Of a store that holds none: kNoBlock.
template <hal::ParameterStore Store>
[[nodiscard]] TwinBlockRead find_block(Store& store, etl::span<const std::byte> memory,
                                       etl::optional<std::uint64_t> drive_hash) {
  const etl::optional<hal::CopyPlace> place = hal::find_copy(store);
  if (!place.has_value()) {
    return {reduced_chain::BlockStatus::kNoBlock, nullptr};
  }
  return read_twin_block(memory.subspan(place->offset, place->size), drive_hash);
}

}  // namespace taut::firmware
