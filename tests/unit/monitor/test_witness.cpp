// One measured quantity beside its prediction: a sensor that is late and agrees, from the first
// opinion on, and one that does not.
#include "unity.h"

#include "sim_core/math/constants.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/monitor/witness.h"

namespace {

using namespace taut;

constexpr std::uint32_t kLate_ticks = 8;
constexpr monitor::WitnessModel kModel = {true, kLate_ticks, 5e3F, 5e3F};

// Of a link: 120 kN and a swing of 30 kN at 8 Hz.
float force_N(std::uint32_t tick) {
  const auto time_s = static_cast<float>(tick) * static_cast<float>(signal::kTick_s);
  return 120e3F + 30e3F * math::sin(math::kTwoPi<float> * 8 * time_s);
}

// The first opinion, of a sensor that shows so much of the force as it was.
bool first_disagrees(std::uint32_t first_tick, float part) {
  monitor::WitnessState state{};
  for (std::uint32_t tick = first_tick; !monitor::has_opinion(state); ++tick) {
    const signal::Sample sample{part * force_N(tick - kLate_ticks), kLate_ticks, tick,
                                signal::Quality::kGood};
    monitor::watch(kModel, force_N(tick), true, sample, state);
  }
  return state.disagrees;
}

// What was measured before the first prediction is not compared with nothing.
void test_a_late_sensor_that_agrees() {
  for (std::uint32_t phase = 0; phase < 250; phase += 10) {
    TEST_ASSERT_FALSE(first_disagrees(1000 + phase, 1));
  }
}

void test_one_that_does_not() {
  TEST_ASSERT_TRUE(first_disagrees(1000, 0.4F));
  TEST_ASSERT_TRUE(first_disagrees(1000, 1.6F));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_late_sensor_that_agrees);
  RUN_TEST(test_one_that_does_not);
  return UNITY_END();
}
