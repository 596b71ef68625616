// The word between the timer's interrupt and the tick, in every order that there is.
#include "unity.h"

#include "firmware/mode.h"
#include "firmware/tick_gate.h"

namespace {

using taut::firmware::Border;
using taut::firmware::TickGate;

void expect(Border expected, Border found) {
  TEST_ASSERT_EQUAL_UINT(static_cast<unsigned>(expected), static_cast<unsigned>(found));
}

void test_ticks_in_time() {
  TickGate gate;
  expect(Border::kNone, gate.pass_border_from_interrupt());
  TEST_ASSERT_TRUE(gate.is_running());
  for (int i = 0; i < 3; ++i) {
    TEST_ASSERT_TRUE(gate.end_tick());
    TEST_ASSERT_FALSE(gate.is_running());
    expect(Border::kResult, gate.pass_border_from_interrupt());
  }
}

void test_a_late_tick_counts_once_and_gives_nothing() {
  TickGate gate;
  expect(Border::kNone, gate.pass_border_from_interrupt());
  expect(Border::kOverrun, gate.pass_border_from_interrupt());
  expect(Border::kStalled, gate.pass_border_from_interrupt());
  expect(Border::kStalled, gate.pass_border_from_interrupt());
  TEST_ASSERT_TRUE(gate.is_running());
  TEST_ASSERT_FALSE(gate.end_tick());
  TEST_ASSERT_FALSE(gate.is_running());
  expect(Border::kNone, gate.pass_border_from_interrupt());
  TEST_ASSERT_TRUE(gate.end_tick());
  expect(Border::kResult, gate.pass_border_from_interrupt());
}

// Whatever happens, a fault stays, and only tracking and degraded show predictions.
void test_table_of_modes() {
  using namespace taut::firmware;
  for (std::size_t event = 0; event < kEvents; ++event) {
    TEST_ASSERT_TRUE(next(Mode::kFault, static_cast<Event>(event)) == Mode::kFault);
  }
  for (std::size_t mode = 0; mode < kModes; ++mode) {
    TEST_ASSERT_TRUE(next(static_cast<Mode>(mode), Event::kFailed) == Mode::kFault);
    TEST_ASSERT_FALSE(shows_predictions(next(static_cast<Mode>(mode), Event::kInvalid)));
  }
  for (const Mode running : {Mode::kWaitForCrank, Mode::kTrack, Mode::kDegraded}) {
    TEST_ASSERT_TRUE(next(running, Event::kValid) == Mode::kTrack);
    TEST_ASSERT_TRUE(next(running, Event::kDegraded) == Mode::kDegraded);
    TEST_ASSERT_TRUE(next(running, Event::kInvalid) == Mode::kWaitForCrank);
  }
  TEST_ASSERT_FALSE(shows_predictions(next(Mode::kSettle, Event::kValid)));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_ticks_in_time);
  RUN_TEST(test_a_late_tick_counts_once_and_gives_nothing);
  RUN_TEST(test_table_of_modes);
  return UNITY_END();
}
