// The crank observer against a crank whose motion is known: motions, sensors, wheels. Every case
// prints its errors, the rows of the table in sim_core/crank/README.md; bounds are about twice what
// is measured, since they depend on which noise comes, and say what makes them.
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "unity.h"
#include <etl/array.h>
#include <etl/span.h>

#include "tests/unit/crank/observer_cases.h"

namespace {

using namespace taut;
using namespace taut::crank_test;

// -- Accuracy

// What remains without any error of the sensors: moments are cut off at 1/65536 tick (6e-8 rad),
// the angle that leaves at 2^-24 turns (4e-7 rad), and a sixth order is no straight line over a
// tick: 7 rad/s^2 (48 rad/s 0.5 ms)^2/12 = 3e-4 rad/s^2 too little, or 7e-6 rad/s.
void test_perfect_sensors_leave_rounding() {
  crank::ObserverSpec spec = usual_observer();
  spec.acceleration_delay_s = 0;
  start(sensed, swinging(76), spec, {});
  settle_and_measure("perfect sensors, 76 rpm, 6th order", {1e-4, 5e-5, 3e-5, 1e-5});
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.stray_edges);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.missed_edges);
}

void test_steady() {
  start(sensed, steady(), usual_observer(), kUsual);
  settle_and_measure("steady, 76 rpm", kUsualBounds);
}

void test_sixth_order() {
  start(sensed, swinging(60), usual_observer(), kUsual);
  settle_and_measure("6th order, 60 rpm", kUsualBounds);
  start(sensed, swinging(76), usual_observer(), kUsual);
  settle_and_measure("6th order, 76 rpm", kUsualBounds);
  start(sensed, swinging(90), usual_observer(), kUsual);
  settle_and_measure("6th order, 90 rpm", kUsualBounds);
}

// Ticks, moments and numbers of samples pass their ends two seconds into what is measured; nothing
// is to be seen of it. Bits: test_observer_hash.cpp.
void test_every_counter_wraps() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  constexpr auto kBefore = static_cast<std::uint32_t>((kSettling_s + 2) / kTick_s);
  sensed.frame.tick = 0U - kBefore;
  sensed.frame.crank_acceleration_rad_s2.sequence = 0U - kBefore;
  settle_and_measure("the same while every counter wraps", kUsualBounds);
  TEST_ASSERT_TRUE(sensed.frame.tick < 0x8000'0000U);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.stale_frames);
}

// Errors from the first synced tick on: the speed is that of one interval across the gap, where a
// tooth's place is 0.04 degrees wrong in 40 ms, and the bias of 0.3 rad/s^2 is not known yet.
void test_run_up_from_rest() {
  crank::SyntheticSpec motion = steady();
  motion.run_up_s = 2;
  start(sensed, motion, usual_observer(), kUsual);
  run(sensed, 2);
  TEST_ASSERT_DOUBLE_WITHIN(0.1, kSpeed_rad_s,
                            static_cast<double>(sensed.observer.motion.speed_rad_s));
  run(sensed, 4);
  check_sync(Sync::kSynced);
  check_errors("run-up in 2 s, from sync on", {0.2, 0.03, 0.15, 0.015});
}

// The bias follows its drift of 0.01 rad/s^2 a second to 0.1 rad/s^2, the error that the noise of
// edges makes.
void test_bias_is_found() {
  SensorSpec sensor = kUsual;
  sensor.bias_rad_s2 = -0.5;
  start(sensed, swinging(76), usual_observer(), sensor);
  settle_and_measure("bias of -0.5 rad/s^2", kUsualBounds);
  TEST_ASSERT_DOUBLE_WITHIN(0.1, sensor.bias_rad_s2 + sensed.drifted_rad_s2,
                            static_cast<double>(sensed.observer.bias_rad_s2));
}

// White noise of 1 rad/s^2 RMS, five times what the gains are made for, makes over 1/9 s
// 1 sqrt(0.5 ms/9) = 0.007 rad/s.
void test_noise() {
  SensorSpec sensor = kUsual;
  sensor.noise_rad_s2 = 1;
  start(sensed, swinging(76), usual_observer(), sensor);
  settle_and_measure("noise of 1 rad/s^2 RMS", {0.2, 0.04, 0.06, 0.015});
}

