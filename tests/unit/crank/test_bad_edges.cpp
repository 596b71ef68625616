// Edges that are bad for a while: what the observer says of them, what it must not learn from them,
// and how soon it is well again.
#include <cstdint>
#include <initializer_list>

#include "unity.h"

#include "tests/unit/crank/observer_cases.h"

namespace {

using namespace taut;
using namespace taut::crank_test;

constexpr double kTurn_s = kTurn_rad / kSpeed_rad_s;
constexpr double kPitch_rad = kTurn_rad / 60;
constexpr crank::WheelSpec kWithIndex = {
    .pitches = 60, .missing = 2, .first_tooth_rad = 1, .index_rad = 2, .confirmed_by_index = true};

void start_and_settle(const crank::WheelSpec& wheel = kWheel) {
  start(sensed, swinging(76), usual_observer(wheel), kUsual);
  settle();
}

const crank::EdgeTrouble& trouble() {
  return sensed.observer.trouble;
}

// -- Moments that are off by less than a tick

// Time until it is true, watched every tick; most_s if it never is.
template <typename Condition, typename Disturb>
double time_until_s(double most_s, Condition condition, Disturb disturb) {
  double time_s = 0;
  while (time_s < most_s && !condition()) {
    run(sensed, kTick_s, disturb);
    time_s += kTick_s;
  }
  return time_s;
}

bool scatter() {
  return trouble().edges_scatter;
}

// All edges of a tick at one moment of it: 4 mrad from end to end, 1.15 mrad RMS, where teeth are
// out of place by 0.5. And a clock that jumps by half a tick within it: 2 mrad to both sides.
void test_edges_that_scatter_are_told() {
  const auto stuck = [](SensorFrame& frame) { frame.edge[0].moment = 0x4000; };
  const auto jumped = [](SensorFrame& frame) { frame.edge[0].moment ^= 0x8000U; };
  const auto check = [](auto disturb) {
    start_and_settle();
    TEST_ASSERT_FALSE(scatter());
    TEST_ASSERT_TRUE(time_until_s(2, scatter, disturb) < 0.6);
    run(sensed, 2, [&](SensorFrame& frame) {
      disturb(frame);
      TEST_ASSERT_TRUE(scatter());
    });
    TEST_ASSERT_FALSE(sensed.observer.trial.is_doubted);
    TEST_ASSERT_TRUE(time_until_s(
                         4, [] { return !scatter(); }, nothing) < 2);
    TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.stray_edges);
    TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.losses);
  };
  check(stuck);
  check(jumped);
}

// Teeth as far out of place as they are known to be, a sensor that is noisy, a load that changes:
// no false alarm.
void test_healthy_edges_do_not_scatter() {
  const auto check = [] {
    for (int i = 0; i < 100; ++i) {
      run(sensed, 0.1);
      TEST_ASSERT_FALSE(scatter());
      TEST_ASSERT_FALSE(trouble().edges_are_bad);
    }
  };
  for (const double rpm : {10.0, 40.0, 60.0, 90.0}) {
    start(sensed, swinging(rpm), usual_observer(), kUsual);
    check();
  }
  SensorSpec noisy = kUsual;
  noisy.noise_rad_s2 = 1;
  start(sensed, swinging(76), usual_observer(), noisy);
  check();
  for (const double amplitude_rad_s2 : {1.0, 7.0}) {
    sensed.crank_model.order_amplitude_rad_s2 = amplitude_rad_s2;
    check();
  }
}

// -- Edges that are false

// One false edge in five ticks, five for every tooth. They move angle and speed, and nothing that
// lasts: neither the sensor's bias nor the orders, but for one or two of a fifth of a pitch before
// there are too many, and it is not the sensor that is doubted. A turn with every tooth in it ends
// the trouble at once.
void test_false_edges_teach_nothing() {
  for (std::uint32_t seed = 1; seed < 6; ++seed) {
    start_and_settle();
    const float bias_rad_s2 = sensed.observer.bias_rad_s2;
    const auto cosines = sensed.observer.track.cosine_rad;
    std::uint32_t random = seed;
    run(sensed, 2, [&](SensorFrame& frame) {
      random = random * 1664525U + 1013904223U;
      if ((random >> 8) % 5 == 0) {
        detail::add_edge(frame,
                         {static_cast<std::uint16_t>(random >> 16), signal::EdgeKind::kTooth});
      }
      TEST_ASSERT_FALSE(sensed.observer.trial.is_doubted);
    });
    TEST_ASSERT_TRUE(trouble().edges_are_bad);
    TEST_ASSERT_FLOAT_WITHIN(0.3F, bias_rad_s2, sensed.observer.bias_rad_s2);
    for (std::size_t i = 0; i < cosines.size(); ++i) {
      TEST_ASSERT_FLOAT_WITHIN(3e-3F, cosines[i], sensed.observer.track.cosine_rad[i]);
    }
    const auto well = [] {
      return sensed.observer.sync == Sync::kSynced && !trouble().edges_are_bad;
    };
    TEST_ASSERT_TRUE(time_until_s(5, well, nothing) < 2.1 * kTurn_s);
    sensed.errors = {};
    run(sensed, kSettling_s);
    TEST_ASSERT_DOUBLE_WITHIN(0.2 * kDegree_rad, 0, sensed.errors.worst_rad);
  }
}

