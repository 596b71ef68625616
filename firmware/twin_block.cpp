#include "firmware/twin_block.h"

#include "sim_core/reduced_chain/sealed.h"

namespace taut::firmware {
namespace {

constexpr reduced_chain::BlockKind kTwin = {kTwinBlockMagic, kTwinBlockVersion, sizeof(TwinBlock)};
static_assert(offsetof(TwinBlock, header) == 0);

}  // namespace

TwinBlockRead read_twin_block(etl::span<const std::byte> bytes,
                              etl::optional<std::uint64_t> drive_hash) {
  const reduced_chain::BlockStatus status = reduced_chain::check_sealed(kTwin, bytes, drive_hash);
  const bool fits = status == reduced_chain::BlockStatus::kFits;
  const void* const block = bytes.data();
  return {status, fits ? static_cast<const TwinBlock*>(block) : nullptr};
}

void seal(std::uint64_t drive_hash, TwinBlock& block) {
  reduced_chain::seal(kTwin, drive_hash, block.header);
}

}  // namespace taut::firmware
