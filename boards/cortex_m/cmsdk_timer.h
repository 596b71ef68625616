// The tick's timer: the APB timer of Arm's Cortex-M System Design Kit (Arm DDI 0479).
#pragma once

#include <cstdint>

#include "boards/cortex_m/registers.h"
#include "sim_core/assert.h"

namespace taut::cortex_m {

class CmsdkTimer {
 public:
  explicit CmsdkTimer(std::uintptr_t base_address) : base_address_(base_address) {}

  // From now on an interrupt every so many counts of the system clock.
  void start(std::uint32_t counts) {
    TAUT_ASSERT(counts > 0, counts);
    reg32(base_address_ + kValue) = counts - 1;
    reg32(base_address_ + kReload) = counts - 1;
    reg32(base_address_ + kControl) = kEnable | kInterruptEnable;
  }

  // By its interrupt, first of all.
  void clear_from_interrupt() { reg32(base_address_ + kInterrupt) = 1; }

 private:
  static constexpr std::uintptr_t kControl = 0x00;
  static constexpr std::uintptr_t kValue = 0x04;
  static constexpr std::uintptr_t kReload = 0x08;
  static constexpr std::uintptr_t kInterrupt = 0x0C;
  static constexpr std::uint32_t kEnable = 1U << 0;
  static constexpr std::uint32_t kInterruptEnable = 1U << 3;

  std::uintptr_t base_address_;
};

}  // namespace taut::cortex_m
