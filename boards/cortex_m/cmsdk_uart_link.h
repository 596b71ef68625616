// A hal::ByteLink on the UART of Arm's Cortex-M System Design Kit, as found on MPS2.
// Source: Arm DDI 0479, APB UART. Received by interrupt into a queue, sent as the transmitter takes
// it: it holds one byte, so that on hardware write() takes one at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/atomic.h>
#include <etl/queue_spsc_atomic.h>
#include <etl/span.h>

#include "boards/cortex_m/registers.h"

namespace taut::cortex_m {

class CmsdkUartLink {
 public:
  // Whoever owns the interrupt of reception enables it, and calls receive_from_interrupt().
  explicit CmsdkUartLink(std::uintptr_t base_address) : base_address_(base_address) {
    constexpr std::uint32_t kSmallestDivider = 16;
    reg32(base_address_ + kBaudDivider) = kSmallestDivider;
    reg32(base_address_ + kControl) = kTransmitEnable | kReceiveEnable | kReceiveInterrupt;
  }

  [[nodiscard]] std::size_t read(etl::span<std::uint8_t> into) {
    std::size_t count = 0;
    while (count < into.size() && queue_.pop(into[count])) {
      ++count;
    }
    return count;
  }

  [[nodiscard]] std::size_t write(etl::span<const std::uint8_t> from) {
    std::size_t count = 0;
    while (count < from.size() && (reg32(base_address_ + kState) & kTransmitFull) == 0) {
      reg32(base_address_ + kData) = from[count];
      ++count;
    }
    return count;
  }

  [[nodiscard]] std::uint32_t bytes_lost() const { return lost_.load(); }
  [[nodiscard]] bool has_arrived() const { return !queue_.empty(); }

  // Of the interrupt of reception, and no other. Returns how many bytes came.
  std::size_t receive_from_interrupt() {
    std::size_t count = 0;
    reg32(base_address_ + kInterrupts) = kReceiveInterruptBit;
    while ((reg32(base_address_ + kState) & kReceiveFull) != 0) {
      const auto byte = static_cast<std::uint8_t>(reg32(base_address_ + kData));
      if (!queue_.push(byte)) {
        lost_.store(lost_.load() + 1);
      }
      ++count;
    }
    // What came while the last byte was not read yet: an unknown number, counted as one.
    if ((reg32(base_address_ + kState) & kReceiveOverrun) != 0) {
      reg32(base_address_ + kState) = kReceiveOverrun;
      lost_.store(lost_.load() + 1);
    }
    return count;
  }

 private:
  static constexpr std::uintptr_t kData = 0x00;
  static constexpr std::uintptr_t kState = 0x04;
  static constexpr std::uintptr_t kControl = 0x08;
  static constexpr std::uintptr_t kInterrupts = 0x0C;
  static constexpr std::uintptr_t kBaudDivider = 0x10;
  static constexpr std::uint32_t kTransmitFull = 1U << 0;
  static constexpr std::uint32_t kReceiveFull = 1U << 1;
  static constexpr std::uint32_t kReceiveOverrun = 1U << 3;
  static constexpr std::uint32_t kTransmitEnable = 1U << 0;
  static constexpr std::uint32_t kReceiveEnable = 1U << 1;
  static constexpr std::uint32_t kReceiveInterrupt = 1U << 3;
  static constexpr std::uint32_t kReceiveInterruptBit = 1U << 1;

  // Four of the longest XCP frames.
  static constexpr std::size_t kQueued = 1024;

  std::uintptr_t base_address_;
  etl::queue_spsc_atomic<std::uint8_t, kQueued, etl::memory_model::MEMORY_MODEL_MEDIUM> queue_;
  etl::atomic<std::uint32_t> lost_{0};  // written by the interrupt only
};

}  // namespace taut::cortex_m
