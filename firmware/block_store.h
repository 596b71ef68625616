// The model block of a board in its parameter store: taken whole and for the board's own drive, or
// not at all. Not for a tick: blocks as the store does.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/span.h>

#include "hal/two_copies.h"
#include "sim_core/reduced_chain/block.h"

namespace taut::firmware {

struct BlockSave {
  hal::CopyStatus copy;
  reduced_chain::BlockStatus block;  // unless it fits, nothing was written
};

// Bytes begin at a multiple of 8.
template <hal::ParameterStore Store>
[[nodiscard]] BlockSave save_block(Store& store, etl::span<const std::byte> bytes,
                                   std::uint64_t drive_hash) {
  const reduced_chain::BlockStatus status = reduced_chain::read_block(bytes, drive_hash).status;
  if (status != reduced_chain::BlockStatus::kFits) {
    return {hal::CopyStatus::kNone, status};
  }
  return {hal::save_copy(store, {reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                 sizeof(reduced_chain::Block)}),
          status};
}

// Into `block`, where the model is used in place. Of a store that holds none: kTooShort.
template <hal::ParameterStore Store>
[[nodiscard]] reduced_chain::BlockRead load_block(Store& store, std::uint64_t drive_hash,
                                                  reduced_chain::Block& block) {
  std::size_t size = 0;
  const hal::CopyStatus status =
      hal::load_copy(store, {reinterpret_cast<std::uint8_t*>(&block), sizeof block}, size);
  if (status != hal::CopyStatus::kOk) {
    return {reduced_chain::BlockStatus::kTooShort, nullptr};
  }
  return reduced_chain::read_block({reinterpret_cast<const std::byte*>(&block), size}, drive_hash);
}

}  // namespace taut::firmware
