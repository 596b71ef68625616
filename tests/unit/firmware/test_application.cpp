// The application as it should go: from a start to tracking, a tick late, with the same bits.
#include <cstring>
#include <new>

#include "unity.h"

#include "sim_core/math/hash.h"
#include "tests/unit/firmware/running_engine.h"

namespace {

using namespace taut;
using namespace taut::firmware_test;
using firmware::Mode;

alignas(Board) std::byte storage[sizeof(Board)];
Board* board = nullptr;

void make_board(const firmware::ApplicationSpec& spec) {
  board = new (storage) Board(spec, model);
  board->application.start(firmware::SelfTest::kPassed);
}

void expect_mode(Mode mode) {
  TEST_ASSERT_EQUAL_STRING(firmware::name_of(mode), firmware::name_of(board->application.mode()));
}

void test_from_a_start_to_tracking() {
  expect_mode(Mode::kSettle);
  advance(*board, firmware::kSettleTicks - 1);
  expect_mode(Mode::kSettle);
  advance(*board);
  expect_mode(Mode::kWaitForCrank);
  const firmware::Settling& settling = board->application.settling();
  TEST_ASSERT_TRUE(settling.residual > 0 && settling.residual < 0.04F);
  TEST_ASSERT_TRUE(settling.unrest > 0 && settling.unrest < 0.01F);
  Mode before = Mode::kWaitForCrank;
  std::uint32_t changes = 0;
  for (std::uint32_t i = 0; i < kUntilTracked; ++i) {
    advance(*board);
    if (board->application.mode() != before) {
      before = board->application.mode();
      TEST_ASSERT_TRUE(before == (changes == 0 ? Mode::kDegraded : Mode::kTrack));
      ++changes;
    }
  }
  TEST_ASSERT_EQUAL_UINT32(2, changes);
  expect_mode(Mode::kTrack);
  const firmware::Counters counters = board->application.counters();
  TEST_ASSERT_EQUAL_UINT32(kUntilTracked + firmware::kSettleTicks, counters.ticks);
  TEST_ASSERT_EQUAL_UINT32(counters.ticks, counters.borders);
  TEST_ASSERT_EQUAL_UINT32(0, counters.overruns + counters.skipped + counters.frames_lost);
  TEST_ASSERT_FALSE(board->watchdog.has_reset_board());
}

void test_outputs_leave_one_tick_later() {
  advance(*board, kUntilTracked);
  for (int i = 0; i < 10; ++i) {
    const signal::Prediction made = board->application.prediction();
    TEST_ASSERT_TRUE(board->sink.last.prediction.tick != made.tick);
    advance(*board);
    TEST_ASSERT_EQUAL_MEMORY(&made, &board->sink.last.prediction, sizeof(made));
    TEST_ASSERT_EQUAL_UINT32(made.tick + 1, board->application.prediction().tick);
    TEST_ASSERT_FLOAT_WITHIN(1e-4F, 4 + 16 * made.crank_speed_rad_s / 20,
                             board->sink.last.analog_mA[3]);
  }
}

void test_what_a_tick_took_is_told() {
  advance(*board, 3);
  TEST_ASSERT_EQUAL_UINT32(0, board->sink.last.tick_cost);
  board->source.on_stall = [] { board->clock.pass(123); };
  board->source.stalls = 1;
  advance(*board, 2);
  TEST_ASSERT_EQUAL_UINT32(123, board->sink.last.tick_cost);
  advance(*board, 1);
  TEST_ASSERT_EQUAL_UINT32(0, board->sink.last.tick_cost);
  TEST_ASSERT_EQUAL_UINT32(123, board->sink.last.worst_tick_cost);
}

void test_fail_values_until_the_crank_is_known() {
  for (std::uint32_t i = 0; !firmware::shows_predictions(board->application.mode()); ++i) {
    TEST_ASSERT_TRUE(i < kUntilTracked);
    advance(*board);
    TEST_ASSERT_TRUE(signal::trust_of(board->sink.last.prediction.health) ==
                     signal::Trust::kInvalid);
    TEST_ASSERT_EQUAL_FLOAT(firmware::kLiveZero_mA, board->sink.last.analog_mA[0]);
  }
  advance(*board, 2);
  TEST_ASSERT_TRUE(signal::trust_of(board->sink.last.prediction.health) ==
                   signal::Trust::kDegraded);
  TEST_ASSERT_TRUE(board->sink.last.analog_mA[0] > 4.5F);
}

// Of every prediction that left; every target has to reach them.
void test_the_same_bits() {
  math::Hash64 hash;
  for (int i = 0; i < 6000; ++i) {
    advance(*board);
    const signal::Prediction& sent = board->sink.last.prediction;
    hash.add(sent.tick);
    hash.add(sent.health);
    hash.add(sent.tagged_link_N);
    hash.add(sent.strand_middle_m[2]);
    hash.add(sent.tightener_acceleration_m_s2);
    hash.add(board->sink.last.analog_mA[0]);
  }
  constexpr std::uint64_t kBits = 0xCFC864C1D23F131AU;
  TEST_ASSERT_EQUAL_HEX64(kBits, hash.value());
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
  RUN_TEST(test_from_a_start_to_tracking);
  RUN_TEST(test_outputs_leave_one_tick_later);
  RUN_TEST(test_what_a_tick_took_is_told);
  RUN_TEST(test_fail_values_until_the_crank_is_known);
  RUN_TEST(test_the_same_bits);
  return UNITY_END();
}
