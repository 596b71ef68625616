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

inline std::uint32_t address_of(const void* pointer) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

// A file of the host. What waits for data there makes the whole emulator wait.
class HostFile {
 public:
  enum class Mode : std::uint32_t { kRead = 1, kWrite = 5 };

  [[nodiscard]] bool open(const char* path, std::uint32_t length, Mode mode) {
    constexpr std::uint32_t kSysOpen = 0x01;
    const std::array<std::uint32_t, 3> block = {address_of(path), static_cast<std::uint32_t>(mode),
                                                length};
    handle_ = call_host(kSysOpen, block.data());
    return is_open();
  }
  [[nodiscard]] bool is_open() const { return handle_ != kNone; }
  // How many bytes there were; 0 at the end. Waits until there are some.
  [[nodiscard]] std::uint32_t read(etl::span<std::uint8_t> into) const {
    constexpr std::uint32_t kSysRead = 0x06;
    return done(kSysRead, into.data(), static_cast<std::uint32_t>(into.size()));
  }
  [[nodiscard]] std::uint32_t write(etl::span<const std::uint8_t> from) const {
    constexpr std::uint32_t kSysWrite = 0x05;
    return done(kSysWrite, from.data(), static_cast<std::uint32_t>(from.size()));
  }
  void close() {
    constexpr std::uint32_t kSysClose = 0x02;
    call_host(kSysClose, &handle_);
    handle_ = kNone;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  // Both calls return how many bytes were not dealt with.
  [[nodiscard]] std::uint32_t done(std::uint32_t operation, const void* bytes,
                                   std::uint32_t size) const {
    const std::array<std::uint32_t, 3> block = {handle_, address_of(bytes), size};
    const std::uint32_t left = call_host(operation, block.data());
    return left <= size ? size - left : 0;
  }

  std::uint32_t handle_ = kNone;
};

// Random bytes of the host. Whoever can look into the emulator knows them too: not secret.
class HostEntropy {
 public:
  [[nodiscard]] bool fill(etl::span<std::uint8_t> into) {
    static constexpr char kPath[] = "/dev/urandom";
    HostFile file;
    if (!file.open(&kPath[0], sizeof(kPath) - 1, HostFile::Mode::kRead)) {
      return false;
    }
    const bool is_full = file.read(into) == into.size();
    file.close();
    return is_full;
  }
  [[nodiscard]] bool is_secret() const { return false; }
};

}  // namespace taut::cortex_m
