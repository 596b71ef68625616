// Ends an emulated board with an exit code by an Arm semihosting call.
// Source: Arm "Semihosting for AArch32 and AArch64", SYS_EXIT_EXTENDED.
// On real hardware without a debugger the BKPT escalates to a hard fault.
#pragma once

#include <array>
#include <cstdint>

namespace taut::cortex_m {

[[noreturn]] inline void semihosting_exit(int exit_code) {
  constexpr std::uint32_t kSysExitExtended = 0x20;
  constexpr std::uint32_t kApplicationExit = 0x20026;
  const std::array<std::uint32_t, 2> block = {kApplicationExit,
                                              static_cast<std::uint32_t>(exit_code)};
  register std::uint32_t operation asm("r0") = kSysExitExtended;
  register const std::uint32_t* argument asm("r1") = block.data();
  asm volatile("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
  for (;;) {
  }
}

}  // namespace taut::cortex_m
