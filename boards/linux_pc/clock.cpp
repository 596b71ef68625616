// Apart from board.cpp: a program with a console of its own needs the clock alone.
#include <ctime>

#include "board.h"

namespace taut {

std::uint32_t board::Clock::now() const {
  timespec time{};
  static_cast<void>(clock_gettime(CLOCK_MONOTONIC, &time));      // cannot fail with this clock
  const auto seconds = static_cast<std::uint32_t>(time.tv_sec);  // wraps, as the sum does
  return seconds * counts_per_s() + static_cast<std::uint32_t>(time.tv_nsec);
}

}  // namespace taut