// -- A wheel that is elsewhere

// By a third or two of a pitch no edge is at its tooth: not the next tooth is to be taken for it,
// the place is lost after eight without a gap between, and found by the second gap.
void test_a_wheel_that_jumps_is_lost_at_once() {
  for (const double pitches : {0.33, -0.33, 0.67, -0.67}) {
    start_and_settle(kWithIndex);
    sensed.wheel.first_tooth_rad += pitches * kPitch_rad;
    const auto lost = [] { return sensed.observer.counts.losses > 0; };
    TEST_ASSERT_TRUE(time_until_s(1, lost, nothing) < 0.3 * kTurn_s);
    TEST_ASSERT_FALSE(sensed.observer.trial.is_doubted);
    const auto synced = [] { return sensed.observer.sync == Sync::kSynced; };
    TEST_ASSERT_TRUE(time_until_s(5, synced, nothing) < 2.1 * kTurn_s);
    run(sensed, 1);
    const double slip_rad = angle_error_rad(sensed) + pitches * kPitch_rad;
    TEST_ASSERT_DOUBLE_WITHIN(0.2 * kDegree_rad, 0, slip_rad);
  }
}

// A pick-up that comes loose: the index is out of its window after 0.3 s, and passes within a turn.
// One elsewhere and none in its place is enough to tell.
void test_a_wheel_that_slips_is_told_within_a_turn() {
  for (const double slip_rad_s : {0.035, -0.035}) {
    for (int phase = 0; phase < 8; ++phase) {
      start_and_settle(kWithIndex);
      run(sensed, phase * kTurn_s / 8);
      const auto off = [] { return trouble().index_is_off; };
      const auto slip = [&](SensorFrame&) { sensed.wheel.first_tooth_rad += slip_rad_s * kTick_s; };
      TEST_ASSERT_TRUE(time_until_s(3, off, slip) < 0.4 + 1.1 * kTurn_s);
    }
  }
}

// A pulse of noise beside the index, which is in its place: nothing to tell.
void test_one_false_index_is_none() {
  start_and_settle(kWithIndex);
  for (int i = 0; i < 5; ++i) {
    run(sensed, kTick_s, [](SensorFrame& frame) {
      detail::add_edge(frame, {0x8000, signal::EdgeKind::kIndex});
    });
    run(sensed, 2.3 * kTurn_s, [](SensorFrame&) { TEST_ASSERT_FALSE(trouble().index_is_off); });
  }
}

// Every other tooth gives no edge, by chance: in three turns of four the gap is not seen from its
// last tooth to its first. The index is, and the place stays known.
void test_the_index_keeps_the_place() {
  start_and_settle(kWithIndex);
  std::uint32_t random = 1;
  run(sensed, 20, [&](SensorFrame& frame) {
    random = random * 1664525U + 1013904223U;
    if (frame.edges == 1 && frame.edge[0].kind == signal::EdgeKind::kTooth) {
      frame.edges = (random >> 24) % 2;
    }
  });
  TEST_ASSERT_TRUE(trouble().edges_are_bad);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.losses);
  TEST_ASSERT_DOUBLE_WITHIN(0.5 * kDegree_rad, 0, sensed.errors.worst_rad);
}

// -- A sensor that is believed again

// Wherever the fault ends, once is enough: what follows is as good as before.
void test_a_sensor_is_believed_for_good() {
  for (int phase = 0; phase < 8; ++phase) {
    start_and_settle();
    run(sensed, 3.3 + 0.05 * phase,
        [](SensorFrame& frame) { frame.crank_acceleration_rad_s2.value += 3; });
    const auto believed = [] { return !sensed.observer.trial.is_doubted; };
    TEST_ASSERT_TRUE(time_until_s(4, believed, nothing) < 2);
    sensed.errors = {};
    run(sensed, 3, [](SensorFrame&) { TEST_ASSERT_FALSE(sensed.observer.trial.is_doubted); });
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * kDegree_rad, 0, sensed.errors.worst_rad);
    TEST_ASSERT_DOUBLE_WITHIN(0.04, 0, sensed.errors.worst_rad_s);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_edges_that_scatter_are_told);
  RUN_TEST(test_healthy_edges_do_not_scatter);
  RUN_TEST(test_false_edges_teach_nothing);
  RUN_TEST(test_a_wheel_that_jumps_is_lost_at_once);
  RUN_TEST(test_a_wheel_that_slips_is_told_within_a_turn);
  RUN_TEST(test_one_false_index_is_none);
  RUN_TEST(test_the_index_keeps_the_place);
  RUN_TEST(test_a_sensor_is_believed_for_good);
  return UNITY_END();
}
