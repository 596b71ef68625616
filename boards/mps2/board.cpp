#include "board.h"

#include "boards/cortex_m/exit_codes.h"
#include "boards/cortex_m/semihosting.h"
#include "boards/mps2/board_flash.h"
#include "hal/report.h"

extern "C" std::uint8_t __flash_begin[];  // by the linker: CMakeLists.txt of each board

namespace taut {

cortex_m::CmsdkUart& board::console() {
  static cortex_m::CmsdkUart uart(0x40004000);
  return uart;
}

namespace {

constexpr std::uintptr_t kRunMark = 0x203FFFF8;  // above RAM: memory.ld
constexpr std::uint32_t kRuns = 0x52554E53U;     // "RUNS"

}  // namespace

etl::span<std::uint8_t> board::flash() {
  return {__flash_begin, mps2::kFlashBytes};
}

bool board::was_reset_while_running() {
  const bool was_running = cortex_m::reg32(kRunMark) == kRuns;
  cortex_m::reg32(kRunMark) = kRuns;
  return was_running;
}

void board::mark_end() {
  cortex_m::reg32(kRunMark) = 0;
}

void board::end(int exit_code) {
  cortex_m::semihosting_exit(exit_code);
}

void on_assert_failure(const AssertFailure& failure) {
  hal::report(board::console(), failure);
  board::end(cortex_m::kExitAssert);
}

}  // namespace taut
