// The MPS2 FPGA platform as QEMU emulates it: what AN386 and AN500 share.
// Addresses: Arm MPS2 application notes, table "memory map"; 25 MHz system clock.
// Never run on a real MPS2.
#pragma once

#include <cstdint>

#include "boards/cortex_m/cmsdk_uart.h"
#include "boards/cortex_m/instruction_counter.h"
#include "boards/cortex_m/registers.h"

namespace taut::board {

[[nodiscard]] cortex_m::CmsdkUart& console();

// Ends the emulator with this exit code (0 to 255).
[[noreturn]] void end(int exit_code);

// The cycle counter of the FPGA's system control, of 32 bits; its prescaler is 0 after a reset. In
// QEMU it follows the emulated time. See hal::Clock.
class Clock {
 public:
  [[nodiscard]] std::uint32_t now() const { return cortex_m::reg32(0x40028018); }
  [[nodiscard]] std::uint32_t counts_per_s() const { return 25'000'000; }
};

using InstructionCounter = cortex_m::InstructionCounter;

}  // namespace taut::board
