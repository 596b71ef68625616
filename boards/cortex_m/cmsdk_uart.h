// Console on the UART of Arm's Cortex-M System Design Kit, as found on MPS2.
// Source: Arm DDI 0479, APB UART. Transmit only, polled.
#pragma once

#include <etl/string_view.h>

#include "boards/cortex_m/registers.h"

namespace taut::cortex_m {

// write() blocks while the transmitter is full; see hal::Console.
class CmsdkUart {
 public:
  explicit CmsdkUart(std::uintptr_t base_address) : base_address_(base_address) {
    constexpr std::uint32_t kSmallestDivider = 16;
    reg32(base_address_ + kBaudDivider) = kSmallestDivider;
    reg32(base_address_ + kControl) = kTransmitEnable;
  }

  void write(etl::string_view text) {
    for (const char character : text) {
      while ((reg32(base_address_ + kState) & kTransmitFull) != 0) {
      }
      reg32(base_address_ + kData) = static_cast<unsigned char>(character);
    }
  }

 private:
  static constexpr std::uintptr_t kData = 0x00;
  static constexpr std::uintptr_t kState = 0x04;
  static constexpr std::uintptr_t kControl = 0x08;
  static constexpr std::uintptr_t kBaudDivider = 0x10;
  static constexpr std::uint32_t kTransmitFull = 1;
  static constexpr std::uint32_t kTransmitEnable = 1;

  std::uintptr_t base_address_;
};

}  // namespace taut::cortex_m
