// Random bytes of the kernel's generator; see hal::EntropySource. Says "not now" only while the
// machine starts.
#pragma once

#include <cstdint>
#include <sys/random.h>

#include <etl/span.h>

#include "hal/entropy_source.h"

namespace taut::board {

class KernelEntropy {
 public:
  // Up to 256 bytes at a time the kernel gives all or none.
  [[nodiscard]] bool fill(etl::span<std::uint8_t> into) {
    for (std::size_t done = 0; done < into.size();) {
      const std::size_t left = into.size() - done;
      const std::size_t bytes = left < kAtOnce ? left : kAtOnce;
      if (getrandom(into.data() + done, bytes, GRND_NONBLOCK) != static_cast<ssize_t>(bytes)) {
        return false;
      }
      done += bytes;
    }
    return true;
  }
  [[nodiscard]] bool is_secret() const { return true; }

 private:
  static constexpr std::size_t kAtOnce = 256;
};
static_assert(hal::EntropySource<KernelEntropy>);

}  // namespace taut::board
