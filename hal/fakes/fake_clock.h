// A clock that moves when it is told to.
#pragma once

#include <cstdint>

#include "hal/clock.h"

namespace taut::hal::fakes {

class FakeClock {
 public:
  FakeClock(std::uint32_t now, std::uint32_t counts_per_s)
      : now_(now), counts_per_s_(counts_per_s) {}

  [[nodiscard]] std::uint32_t now() const { return now_; }
  [[nodiscard]] std::uint32_t counts_per_s() const { return counts_per_s_; }

  void pass(std::uint32_t counts) { now_ += counts; }

 private:
  std::uint32_t now_;
  std::uint32_t counts_per_s_;
};
static_assert(Clock<FakeClock>);

}  // namespace taut::hal::fakes
