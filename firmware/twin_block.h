// All that makes a board the twin of one drive, as a block of bytes: chain, observer, channels and
// calibration, sealed with a CRC and the drive's hash. Made on the host, used in place: a board
// keeps it in flash and takes it whole or not at all.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/optional.h>
#include <etl/span.h>

#include "hal/channels.h"
#include "sim_core/reduced_chain/block.h"
#include "sim_core/twin/chains.h"
#include "sim_core/twin/twin.h"

namespace taut::firmware {

inline constexpr std::uint32_t kTwinBlockMagic = 0x4E495754U;  // "TWIN" in a file
// Raised whenever a member means something else; sizes speak for themselves.
inline constexpr std::uint32_t kTwinBlockVersion = 1;

struct TwinBlock {
  reduced_chain::BlockHeader header;
  twin::TwinModel<twin::ReducedChain> model;
  hal::ChannelModels channels;
  twin::Calibration calibration;
  std::uint32_t padding;
};
static_assert(std::endian::native == std::endian::little);
static_assert(std::is_trivially_copyable_v<TwinBlock> && std::is_standard_layout_v<TwinBlock>);
static_assert(sizeof(TwinBlock) % alignof(reduced_chain::BlockHeader) == 0);

struct TwinBlockRead {
  reduced_chain::BlockStatus status;
  const TwinBlock* block;  // inside the bytes; null unless it fits
};

// Bytes beyond the block do not count. Where `drive_hash` is given, it must be that drive's.
[[nodiscard]] TwinBlockRead read_twin_block(etl::span<const std::byte> bytes,
                                            etl::optional<std::uint64_t> drive_hash = etl::nullopt);

// The header, after all else is in place.
void seal(std::uint64_t drive_hash, TwinBlock& block);

}  // namespace taut::firmware
