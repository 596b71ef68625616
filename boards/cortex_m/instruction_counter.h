// Counts instructions on an emulated Cortex-M with SysTick.
// Under QEMU's `-icount shift=6` every instruction takes 64 ns of the board's
// clock and SysTick counts 40 ns periods of 25 MHz: instructions = ticks x 40/64,
// the same number in every run. Not a measure of time, and not for real hardware.
#pragma once

#include <cstdint>

#include <etl/string_view.h>

namespace taut::cortex_m {

class InstructionCounter {
 public:
  // `name` is for counters that file their counts by name (see linux_pc).
  void start(etl::string_view name);
  // Instructions since start(), its own cost included: take the difference to an
  // empty measurement. At most 10 million; more is a failed assertion.
  std::uint32_t stop();
};

}  // namespace taut::cortex_m
