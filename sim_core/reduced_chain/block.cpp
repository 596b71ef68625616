#include "sim_core/reduced_chain/block.h"

#include <etl/crc32.h>

#include "sim_core/reduced_chain/sealed.h"

namespace taut::reduced_chain {
namespace {

constexpr BlockKind kReduced = {kBlockMagic, kBlockVersion, sizeof(Block)};

// Sixteen words of table: read once at start-up, so that flash counts for more than speed.
std::uint32_t crc_of(const void* block, std::size_t size) {
  etl::crc32_t<16> crc;
  const auto* bytes = static_cast<const std::uint8_t*>(block);
  constexpr std::size_t kCrc = offsetof(BlockHeader, crc);
  crc.add(bytes, bytes + kCrc);
  crc.add(bytes + kCrc + sizeof(BlockHeader::crc), bytes + size);
  return crc.value();
}

// Of bytes whose alignment is right; by way of void, since a compiler cannot know.
template <typename Type>
const Type& at(etl::span<const std::byte> bytes) {
  return *static_cast<const Type*>(static_cast<const void*>(bytes.data()));
}

}  // namespace

BlockStatus check_sealed(const BlockKind& kind, etl::span<const std::byte> bytes,
                         const etl::optional<std::uint64_t>& drive_hash) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(BlockHeader) != 0) {
    return BlockStatus::kMisaligned;
  }
  if (bytes.size() < sizeof(BlockHeader)) {
    return BlockStatus::kTooShort;
  }
  const auto& header = at<BlockHeader>(bytes);
  if (header.magic != kind.magic) {
    return BlockStatus::kNoBlock;
  }
  if (header.version != kind.version) {
    return BlockStatus::kOtherVersion;
  }
  if (header.size != kind.size) {
    return BlockStatus::kOtherSize;
  }
  if (bytes.size() < kind.size) {
    return BlockStatus::kTooShort;
  }
  if (header.crc != crc_of(bytes.data(), kind.size)) {
    return BlockStatus::kDamaged;
  }
  return drive_hash.has_value() && *drive_hash != header.drive_hash ? BlockStatus::kOtherDrive
                                                                    : BlockStatus::kFits;
}

void seal(const BlockKind& kind, std::uint64_t drive_hash, BlockHeader& header) {
  header = {kind.magic, kind.version, kind.size, 0, drive_hash};
  header.crc = crc_of(&header, kind.size);
}

const char* reason(BlockStatus status) {
  switch (status) {
    case BlockStatus::kFits:
      return "fits";
    case BlockStatus::kMisaligned:
      return "begins at no multiple of 8 bytes; align it";
    case BlockStatus::kTooShort:
      return "is shorter than a block; write it again (taut reduce, taut flash)";
    case BlockStatus::kNoBlock:
      return "is no block; write one (taut reduce, taut flash)";
    case BlockStatus::kOtherVersion:
      return "has another format version than this program; reduce again (taut reduce, taut flash)";
    case BlockStatus::kOtherSize:
      return "has another size than this program's blocks; reduce again (taut reduce, taut flash)";
    case BlockStatus::kDamaged:
      return "is damaged, its checksum is wrong; write it again (taut reduce, taut flash)";
    case BlockStatus::kOtherDrive:
      return "was made for another drive; reduce this one (taut reduce, taut flash)";
  }
  return "has an unknown status";
}

BlockRead read_block(etl::span<const std::byte> bytes, etl::optional<std::uint64_t> drive_hash) {
  const BlockStatus status = check_sealed(kReduced, bytes, drive_hash);
  const bool fits = status == BlockStatus::kFits;
  return {status, fits ? &at<Block>(bytes).model : nullptr};
}

void seal(std::uint64_t drive_hash, Block& block) {
  seal(kReduced, drive_hash, block.header);
}

}  // namespace taut::reduced_chain
