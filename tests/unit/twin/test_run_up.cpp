// A run-up through all that a tick is made of: channels, observer, chain, health. The same bits on
// every board.
#include "unity.h"

#include "tests/unit/twin/sensed_twin.h"

namespace {

using namespace taut;

twin_test::SensedTwin sensed;
crank_test::SensedCrank crank;

constexpr int kTicks = 8000;

// From rest to 76 rpm in 1.5 s, then with the sixth order, by sensors with every kind of error.
void start() {
  crank_test::start(crank,
                    {.speed_rad_s = 76 * crank_test::kTurn_rad / 60,
                     .run_up_s = 1.5,
                     .fade_in_s = 0.5,
                     .order = 6,
                     .order_amplitude_rad_s2 = 3},
                    {},
                    {.noise_rad_s2 = 0.1,
                     .bias_rad_s2 = 0.3,
                     .drift_rad_s3 = 0.01,
                     .quantum_rad_s2 = 0.02,
                     .delay_ticks = 4,
                     .place_rad = 0.5e-3});
  twin_test::start(sensed);
}

void advance() {
  crank_test::sense(crank);
  twin_test::tick(
      sensed, {crank.frame.crank_acceleration_rad_s2.value, crank.frame.edges, crank.frame.edge});
}

void test_bits_are_the_same_everywhere() {
  start();
  math::Hash64 hash;
  std::uint32_t synced_ticks = 0;
  for (int i = 0; i < kTicks; ++i) {
    advance();
    twin_test::add_to(hash, sensed.prediction, sensed.model.sprockets);
    synced_ticks += sensed.state.observer.sync == crank::Sync::kSynced ? 1 : 0;
  }
  // It was no run in which nothing happened.
  TEST_ASSERT_TRUE(synced_ticks > kTicks / 4);
  TEST_ASSERT_EQUAL_UINT32(signal::kNotSettled, sensed.prediction.health & ~signal::kTrustMask);
  TEST_ASSERT_FLOAT_WITHIN(0.1F, 7.96F, sensed.prediction.crank_speed_rad_s);
  TEST_ASSERT_TRUE(sensed.prediction.strand_mean_N[2] > 20e3F);
  constexpr std::uint64_t kBits = 0x842E4169001C7569;
  TEST_ASSERT_EQUAL_HEX64(kBits, hash.value());
  TEST_ASSERT_EQUAL_HEX64(0xF951867D360D3296,
                          reduced_chain::hash_of(sensed.model.chain, sensed.state.chain));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  if (!twin_test::make({.acceleration_delay_s = 4 * signal::kTick_s}, sensed)) {
    return 1;
  }
  RUN_TEST(test_bits_are_the_same_everywhere);
  return UNITY_END();
}
