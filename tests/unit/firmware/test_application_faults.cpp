// The application when something goes wrong: late ticks, lost sensors, a bad start.
#include <limits>
#include <new>

#include "unity.h"

#include "tests/unit/firmware/running_engine.h"

namespace {

using namespace taut;
using namespace taut::firmware_test;
using firmware::Mode;

alignas(Board) std::byte storage[sizeof(Board)];
Board* board = nullptr;

void make_board(const firmware::ApplicationSpec& spec,
                firmware::SelfTest model_check = firmware::SelfTest::kPassed) {
  board = new (storage) Board(spec, model);
  board->application.start(model_check);
}

void expect_mode(Mode mode) {
  TEST_ASSERT_EQUAL_STRING(firmware::name_of(mode), firmware::name_of(board->application.mode()));
}

bool shows_fail_values(std::uint32_t why) {
  const signal::OutputFrame& sent = board->sink.last;
  bool are_fail = signal::trust_of(sent.prediction.health) == signal::Trust::kInvalid &&
                  (sent.prediction.health & why) == why;
  for (const float current_mA : sent.analog_mA) {
    are_fail = are_fail && current_mA == firmware::kLiveZero_mA;
  }
  return are_fail;
}

// The timer's interrupt within a tick: it must write by itself.
std::uint32_t written_by_interrupt = 0;
void fire_timer() {
  const std::uint32_t before = board->sink.written;
  const float last_link_N = board->sink.last.prediction.tagged_link_N;
  board->clock.pass(500);
  TEST_ASSERT_FALSE(board->application.pass_border_from_interrupt());
  TEST_ASSERT_EQUAL_UINT32(before + 1, board->sink.written);
  TEST_ASSERT_TRUE(shows_fail_values(signal::kLateTick));
  TEST_ASSERT_EQUAL_FLOAT(last_link_N, board->sink.last.prediction.tagged_link_N);
  ++written_by_interrupt;
}

void test_so_many_stalls_are_so_many_overruns() {
  advance(*board, kUntilTracked);
  board->source.on_stall = fire_timer;
  written_by_interrupt = 0;
  std::uint32_t injected = 0;
  std::uint32_t borders = 0;
  std::uint32_t seed = 1;
  for (int i = 0; i < 3000; ++i) {
    seed = seed * 1664525U + 1013904223U;
    if (seed >> 28 == 0) {
      const std::uint32_t lasts = 1 + (seed >> 20 & 3U);  // borders
      ++injected;
      borders += lasts;
      board->source.stalls = lasts;
    }
    advance(*board);
  }
  TEST_ASSERT_TRUE(injected > 100);
  const firmware::Counters counters = board->application.counters();
  TEST_ASSERT_EQUAL_UINT32(injected, counters.overruns);
  TEST_ASSERT_EQUAL_UINT32(borders, counters.skipped);
  TEST_ASSERT_EQUAL_UINT32(borders, written_by_interrupt);
  TEST_ASSERT_EQUAL_UINT32(injected, board->sink.last.overruns);
  TEST_ASSERT_EQUAL_UINT32(counters.borders, counters.ticks + counters.skipped);
}

// Whole turns may be missing then; whoever finds the gauge again says so by calibration.
void test_a_place_that_was_lost_is_found_by_calibration() {
  constexpr std::uint32_t kUntilSynced = 5000;
  const auto is_lost = [] {
    return (board->application.prediction().health & signal::kPlaceLost) != 0;
  };
  advance(*board, kUntilSynced);
  TEST_ASSERT_FALSE(is_lost());
  board->source.has_edges = false;
  board->source.has_accelerometer = false;
  advance(*board, twin::kPlaceLostTicks + 2000);
  TEST_ASSERT_TRUE(is_lost());
  board->listener.places_gauge = true;
  advance(*board);
  TEST_ASSERT_FALSE(is_lost());
}

void test_a_late_result_does_not_leave() {
  advance(*board, kUntilTracked);
  board->source.on_stall = fire_timer;
  board->source.stalls = 1;
  advance(*board);
  const std::uint32_t late_tick = board->application.prediction().tick;
  advance(*board);  // nothing was made in time for this border
  TEST_ASSERT_TRUE(shows_fail_values(signal::kLateTick));
  TEST_ASSERT_TRUE(board->sink.last.prediction.tick != late_tick);
  advance(*board);
  TEST_ASSERT_EQUAL_UINT32(late_tick + 2, board->sink.last.prediction.tick);
  // Its frame does not follow the last one, and it says so.
  TEST_ASSERT_TRUE((board->sink.last.prediction.health & signal::kStaleFrame) != 0);
  TEST_ASSERT_FALSE(shows_fail_values(0));
  advance(*board, 100);
  expect_mode(Mode::kTrack);
}

void test_lost_sensors_lead_to_fail_values_in_100_ms_and_a_tick() {
  advance(*board, kUntilTracked);
  TEST_ASSERT_FALSE(shows_fail_values(0));
  board->source.has_edges = false;
  board->source.has_accelerometer = false;
  std::uint32_t ticks = 0;
  while (!shows_fail_values(0)) {
    advance(*board);
    ++ticks;
    TEST_ASSERT_TRUE(ticks <= 201);
  }
  // Not sooner either: sensors that miss a few ticks are bridged.
  TEST_ASSERT_TRUE(ticks > 100);
  advance(*board, 10);
  TEST_ASSERT_TRUE(shows_fail_values(signal::kSensorsLost));
  expect_mode(Mode::kWaitForCrank);
  board->source.has_edges = true;
  board->source.has_accelerometer = true;
  advance(*board, kUntilTracked);
  expect_mode(Mode::kTrack);
}

void test_rubbish_is_no_sensor() {
  advance(*board, kUntilTracked);
  board->source.has_edges = false;
  board->source.has_accelerometer = false;
  for (int i = 0; i < 201; ++i) {
    board->source.sensors.measure(&hal::RawReadings::crank_acceleration,
                                  std::numeric_limits<float>::quiet_NaN());
    advance(*board);
  }
  TEST_ASSERT_TRUE(shows_fail_values(0));
}

void test_without_the_accelerometer_it_goes_on_degraded() {
  advance(*board, kUntilTracked);
  board->source.has_accelerometer = false;
  advance(*board, 2000);
  expect_mode(Mode::kDegraded);
  TEST_ASSERT_FALSE(shows_fail_values(0));
}

void test_fail_values_are_parameters() {
  firmware::ApplicationSpec spec = usual_spec();
  spec.outputs.analog[0].fail_mA = 0;
  spec.outputs.analog[2].fail_mA = 22;
  spec.outputs.digital = firmware::DigitalFail::kZero;
  make_board(spec);
  advance(*board, kUntilTracked);
  TEST_ASSERT_TRUE(board->sink.last.prediction.tagged_link_N > 0);
  board->source.has_edges = false;
  board->source.has_accelerometer = false;
  advance(*board, 202);
  TEST_ASSERT_EQUAL_FLOAT(0, board->sink.last.analog_mA[0]);
  TEST_ASSERT_EQUAL_FLOAT(4, board->sink.last.analog_mA[1]);
  TEST_ASSERT_EQUAL_FLOAT(22, board->sink.last.analog_mA[2]);
  TEST_ASSERT_EQUAL_FLOAT(0, board->sink.last.prediction.tagged_link_N);
}

void test_a_failed_self_test_is_a_fault_for_good() {
  make_board(usual_spec(), firmware::SelfTest::kNoModel);
  expect_mode(Mode::kFault);
  advance(*board, 1000);
  expect_mode(Mode::kFault);
  TEST_ASSERT_TRUE(shows_fail_values(signal::kNotRunning));
  TEST_ASSERT_FALSE(board->watchdog.has_reset_board());
  firmware::ApplicationSpec spec = usual_spec();
  spec.outputs.analog[1].at_full_scale = spec.outputs.analog[1].at_live_zero;
  make_board(spec);
  TEST_ASSERT_TRUE(board->application.self_test() == firmware::SelfTest::kWrongOutputs);
  spec = usual_spec();
  spec.watchdog_ms = 0;
  make_board(spec);
  expect_mode(Mode::kFault);
}

void test_a_chain_that_is_not_at_rest_is_a_fault() {
  static twin::TwinModel<Chain> kept;
  kept = model;
  model.chain.rest.ahead_m[2] += 1e-3F;
  make_board(usual_spec());
  advance(*board, firmware::kSettleTicks);
  model = kept;
  expect_mode(Mode::kFault);
}

// Fed by the slow loop while ticks go on; not when they do not.
void test_a_tick_that_stands_still_is_a_reset() {
  advance(*board, 100);
  const auto pass = [] {
    for (int i = 0; i < 50; ++i) {
      board->application.serve();
      board->watchdog.pass_ms(10);
    }
  };
  for (int i = 0; i < 50; ++i) {
    advance(*board);
    board->watchdog.pass_ms(10);
  }
  TEST_ASSERT_FALSE(board->watchdog.has_reset_board());
  pass();
  TEST_ASSERT_TRUE(board->watchdog.has_reset_board());
  // In lock-step a quiet line is none.
  firmware::ApplicationSpec spec = usual_spec();
  spec.is_lock_step = true;
  make_board(spec);
  advance(*board, 100);
  pass();
  TEST_ASSERT_FALSE(board->watchdog.has_reset_board());
  TEST_ASSERT_TRUE(board->application.pass_border_from_interrupt());  // and never ends
  pass();
  TEST_ASSERT_TRUE(board->watchdog.has_reset_board());
}

}  // namespace

void setUp() {
  make_board(usual_spec());
}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  if (!make_model()) {
    return 1;
  }
  RUN_TEST(test_so_many_stalls_are_so_many_overruns);
  RUN_TEST(test_a_place_that_was_lost_is_found_by_calibration);
  RUN_TEST(test_a_late_result_does_not_leave);
  RUN_TEST(test_lost_sensors_lead_to_fail_values_in_100_ms_and_a_tick);
  RUN_TEST(test_rubbish_is_no_sensor);
  RUN_TEST(test_without_the_accelerometer_it_goes_on_degraded);
  RUN_TEST(test_fail_values_are_parameters);
  RUN_TEST(test_a_failed_self_test_is_a_fault_for_good);
  RUN_TEST(test_a_chain_that_is_not_at_rest_is_a_fault);
  RUN_TEST(test_a_tick_that_stands_still_is_a_reset);
  return UNITY_END();
}
