// The application by a board's own timer, whose interrupt really interrupts: stalls that last past
// the border of ticks are as many overruns. Under a fixed time per instruction.
#include <new>

#include "unity.h"

#include "board.h"
#include "boards/cortex_m/cmsdk_timer.h"
#include "boards/cortex_m/nvic.h"
#include "tests/unit/firmware/running_engine.h"

namespace {

using namespace taut;
using namespace taut::firmware_test;

// Instructions take 64 ns here, as on no real board: a tick of 4 ms leaves room for the twin.
constexpr std::uint32_t kTick_counts = 100'000;

alignas(Board) std::byte storage[sizeof(Board)];
Board* engine = nullptr;
cortex_m::CmsdkTimer timer(board::kTimer0);
volatile bool is_due = false;

void run_ticks(std::uint32_t ticks) {
  for (std::uint32_t i = 0; i < ticks; ++i) {
    while (!is_due) {
      cortex_m::wait_for_interrupt();
    }
    is_due = false;
    engine->application.run_tick();
    engine->application.serve();
    engine->source.turn();
  }
}

// Until the timer has fired within the tick.
void stall() {
  const std::uint32_t before = engine->application.counters().borders;
  while (engine->application.counters().borders == before) {
  }
}

void test_stalls_past_a_border_are_overruns() {
  run_ticks(400);
  TEST_ASSERT_EQUAL_UINT32(0, engine->application.counters().overruns);
  engine->source.on_stall = stall;
  constexpr std::uint32_t kStalls = 37;
  for (std::uint32_t i = 0; i < kStalls; ++i) {
    engine->source.stalls = 1 + i % 3;
    run_ticks(1 + i % 4);
  }
  run_ticks(10);
  const firmware::Counters counters = engine->application.counters();
  TEST_ASSERT_EQUAL_UINT32(kStalls, counters.overruns);
  TEST_ASSERT_EQUAL_UINT32(kStalls * 2, counters.skipped + 1);  // 1, 2, 3, and 1 at the end
  TEST_ASSERT_EQUAL_UINT32(counters.borders, counters.ticks + counters.skipped);
  TEST_ASSERT_EQUAL_UINT32(counters.borders, engine->sink.written);
}

}  // namespace

extern "C" void Interrupt8_Handler() noexcept {
  timer.clear_from_interrupt();
  is_due = engine->application.pass_border_from_interrupt() || is_due;
}

int main() {
  UNITY_BEGIN();
  if (!make_model()) {
    return 1;
  }
  engine = new (storage) Board(usual_spec(), model);
  engine->application.start(firmware::SelfTest::kPassed);
  cortex_m::enable_interrupt(board::kTimer0Interrupt);
  timer.start(kTick_counts);
  RUN_TEST(test_stalls_past_a_border_are_overruns);
  return UNITY_END();
}
