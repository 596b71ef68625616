// Measurements beside predictions: when there is an opinion, and how long doubt lasts.
#include "unity.h"

#include "sim_core/twin/comparison.h"

namespace {

using namespace taut;

monitor::MonitorModel model;
twin::ComparisonState state;
int tick_count;

// The tightener's place swings at 8 Hz by 1 mm, measured this many times as large.
std::uint32_t compare(float gain, bool is_comparable = true) {
  constexpr int kHalfPeriod_ticks = 125;
  const float place_m = tick_count++ / kHalfPeriod_ticks % 2 == 0 ? 1e-3F : -1e-3F;
  signal::SensorFrame frame{};
  frame.tightener_position_m = {gain * place_m, 0, 0, signal::Quality::kGood};
  signal::Prediction prediction{};
  prediction.tightener_position_m = place_m;
  return twin::compare(model, frame, prediction, is_comparable, false, state);
}

std::uint32_t compare_for(std::uint32_t ticks, float gain) {
  std::uint32_t health = 0;
  for (std::uint32_t i = 0; i < ticks; ++i) {
    health = compare(gain);
  }
  return health;
}

void test_agreement_is_no_reason() {
  TEST_ASSERT_EQUAL_UINT32(0, compare_for(5000, 1));
}

void test_there_is_an_opinion_after_the_hearing() {
  TEST_ASSERT_TRUE((compare_for(twin::kHearingTicks, 3) & signal::kModelDisagrees) != 0);
}

// Not by a moment of agreement, nor by a tick in which nothing can be compared.
void test_doubt_stays_for_its_time() {
  compare_for(twin::kHearingTicks, 3);
  std::uint32_t last = 0;  // tick in which it was found to disagree
  for (std::uint32_t i = 0; i < 4000; ++i) {
    compare(1);
    last = monitor::verdict(state.monitor) != 0 ? i : last;
  }
  TEST_ASSERT_TRUE(last < 3999);
  TEST_ASSERT_EQUAL_UINT32(signal::kModelDisagrees, compare(1, false));
  const std::uint32_t left = twin::kDoubtTicks - (4000 - last);
  TEST_ASSERT_EQUAL_UINT32(signal::kModelDisagrees, compare_for(left - 1, 1));
  TEST_ASSERT_EQUAL_UINT32(0, compare_for(2, 1));
}

}  // namespace

void setUp() {
  model = {};
  model.tightener_position = {true, 0, 0.3e-3F, 0.1e-3F};
  state = {};
  tick_count = 0;
}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_agreement_is_no_reason);
  RUN_TEST(test_there_is_an_opinion_after_the_hearing);
  RUN_TEST(test_doubt_stays_for_its_time);
  return UNITY_END();
}
