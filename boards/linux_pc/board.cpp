#include "board.h"

#include <cstdio>
#include <ctime>

namespace taut {

void board::Terminal::write(etl::string_view text) {
  // A full pipe or a closed terminal is not this program's to mend.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout));
}

board::Terminal& board::console() {
  static Terminal terminal;
  return terminal;
}

std::uint32_t board::Clock::now() const {
  timespec time{};
  static_cast<void>(clock_gettime(CLOCK_MONOTONIC, &time));      // cannot fail with this clock
  const auto seconds = static_cast<std::uint32_t>(time.tv_sec);  // wraps, as the sum does
  return seconds * counts_per_s() + static_cast<std::uint32_t>(time.tv_nsec);
}

}  // namespace taut
