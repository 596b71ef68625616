// The watchdog of Arm's Cortex-M System Design Kit, a hal::Watchdog.
// Source: Arm DDI 0479, APB watchdog. It counts down twice: the first time it raises an interrupt
// (on MPS2 the NMI, which has to return or wait), the second time it resets.
#pragma once

#include <cstdint>

#include "boards/cortex_m/registers.h"

namespace taut::cortex_m {

class CmsdkWatchdog {
 public:
  // `has_reset_board`: what the board's reset information said at the start.
  CmsdkWatchdog(std::uintptr_t base_address, std::uint32_t counts_per_s, bool has_reset_board)
      : base_address_(base_address),
        counts_per_ms_(counts_per_s / 1000),
        has_reset_board_(has_reset_board) {}

  [[nodiscard]] bool start(std::uint32_t timeout_ms) {
    if (timeout_ms < 1 || timeout_ms > kMostCounts / counts_per_ms_) {
      return false;
    }
    // Two of these: at 1.25 times the time-out, which is itself still in time.
    const std::uint32_t counts = timeout_ms * counts_per_ms_;
    reg32(base_address_ + kLock) = kUnlock;
    reg32(base_address_ + kLoad) = counts / 2 + counts / 8;
    reg32(base_address_ + kControl) = kCountAndInterrupt | kReset;
    reg32(base_address_ + kLock) = 0;
    return true;
  }

  // Clears the interrupt and begins anew with the first period. Nobody who interrupts another
  // feeder may feed: between the two writes of the lock.
  void feed() {
    reg32(base_address_ + kLock) = kUnlock;
    reg32(base_address_ + kClear) = 1;
    reg32(base_address_ + kLock) = 0;
  }

  [[nodiscard]] bool has_reset_board() const { return has_reset_board_; }

 private:
  static constexpr std::uintptr_t kLoad = 0x00;
  static constexpr std::uintptr_t kControl = 0x08;
  static constexpr std::uintptr_t kClear = 0x0C;
  static constexpr std::uintptr_t kLock = 0xC00;
  static constexpr std::uint32_t kUnlock = 0x1ACCE551;
  static constexpr std::uint32_t kCountAndInterrupt = 1U << 0;
  static constexpr std::uint32_t kReset = 1U << 1;
  static constexpr std::uint32_t kMostCounts = 0xFFFFFFFFU;

  std::uintptr_t base_address_;
  std::uint32_t counts_per_ms_;
  bool has_reset_board_;
};

}  // namespace taut::cortex_m
