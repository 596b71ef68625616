// The line to whoever stimulates an emulated board: UART 1; or, where the emulator was started with
// a path as its argument, the two pipes PATH.in and PATH.out of the host, which carry a frame with
// one call in place of one interrupt a byte: hundreds of times as fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <etl/array.h>
#include <etl/span.h>

#include "boards/cortex_m/cmsdk_uart_link.h"
#include "boards/cortex_m/semihosting.h"

namespace taut::mps2 {

// A hal::ByteLink in lock-step only: by pipes, read() waits, and the emulator with it.
class HostLink {
 public:
  explicit HostLink(std::uintptr_t uart) : uart_(uart) { open_pipes(); }

  [[nodiscard]] std::size_t read(etl::span<std::uint8_t> into) {
    if (!in_.is_open()) {
      return uart_.read(into);
    }
    const std::size_t count = in_.read(into);
    has_ended_ = count == 0;
    return count;
  }
  [[nodiscard]] std::size_t write(etl::span<const std::uint8_t> from) {
    return out_.is_open() ? out_.write(from) : uart_.write(from);
  }
  [[nodiscard]] std::uint32_t bytes_lost() const { return uart_.bytes_lost(); }

  // The host has closed its end. A UART has none.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  [[nodiscard]] bool waits_by_itself() const { return in_.is_open(); }
  [[nodiscard]] cortex_m::CmsdkUartLink& uart() { return uart_; }

 private:
  static constexpr std::size_t kLongestPath = 200;

  void open_pipes() {
    constexpr std::uint32_t kSysGetCommandLine = 0x15;
    etl::array<char, kLongestPath + 8> line{};
    std::uint32_t block[2] = {cortex_m::address_of(line.data()), kLongestPath};
    if (cortex_m::call_host(kSysGetCommandLine, block) != 0) {
      return;
    }
    // The image's own name, a blank, the path.
    const char* const blank = std::strchr(line.data(), ' ');
    if (blank == nullptr) {
      return;
    }
    etl::array<char, kLongestPath + 8> path{};
    std::strcpy(path.data(), blank + 1);
    const std::size_t length = std::strlen(path.data());
    std::strcpy(path.data() + length, ".in");
    const bool has_in = in_.open(path.data(), static_cast<std::uint32_t>(length + 3),
                                 cortex_m::HostFile::Mode::kRead);
    std::strcpy(path.data() + length, ".out");
    const bool has_out = has_in && out_.open(path.data(), static_cast<std::uint32_t>(length + 4),
                                             cortex_m::HostFile::Mode::kWrite);
    has_ended_ = has_in && !has_out;
  }

  cortex_m::CmsdkUartLink uart_;
  cortex_m::HostFile in_;
  cortex_m::HostFile out_;
  bool has_ended_ = false;
};

}  // namespace taut::mps2
