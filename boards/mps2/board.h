// The MPS2 FPGA platform as QEMU emulates it: what AN386 and AN500 share.
// Addresses: Arm MPS2 application notes, table "memory map"; 25 MHz system clock.
// Never run on a real MPS2.
#pragma once

#include "boards/cortex_m/cmsdk_uart.h"
#include "boards/cortex_m/instruction_counter.h"

namespace taut::board {

[[nodiscard]] cortex_m::CmsdkUart& console();

// Ends the emulator with this exit code (0 to 255).
[[noreturn]] void end(int exit_code);

using InstructionCounter = cortex_m::InstructionCounter;

}  // namespace taut::board
