// Random bytes that anyone can foretell, and that can be made to run out.
#pragma once

#include <cstdint>

#include <etl/span.h>

#include "hal/entropy_source.h"

namespace taut::hal::fakes {

class FakeEntropySource {
 public:
  [[nodiscard]] bool fill(etl::span<std::uint8_t> into) {
    if (is_empty_) {
      return false;
    }
    for (std::uint8_t& byte : into) {
      state_ = state_ * 6364136223846793005U + 1442695040888963407U;
      byte = static_cast<std::uint8_t>(state_ >> 56U);
    }
    return true;
  }
  [[nodiscard]] bool is_secret() const { return false; }

  void run_out(bool is_empty = true) { is_empty_ = is_empty; }

 private:
  std::uint64_t state_ = 1;
  bool is_empty_ = false;
};
static_assert(EntropySource<FakeEntropySource>);

}  // namespace taut::hal::fakes
