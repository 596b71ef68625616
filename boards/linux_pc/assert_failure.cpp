// By itself, so that a program may have another.
#include <cstdio>
#include <cstdlib>

#include "board.h"
#include "hal/report.h"

void taut::on_assert_failure(const AssertFailure& failure) {
  hal::report(board::console(), failure);
  static_cast<void>(std::fflush(stdout));
  std::abort();
}
