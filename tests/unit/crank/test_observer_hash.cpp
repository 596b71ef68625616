// The crank observer's bits: the same wherever counters begin, when replayed, from rubbish, and
// with every compiler and on every board.
#include <cstdint>

#include "unity.h"

#include "sim_core/math/hash.h"
#include "tests/unit/crank/observer_cases.h"

namespace {

using namespace taut;
using namespace taut::crank_test;

void add_to(math::Hash64& hash, const crank::ObserverState& state) {
  hash.add(state.angle);
  hash.add(state.motion.angle_rad);
  hash.add(state.motion.speed_rad_s);
  hash.add(state.motion.acceleration_rad_s2);
  hash.add(state.bias_rad_s2);
  hash.add(static_cast<std::uint32_t>(state.sync));
  hash.add(state.counts.losses);
  hash.add(state.counts.missed_edges);
  hash.add(state.counts.stray_edges);
}

std::uint64_t hash_of_run(double time_s) {
  math::Hash64 hash;
  for (int i = 0; i < static_cast<int>(time_s / kTick_s); ++i) {
    run(sensed, kTick_s);
    add_to(hash, sensed.observer);
  }
  return hash.value();
}

// Ticks, moments and numbers of samples all pass their ends; nothing is to be seen of it.
void test_counters_wrap() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  const std::uint64_t hash = hash_of_run(6);
  start(sensed, swinging(76), usual_observer(), kUsual);
  sensed.frame.tick = 0xffff'ffffU - 6'000;
  sensed.frame.crank_acceleration_rad_s2.sequence = 0xffff'ffffU - 6'000;
  TEST_ASSERT_EQUAL_HEX64(hash, hash_of_run(6));
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.stale_frames);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.losses);
  check_sync(Sync::kSynced);
  sensed.observer.counts = {0xffff'ffffU, 0xffff'ffffU, 0xffff'ffffU, 0xffff'ffffU, 0xffff'ffffU};
  run(sensed, 1, [](SensorFrame& frame) {
    frame.edges = 0;
    no_number(frame);
  });
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.losses);
  TEST_ASSERT_EQUAL_UINT32(1'999, sensed.observer.counts.bad_accelerations);
}

// Random bits, all of them: numbers that leave stay finite and within their ranges.
void test_rubbish_in_no_rubbish_out() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  settle();
  std::uint32_t seed = 1;
  const auto random = [&seed] {
    seed = seed * 1664525U + 1013904223U;
    return seed >> 8;
  };
  math::Hash64 hash;
  for (int i = 0; i < 20'000; ++i) {
    SensorFrame& frame = sensed.frame;
    frame.tick += random() % 16 == 0 ? random() << 8 : 1;
    const std::uint32_t bits = random() << 8;
    frame.crank_acceleration_rad_s2.value =
        random() % 4 == 0 ? math::from_bits<float>(bits) : static_cast<float>(random() % 256) - 128;
    frame.edges = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : random() % 3);
    for (signal::Edge& edge : frame.edge) {
      edge = {static_cast<std::uint16_t>(random()), static_cast<signal::EdgeKind>(random() % 3)};
    }
    crank::observe(sensed.model, sensed.observer, frame);
    const crank::Motion<float>& motion = sensed.observer.motion;
    TEST_ASSERT_TRUE(motion.angle_rad >= 0 && motion.angle_rad < math::kTwoPi<float>);
    TEST_ASSERT_TRUE(math::magnitude(motion.speed_rad_s) <= sensed.model.max_speed_rad_s);
    TEST_ASSERT_TRUE(math::magnitude(motion.acceleration_rad_s2) <=
                     4 * sensed.model.max_acceleration_rad_s2);
    add_to(hash, sensed.observer);
  }
  TEST_ASSERT_EQUAL_HEX64(0x0546'94fb'abf5'f9d4U, hash.value());
  // And it recovers.
  run(sensed, 2 * kSettling_s);
  check_sync(Sync::kSynced);
}

void test_restored_state_replays_bit_by_bit() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  run(sensed, 1);  // searching
  static SensedCrank saved;
  saved = sensed;
  const std::uint64_t hash = hash_of_run(2);
  check_sync(Sync::kSynced);
  sensed = saved;
  TEST_ASSERT_EQUAL_HEX64(hash, hash_of_run(2));
}

// Search, sync, blind, coasting, loss and sync again.
void test_run_has_the_golden_bits() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  math::Hash64 hash;
  hash.add(hash_of_run(3));
  run(sensed, 0.5, no_number);
  hash.add(hash_of_run(0.1));
  run(sensed, 0.7, [](SensorFrame& frame) { frame.edges = 0; });
  check_sync(Sync::kLost);
  hash.add(hash_of_run(3));
  check_sync(Sync::kSynced);
  TEST_ASSERT_EQUAL_HEX64(0xc04f'7b71'01fc'070eU, hash.value());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_counters_wrap);
  RUN_TEST(test_rubbish_in_no_rubbish_out);
  RUN_TEST(test_restored_state_replays_bit_by_bit);
  RUN_TEST(test_run_has_the_golden_bits);
  return UNITY_END();
}
