#include "board.h"

#include <cstdio>
#include <cstdlib>

#include "hal/report.h"

namespace taut {

void board::Terminal::write(etl::string_view text) {
  // A full pipe or a closed terminal is not this program's to mend.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout));
}

board::Terminal& board::console() {
  static Terminal terminal;
  return terminal;
}

void on_assert_failure(const AssertFailure& failure) {
  hal::report(board::console(), failure);
  static_cast<void>(std::fflush(stdout));
  std::abort();
}

}  // namespace taut
