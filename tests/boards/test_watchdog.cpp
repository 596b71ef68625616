// The watchdog's driver, by a reset: the image starts, is reset, and knows it when it starts again.
// Under a fixed time per instruction, so that no load of the host makes it late.
#include "unity.h"

#include "board.h"
#include "boards/cortex_m/cmsdk_watchdog.h"
#include "hal/watchdog.h"

namespace {

using namespace taut;
static_assert(hal::Watchdog<cortex_m::CmsdkWatchdog>);

constexpr std::uint32_t kTimeout_ms = 20;
constexpr std::uint32_t kCounts_per_ms = 25'000;

void pass(std::uint32_t counts) {
  const board::Clock clock;
  const std::uint32_t begin = clock.now();
  while (clock.now() - begin < counts) {
  }
}

bool was_reset = false;
volatile bool was_warned = false;

void test_it_knows_that_it_reset_the_board() {
  const cortex_m::CmsdkWatchdog watchdog(board::kWatchdog, 25'000'000, was_reset);
  TEST_ASSERT_TRUE(watchdog.has_reset_board());
}

void test_it_refuses_what_it_cannot_do() {
  cortex_m::CmsdkWatchdog watchdog(board::kWatchdog, 25'000'000, false);
  TEST_ASSERT_FALSE(watchdog.start(0));
  TEST_ASSERT_FALSE(watchdog.start(0xFFFFFFFFU));
  pass(10 * kTimeout_ms * kCounts_per_ms);
  TEST_ASSERT_FALSE(was_warned);
}

void test_fed_in_time_it_is_quiet() {
  cortex_m::CmsdkWatchdog watchdog(board::kWatchdog, 25'000'000, false);
  TEST_ASSERT_TRUE(watchdog.start(kTimeout_ms));
  for (int i = 0; i < 5; ++i) {
    pass(kTimeout_ms * kCounts_per_ms * 9 / 10);
    watchdog.feed();
  }
}

}  // namespace

// Its warning; the reset follows.
extern "C" void NMI_Handler() noexcept {
  was_warned = true;
}

int main() {
  UNITY_BEGIN();
  was_reset = board::was_reset_while_running();
  if (!was_reset) {
    RUN_TEST(test_it_refuses_what_it_cannot_do);
    RUN_TEST(test_fed_in_time_it_is_quiet);
    if (Unity.TestFailures > 0) {
      return UNITY_END();
    }
    pass(2 * kTimeout_ms * kCounts_per_ms);  // not fed: this does not return
    TEST_ASSERT_MESSAGE(false, "no reset came");
  }
  board::mark_end();
  RUN_TEST(test_it_knows_that_it_reset_the_board);
  return UNITY_END();
}
