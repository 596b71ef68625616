#include "board.h"

#include "boards/cortex_m/exit_codes.h"
#include "boards/cortex_m/semihosting.h"
#include "hal/report.h"

namespace taut {

cortex_m::CmsdkUart& board::console() {
  static cortex_m::CmsdkUart uart(0x40004000);
  return uart;
}

void board::end(int exit_code) {
  cortex_m::semihosting_exit(exit_code);
}

void on_assert_failure(const AssertFailure& failure) {
  hal::report(board::console(), failure);
  board::end(cortex_m::kExitAssert);
}

}  // namespace taut
