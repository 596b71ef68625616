#include "sim_core/reduced_chain/block.h"

#include <etl/crc32.h>

namespace taut::reduced_chain {
namespace {

// Sixteen words of table: read once at start-up, so that flash counts for more than speed.
std::uint32_t crc_of(const Block& block) {
  etl::crc32_t<16> crc;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&block);
  constexpr std::size_t kCrc = offsetof(BlockHeader, crc);
  crc.add(bytes, bytes + kCrc);
  crc.add(bytes + kCrc + sizeof(BlockHeader::crc), bytes + sizeof(Block));
  return crc.value();
}

// Of bytes whose alignment is right; by way of void, since a compiler cannot know.
const Block& block_at(etl::span<const std::byte> bytes) {
  return *static_cast<const Block*>(static_cast<const void*>(bytes.data()));
}

// Looks no further than the bytes reach.
BlockStatus status_of(etl::span<const std::byte> bytes,
                      const etl::optional<std::uint64_t>& drive_hash) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Block) != 0) {
    return BlockStatus::kMisaligned;
  }
  if (bytes.size() < sizeof(BlockHeader)) {
    return BlockStatus::kTooShort;
  }
  const BlockHeader& header = block_at(bytes).header;
  if (header.magic != kBlockMagic) {
    return BlockStatus::kNoBlock;
  }
  if (header.version != kBlockVersion) {
    return BlockStatus::kOtherVersion;
  }
  if (header.size != sizeof(Block)) {
    return BlockStatus::kOtherSize;
  }
  if (bytes.size() < sizeof(Block)) {
    return BlockStatus::kTooShort;
  }
  if (header.crc != crc_of(block_at(bytes))) {
    return BlockStatus::kDamaged;
  }
  return drive_hash.has_value() && *drive_hash != header.drive_hash ? BlockStatus::kOtherDrive
                                                                    : BlockStatus::kFits;
}

}  // namespace

const char* reason(BlockStatus status) {
  switch (status) {
    case BlockStatus::kFits:
      return "fits";
    case BlockStatus::kMisaligned:
      return "begins at no multiple of 8 bytes; align it";
    case BlockStatus::kTooShort:
      return "is shorter than a block; write it again (taut reduce)";
    case BlockStatus::kNoBlock:
      return "is no block of a reduced chain; write one (taut reduce)";
    case BlockStatus::kOtherVersion:
      return "has another format version than this program; reduce again (taut reduce)";
    case BlockStatus::kOtherSize:
      return "has another size than this program's blocks; reduce again (taut reduce)";
    case BlockStatus::kDamaged:
      return "is damaged, its checksum is wrong; write it again (taut reduce)";
    case BlockStatus::kOtherDrive:
      return "was made for another drive; reduce this one (taut reduce)";
  }
  return "has an unknown status";
}

BlockRead read_block(etl::span<const std::byte> bytes, etl::optional<std::uint64_t> drive_hash) {
  const BlockStatus status = status_of(bytes, drive_hash);
  const bool fits = status == BlockStatus::kFits;
  return {status, fits ? &block_at(bytes).model : nullptr};
}

void seal(std::uint64_t drive_hash, Block& block) {
  block.header = {kBlockMagic, kBlockVersion, sizeof(Block), 0, drive_hash};
  block.header.crc = crc_of(block);
}

}  // namespace taut::reduced_chain