// Steps of 1 rad/s^2 are an error of 0.3 RMS; noise and the sixth order make it change every few
// ticks, so that hardly more than the usual error is left.
void test_quantisation() {
  SensorSpec sensor = kUsual;
  sensor.quantum_rad_s2 = 1;
  start(sensed, swinging(76), usual_observer(), sensor);
  settle_and_measure("quantised to 1 rad/s^2", kUsualBounds);
}

// 2 ms of the sixth order at 90 rpm are 0.11 rad of its phase: 0.11 7/57 = 0.014 rad/s if nothing
// is done. With the slope added 1.5 0.11^2 7/57 = 0.0024 rad/s remain.
void test_delay_is_taken_out() {
  const SensorSpec late = {.delay_ticks = 4};
  crank::ObserverSpec spec = usual_observer();
  start(sensed, swinging(90), spec, late);
  settle_and_measure("late by 2 ms, taken out", {0.006, 0.004, 0.004, 0.0025});
  spec.acceleration_delay_s = 0;
  start(sensed, swinging(90), spec, late);
  settle();
  run(sensed, 4);
  TEST_ASSERT_TRUE(sensed.errors.worst_rad_s > 0.012);
  check_errors("late by 2 ms, not taken out", {0.04, 0.02, 0.03, 0.02});
}

// -- Wheels

void test_other_wheels() {
  start(sensed, swinging(76), usual_observer({.pitches = 36, .missing = 1, .first_tooth_rad = -2}),
        kUsual);
  settle_and_measure("wheel 36-1", kUsualBounds);
  start(sensed, swinging(76),
        usual_observer({.pitches = 120, .missing = 0, .first_tooth_rad = 0.01, .index_rad = 5}),
        kUsual);
  settle_and_measure("wheel of 120 and index", kUsualBounds);
}

// In turn before and behind the tooth at the same place.
void test_index_on_a_tooth() {
  start(sensed, swinging(76),
        usual_observer({.pitches = 120, .missing = 0, .first_tooth_rad = 0, .index_rad = 0}),
        kUsual);
  std::uint32_t turns = 0;
  const auto swap_every_other = [&turns](SensorFrame& frame) {
    if (frame.edges == 2 && ++turns % 2 == 0) {
      const signal::EdgeKind first = frame.edge[0].kind;
      frame.edge[0].kind = frame.edge[1].kind;
      frame.edge[1].kind = first;
    }
  };
  run(sensed, kSettling_s, swap_every_other);
  check_sync(Sync::kSynced);
  sensed.errors = {};
  run(sensed, kMeasured_s, swap_every_other);
  TEST_ASSERT_TRUE(turns > 4);
  check_errors("wheel of 120, index on a tooth", kUsualBounds);
}

// Several edges a tick.
void test_encoder() {
  crank::ObserverSpec spec = usual_observer({.pitches = 3600, .missing = 0, .index_rad = 4});
  spec.edge_noise_rad = 0.05e-3;
  SensorSpec sensor = kUsual;
  sensor.place_rad = 0.05e-3;
  start(sensed, swinging(76), spec, sensor);
  settle_and_measure("encoder of 3600 and index", {0.003, 0.001, 0.006, 0.0025});
}

// One correction in 0.8 s: a bias that drifts unseen by 0.1 rad/s^2 makes 0.02 rad in that time,
// and the noise of 0.1 rad/s^2 RMS does as much.
void test_index_only() {
  crank::ObserverSpec spec = usual_observer({.pitches = 0, .missing = 0, .index_rad = 4});
  spec.window_pitches = 0.05;
  start(sensed, swinging(76), spec, kUsual);
  run(sensed, kSettling_s);
  check_sync(Sync::kSynced);
  check_errors("index only, from sync on", {25, 8, 0.8, 0.4});
  run(sensed, 2 * kSettling_s);
  sensed.errors = {};
  run(sensed, kMeasured_s);
  check_errors("index only, settled", {1.2, 0.4, 0.05, 0.02});
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.losses);
}

