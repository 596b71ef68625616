// The MPS2 FPGA platform as QEMU emulates it: what AN386 and AN500 share.
// Addresses: Arm MPS2 application notes, table "memory map"; 25 MHz system clock.
// Never run on a real MPS2.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/span.h>

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

// Peripherals that a main.cpp composes. Interrupts by their numbers: InterruptN_Handler.
inline constexpr std::uintptr_t kUart1 = 0x40005000;
inline constexpr std::uint32_t kUart1ReceiveInterrupt = 2;
inline constexpr std::uintptr_t kUart2 = 0x40006000;
inline constexpr std::uint32_t kUart2ReceiveInterrupt = 4;
inline constexpr std::uintptr_t kTimer0 = 0x40000000;
inline constexpr std::uint32_t kTimer0Interrupt = 8;
inline constexpr std::uintptr_t kWatchdog = 0x40008000;

// RAM that stands for flash: what a start finds there was left by the last run, or written by
// whoever started the emulator. See board_flash.h.
[[nodiscard]] etl::span<std::uint8_t> flash();

// True if the board was reset while it ran, which on this board only its watchdog does. To be asked
// once, at the start; says from then on that it runs, until mark_end().
[[nodiscard]] bool was_reset_while_running();
void mark_end();

}  // namespace taut::board
