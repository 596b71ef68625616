// The flash of an MPS2 board, as its firmware finds it and as taut flash writes it: 16 MiB of RAM
// that QEMU keeps in a file of the host. Where the twin's block lies in it, and what is kept
// beside.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/optional.h>
#include <etl/span.h>

#include "boards/mps2/ram_flash.h"
#include "firmware/board_store.h"
#include "hal/store_region.h"

namespace taut::mps2 {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kFlashBytes = 16 * kKiB * kKiB;
inline constexpr std::size_t kBlocksBytes = 512 * kKiB;  // two copies of the block; then
inline constexpr std::size_t kKeptBytes = 16 * kKiB;     // two of what is kept

class BoardFlash {
 public:
  // Of kFlashBytes, from a multiple of 8 on.
  explicit BoardFlash(etl::span<std::uint8_t> memory) : memory_(memory), flash_(memory) {}
  BoardFlash(const BoardFlash&) = delete;
  BoardFlash& operator=(const BoardFlash&) = delete;

  [[nodiscard]] etl::optional<firmware::KeptParameters> load_kept() {
    return firmware::load_kept(kept_);
  }
  [[nodiscard]] hal::CopyStatus save_kept(const firmware::KeptParameters& kept) {
    return firmware::save_kept(kept_, kept);
  }
  [[nodiscard]] firmware::TwinBlockRead find_block(etl::optional<std::uint64_t> drive_hash) {
    return firmware::find_block(
        blocks_, {reinterpret_cast<const std::byte*>(memory_.data()), kBlocksBytes}, drive_hash);
  }
  [[nodiscard]] firmware::BlockSave save_block(const firmware::TwinBlock& block,
                                               etl::optional<std::uint64_t> drive_hash) {
    return firmware::save_block(blocks_, {reinterpret_cast<const std::byte*>(&block), sizeof block},
                                drive_hash);
  }

 private:
  using Region = hal::StoreRegion<RamFlash>;

  etl::span<std::uint8_t> memory_;
  RamFlash flash_;
  Region blocks_{flash_, 0, kBlocksBytes};
  Region kept_{flash_, kBlocksBytes, kKeptBytes};
};

}  // namespace taut::mps2