// Exact at every tooth, and unmoved by less than half a pitch.
void test_teeth_are_found_round_the_wheel() {
  constexpr std::uint32_t kNumbers[] = {3, 36, 60, 64, 3600, crank::kMaxPitches};
  for (const std::uint32_t pitches : kNumbers) {
    const crank::Wheel wheel =
        crank::make_observer(usual_observer({.pitches = pitches, .missing = 0, .index_rad = 3}))
            .wheel;
    const auto nearly_half = static_cast<std::uint32_t>(wheel.pitch >> 33) - 2;
    for (std::uint32_t tooth = 0; tooth < pitches; ++tooth) {
      const std::uint32_t place = crank::place_of(wheel, tooth);
      TEST_ASSERT_EQUAL_UINT32(tooth, crank::nearest_tooth(wheel, place));
      TEST_ASSERT_EQUAL_UINT32(tooth, crank::nearest_tooth(wheel, place + nearly_half));
      TEST_ASSERT_EQUAL_UINT32(tooth, crank::nearest_tooth(wheel, place - nearly_half));
    }
  }
  TEST_ASSERT_TRUE(crank::to_rad(0xffff'ffffU) < math::kTwoPi<float>);
  TEST_ASSERT_TRUE(crank::to_signed_rad(0xffff'ffffU) < 0);
  TEST_ASSERT_EQUAL_UINT32(0, crank::to_turns(std::numeric_limits<float>::quiet_NaN()));
  TEST_ASSERT_EQUAL_UINT32(0, crank::to_turns(1e30F));
}

// -- Standstill and astern

constexpr double kSeriesPeriod_s = 0.5;

// Straight lines between samples: the speed changes by half their sum.
struct Series {
  etl::array<float, 100> rad_s2{};
  std::size_t samples = 1;

  void hold(double time_s) { samples += static_cast<std::size_t>(time_s / kSeriesPeriod_s); }
  void change(double speed_rad_s) {
    constexpr int kSamples = 4;  // in 2.5 s
    for (int i = 0; i < kSamples; ++i) {
      rad_s2[samples++] = static_cast<float>(speed_rad_s / kSeriesPeriod_s / kSamples);
    }
    ++samples;
  }
  [[nodiscard]] etl::span<const float> all() const { return {rad_s2.data(), samples}; }
};

crank::SyntheticSpec moved_by(const Series& series) {
  crank::SyntheticSpec motion = steady();
  motion.series_rad_s2 = series.all();
  motion.series_period_s = kSeriesPeriod_s;
  return motion;
}

// The last pitches below 0.5 rad/s are coasted, then the place counts as lost: nothing tells on
// which side of a tooth the crank came to rest. Standing, the sensor shows its bias alone; it is
// known from before to 0.1 rad/s^2, and a speed that would bring the next edge is taken back: not
// more than sqrt(2 0.1 0.33) = 0.26 rad/s.
void test_stop() {
  Series series;
  series.hold(kSettling_s);
  series.change(-kSpeed_rad_s);
  start(sensed, moved_by(series), usual_observer(), kUsual);
  settle();
  run(sensed, 2.5);
  check_errors("stop in 2.5 s", {0.5, 0.15, 0.03, 0.01});
  run(sensed, 1);
  check_sync(Sync::kLost);
  TEST_ASSERT_EQUAL_UINT32(1, sensed.observer.counts.losses);
  for (int i = 0; i < 200; ++i) {
    run(sensed, 0.05);
    TEST_ASSERT_DOUBLE_WITHIN(0.3, 0, static_cast<double>(sensed.observer.motion.speed_rad_s));
  }
  check_sync(Sync::kLost);
  TEST_ASSERT_EQUAL_UINT32(1, sensed.observer.counts.losses);
}

// From the start on, with a bias that nobody knows: some false starts, then it is found to 0.05
// rad/s^2, one pitch in so many seconds.
void test_bias_is_found_at_rest() {
  start(sensed, steady(0), usual_observer(), kUsual);
  run(sensed, 10);
  check_sync(Sync::kSearching);
  TEST_ASSERT_DOUBLE_WITHIN(0.1, 0.35, static_cast<double>(sensed.observer.bias_rad_s2));
}

// Creeping back at 0.3 rad/s, then astern at 3 rad/s, then ahead again. Below 0.5 rad/s no edge is
// used and half a second later the place is lost; astern the integrated speed is negative, by
// which the edges give their size, and no place is found until the crank goes ahead.
void test_astern() {
  constexpr double kCreep_rad_s = -0.3;
  constexpr double kAstern_rad_s = -3;
  Series series;
  series.hold(kSettling_s);
  series.change(kCreep_rad_s - kSpeed_rad_s);
  series.hold(5);
  series.change(kAstern_rad_s - kCreep_rad_s);
  series.hold(8);
  series.change(kSpeed_rad_s - kAstern_rad_s);
  start(sensed, moved_by(series), usual_observer(), kUsual);
  settle();
  run(sensed, 2.5);
  // Creep and astern.
  run(sensed, 1);
  check_errors("slowing down to astern", {1.7, 0.4, 0.09, 0.03});
  TEST_ASSERT_EQUAL_UINT32(1, sensed.observer.counts.losses);
  run(sensed, 14);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.errors.ticks);
  check_sync(Sync::kSearching);
  TEST_ASSERT_DOUBLE_WITHIN(0.3, kAstern_rad_s,
                            static_cast<double>(sensed.observer.motion.speed_rad_s));
  run(sensed, 6);
  check_sync(Sync::kSynced);
  check_errors("ahead again, from sync on", {0.2, 0.03, 0.15, 0.015});
  TEST_ASSERT_EQUAL_UINT32(1, sensed.observer.counts.losses);
}

// Ahead, but so slowly that it might as well be astern: edges pass and are not used.
void test_creep_ahead_is_lost() {
  Series series;
  series.hold(kSettling_s);
  series.change(0.4 - kSpeed_rad_s);
  start(sensed, moved_by(series), usual_observer(), kUsual);
  settle();
  run(sensed, 2.5 + 0.8);
  TEST_ASSERT_EQUAL_UINT32(1, sensed.observer.counts.losses);
  sensed.errors = {};
  run(sensed, 5);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.errors.ticks);
}

// As an engine is reversed: stop, rest, start astern.
void test_astern_after_a_stop() {
  Series series;
  series.hold(kSettling_s);
  series.change(-kSpeed_rad_s);
  series.hold(5);
  series.change(-kSpeed_rad_s);
  start(sensed, moved_by(series), usual_observer(), kUsual);
  settle();
  run(sensed, 3.5);
  check_sync(Sync::kLost);
  sensed.errors = {};
  run(sensed, 14);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.errors.ticks);
  check_sync(Sync::kSearching);
  TEST_ASSERT_DOUBLE_WITHIN(0.3, -kSpeed_rad_s,
                            static_cast<double>(sensed.observer.motion.speed_rad_s));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_perfect_sensors_leave_rounding);
  RUN_TEST(test_steady);
  RUN_TEST(test_sixth_order);
  RUN_TEST(test_every_counter_wraps);
  RUN_TEST(test_run_up_from_rest);
  RUN_TEST(test_bias_is_found);
  RUN_TEST(test_noise);
  RUN_TEST(test_quantisation);
  RUN_TEST(test_delay_is_taken_out);
  RUN_TEST(test_other_wheels);
  RUN_TEST(test_index_on_a_tooth);
  RUN_TEST(test_encoder);
  RUN_TEST(test_index_only);
  RUN_TEST(test_teeth_are_found_round_the_wheel);
  RUN_TEST(test_stop);
  RUN_TEST(test_bias_is_found_at_rest);
  RUN_TEST(test_astern);
  RUN_TEST(test_creep_ahead_is_lost);
  RUN_TEST(test_astern_after_a_stop);
  return UNITY_END();
}
