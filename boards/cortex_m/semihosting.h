// What an emulated board asks of its host by Arm semihosting calls: an end with an exit code, and
// bytes of a file. Source: Arm "Semihosting for AArch32 and AArch64".
// On real hardware without a debugger the BKPT escalates to a hard fault.
#pragma once

#include <array>
#include <cstdint>

#include <etl/span.h>

namespace taut::cortex_m {

inline std::uint32_t call_host(std::uint32_t operation, const std::uint32_t* block) {
  register std::uint32_t result asm("r0") = operation;
  register const std::uint32_t* argument asm("r1") = block;
  asm volatile("bkpt 0xAB" : "+r"(result) : "r"(argument) : "memory");
  return result;
}

[[noreturn]] inline void semihosting_exit(int exit_code) {
  constexpr std::uint32_t kSysExitExtended = 0x20;
  constexpr std::uint32_t kApplicationExit = 0x20026;
  const std::array<std::uint32_t, 2> block = {kApplicationExit,
                                              static_cast<std::uint32_t>(exit_code)};
  call_host(kSysExitExtended, block.data());
  for (;;) {
  }
}

// Random bytes of the host. Whoever can look into the emulator knows them too: not secret.
class HostEntropy {
 public:
  [[nodiscard]] bool fill(etl::span<std::uint8_t> into) {
    constexpr std::uint32_t kSysOpen = 0x01;
    constexpr std::uint32_t kSysClose = 0x02;
    constexpr std::uint32_t kSysRead = 0x06;
    constexpr std::uint32_t kBinary = 1;
    constexpr std::uint32_t kFailed = 0xFFFFFFFFU;
    static constexpr char kPath[] = "/dev/urandom";
    const std::array<std::uint32_t, 3> open = {
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&kPath[0])), kBinary,
        sizeof(kPath) - 1};
    const std::uint32_t file = call_host(kSysOpen, open.data());
    if (file == kFailed) {
      return false;
    }
    const std::array<std::uint32_t, 3> read = {
        file, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(into.data())),
        static_cast<std::uint32_t>(into.size())};
    const std::uint32_t missing = call_host(kSysRead, read.data());
    call_host(kSysClose, &file);
    return missing == 0;
  }
  [[nodiscard]] bool is_secret() const { return false; }
};

}  // namespace taut::cortex_m
