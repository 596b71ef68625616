// Interrupts of peripherals: enabling, priorities, waiting.
// Source: Armv7-M Architecture Reference Manual, B3.4 (nested vectored interrupt controller).
#pragma once

#include <cstdint>

#include "boards/cortex_m/registers.h"

namespace taut::cortex_m {

inline void enable_interrupt(std::uint32_t number) {
  constexpr std::uintptr_t kSetEnable = 0xE000E100;
  reg32(kSetEnable + 4 * (number / 32)) = 1U << number % 32;
}

// Until an interrupt comes. One that came since the caller looked ends it at once only if it is
// still pending: look with interrupts off.
inline void wait_for_interrupt() {
  asm volatile("wfi" ::: "memory");
}

// No interrupt while it lives; those that come meanwhile wait, and still end wait_for_interrupt().
class InterruptsOff {
 public:
  InterruptsOff() { asm volatile("cpsid i" ::: "memory"); }
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;
  ~InterruptsOff() { asm volatile("cpsie i" ::: "memory"); }
};

}  // namespace taut::cortex_m
