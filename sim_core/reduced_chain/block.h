// A reduced chain as a block of bytes, compiled in or loaded: a header, then the model. Made on the
// host, little-endian, without a pointer in it, used in place. read_block() refuses what does not
// fit and says why; every flipped bit is found by the CRC-32.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/optional.h>
#include <etl/span.h>

#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::reduced_chain {

inline constexpr std::uint32_t kBlockMagic = 0x54554154U;  // "TAUT" in a file
// Raised whenever a member of the model means something else; its size speaks for itself.
inline constexpr std::uint32_t kBlockVersion = 2;

struct BlockHeader {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint32_t size;        // of the whole block, in bytes
  std::uint32_t crc;         // of all other bytes
  std::uint64_t drive_hash;  // drive::hash_of() of the drive it was made for
};

struct Block {
  BlockHeader header;
  ReducedModel model;
};

// Bytes are the same on every target: PC and Cortex-M agree on order, sizes and alignment.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(BlockHeader) == 24 && alignof(BlockHeader) == 8);
static_assert(offsetof(Block, model) == sizeof(BlockHeader) && alignof(Block) == 8);
static_assert(sizeof(Block) == sizeof(BlockHeader) + sizeof(ReducedModel));
static_assert(std::is_trivially_copyable_v<Block> && std::is_standard_layout_v<Block>);

enum class BlockStatus : std::uint8_t {
  kFits,
  kMisaligned,
  kTooShort,
  kNoBlock,
  kOtherVersion,
  kOtherSize,
  kDamaged,
  kOtherDrive,
};

// What is wrong and what to do, in a line.
[[nodiscard]] const char* reason(BlockStatus status);

struct BlockRead {
  BlockStatus status;
  const ReducedModel* model;  // inside the bytes; null unless it fits
};

// Bytes beyond the block do not count: flash and files may be padded. Where `drive_hash` is given,
// the block must be that drive's.
[[nodiscard]] BlockRead read_block(etl::span<const std::byte> bytes,
                                   etl::optional<std::uint64_t> drive_hash = etl::nullopt);

// The header, after the model is made.
void seal(std::uint64_t drive_hash, Block& block);

}  // namespace taut::reduced_chain
