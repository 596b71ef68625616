// A watchdog over a time that passes when it is told to; a reset is only noted.
#pragma once

#include <cstdint>

#include "hal/watchdog.h"

namespace taut::hal::fakes {

class FakeWatchdog {
 public:
  static constexpr std::uint32_t kLongest_ms = 8000;

  [[nodiscard]] bool start(std::uint32_t timeout_ms) {
    if (timeout_ms < 1 || timeout_ms > kLongest_ms) {
      return false;
    }
    timeout_ms_ = timeout_ms;
    feed();
    return true;
  }

  void feed() { unfed_ms_ = 0; }

  [[nodiscard]] bool has_reset_board() const { return has_reset_board_; }

  // A reset stops it, as it does a board's.
  void pass_ms(std::uint32_t time_ms) {
    unfed_ms_ += time_ms;
    if (timeout_ms_ > 0 && unfed_ms_ > timeout_ms_) {
      has_reset_board_ = true;
      timeout_ms_ = 0;
    }
  }

 private:
  std::uint32_t timeout_ms_ = 0;  // 0: not started
  std::uint32_t unfed_ms_ = 0;
  bool has_reset_board_ = false;
};
static_assert(Watchdog<FakeWatchdog>);

}  // namespace taut::hal::fakes
