// Blocks of bytes with a BlockHeader before them: how all of them are sealed and looked at,
// whatever follows the header.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/optional.h>
#include <etl/span.h>

#include "sim_core/reduced_chain/block.h"

namespace taut::reduced_chain {

// What a kind of block is known by.
struct BlockKind {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint32_t size;  // of the whole block, in bytes
};

// Looks no further than the bytes reach; bytes beyond the block do not count.
[[nodiscard]] BlockStatus check_sealed(const BlockKind& kind, etl::span<const std::byte> bytes,
                                       const etl::optional<std::uint64_t>& drive_hash);

// The header of a block that begins at `header`, after all behind it is in place.
void seal(const BlockKind& kind, std::uint64_t drive_hash, BlockHeader& header);

}  // namespace taut::reduced_chain
