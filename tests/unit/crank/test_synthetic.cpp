// The synthetic crank against closed forms, part by part; then all parts at once: replay, float
// against double, and a golden hash.
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "unity.h"
#include <etl/array.h>

#include "sim_core/crank/synthetic.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/hash.h"
#include "sim_core/math/sin_cos.h"

namespace {

using namespace taut::crank;
namespace math = taut::math;

constexpr double kTwoPi = math::kTwoPi<double>;
constexpr double kSpeed_rad_s = 76 * kTwoPi / 60;  // 6S90MC-C at full load
constexpr int kOrder = 6;                          // its main one
constexpr double kAmplitude_rad_s2 = 7;
constexpr double kTick_s = 0.5e-3;

template <typename Real>
struct Crank {
  SyntheticModel<Real> model;
  SyntheticState<Real> state;
};

// One of each type, too large for a board's stack; every test begins with start().
template <typename Real>
Crank<Real> the_crank;

template <typename Real>
void start(const SyntheticSpec& spec) {
  make_synthetic(spec, the_crank<Real>.model);
  init(the_crank<Real>.model, the_crank<Real>.state);
}

template <typename Real>
const Motion<Real>& advance(int steps) {
  for (int i = 0; i < steps; ++i) {
    advance(the_crank<Real>.model, the_crank<Real>.state);
  }
  return the_crank<Real>.state.motion;
}

// The shorter way round.
double angle_between_rad(double a_rad, double b_rad) {
  const double turns = (a_rad - b_rad) / kTwoPi;
  return kTwoPi * (turns - math::round(turns));
}

// A turn takes 1579 ticks. Of the angle each wrap loses the rounding of 2 pi, 2e-16, or 2e-7 in
// float; the float's speed itself is rounded by up to 6e-8, here 2e-8.
template <typename Real>
void constant_speed_stays_exactly() {
  constexpr int kSteps = 16'000;
  constexpr double kTolerance_rad = sizeof(Real) == 4 ? 5e-6 : 1e-13;
  start<Real>({.step_s = kTick_s, .speed_rad_s = kSpeed_rad_s});
  for (int i = 1; i <= kSteps; ++i) {
    const Motion<Real>& motion = advance<Real>(1);
    TEST_ASSERT_TRUE(motion.speed_rad_s == static_cast<Real>(kSpeed_rad_s));
    TEST_ASSERT_TRUE(motion.acceleration_rad_s2 == 0);
    TEST_ASSERT_TRUE(motion.angle_rad >= 0 && motion.angle_rad < math::kTwoPi<Real>);
    TEST_ASSERT_DOUBLE_WITHIN(
        kTolerance_rad, 0,
        angle_between_rad(static_cast<double>(motion.angle_rad), kSpeed_rad_s * kTick_s * i));
  }
}

// Quadratic in time, so the method is exact: 1e-14 is round-off of numbers near ten.
void test_run_up_ends_at_speed() {
  constexpr double kRunUp_s = 2;
  start<double>({.step_s = kTick_s, .speed_rad_s = kSpeed_rad_s, .run_up_s = kRunUp_s});
  TEST_ASSERT_TRUE(the_crank<double>.state.motion.speed_rad_s == 0);
  // With u = t/t_c the speed is w (3 u^2 - 2 u^3) and the angle w t_c (u^3 - u^4/2).
  const Motion<double> half_way = advance<double>(2'000);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, kSpeed_rad_s / 2, half_way.speed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1.5 * kSpeed_rad_s / kRunUp_s, half_way.acceleration_rad_s2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, kSpeed_rad_s * kRunUp_s * 3 / 32, half_way.angle_rad);
  const Motion<double> end = advance<double>(2'000);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, kSpeed_rad_s, end.speed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0,
                            angle_between_rad(end.angle_rad, kSpeed_rad_s * kRunUp_s / 2));
  const Motion<double> later = advance<double>(1'000);
  TEST_ASSERT_TRUE(later.speed_rad_s == end.speed_rad_s);
}

// Under A sin(k phi) alone v^2/2 + A/k cos(k phi) is constant: over two turns after the fade to
// 1e-12, round-off. From zero to zero of the angle the mean speed is w within 0.1 %, of which the
// fade takes 0.02 %; half of fastest less slowest, A/(k v_mean), is A/(k w) to the same 0.1 %.
void test_order_swings_as_its_energy_says() {
  constexpr double kStep_s = 50e-6;
  constexpr int kFade = 20'000;
  constexpr int kTwoTurns = 32'000;
  const auto energy = [](const Motion<double>& motion) {
    return motion.speed_rad_s * motion.speed_rad_s / 2 +
           kAmplitude_rad_s2 / kOrder * math::cos(kOrder * motion.angle_rad);
  };
  start<double>({.step_s = kStep_s,
                 .speed_rad_s = kSpeed_rad_s,
                 .order = kOrder,
                 .order_amplitude_rad_s2 = kAmplitude_rad_s2});
  const double energy_at_start = energy(advance<double>(kFade));
  double slowest_rad_s = kSpeed_rad_s;
  double fastest_rad_s = kSpeed_rad_s;
  double first_zero_s = 0;
  double last_zero_s = 0;
  int zeros = 0;
  for (int i = kFade + 1; i <= kFade + kTwoTurns; ++i) {
    const double angle_before_rad = the_crank<double>.state.motion.angle_rad;
    const Motion<double>& motion = advance<double>(1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * energy_at_start, energy_at_start, energy(motion));
    slowest_rad_s = motion.speed_rad_s < slowest_rad_s ? motion.speed_rad_s : slowest_rad_s;
    fastest_rad_s = motion.speed_rad_s > fastest_rad_s ? motion.speed_rad_s : fastest_rad_s;
    if (motion.angle_rad < angle_before_rad) {
      last_zero_s = kStep_s * i - motion.angle_rad / motion.speed_rad_s;
      first_zero_s = zeros == 0 ? last_zero_s : first_zero_s;
      ++zeros;
    }
  }
  TEST_ASSERT_TRUE(zeros >= 2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * kSpeed_rad_s, kSpeed_rad_s,
                            (zeros - 1) * kTwoPi / (last_zero_s - first_zero_s));
  const double ripple_rad_s = kAmplitude_rad_s2 / (kOrder * kSpeed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * ripple_rad_s, ripple_rad_s, (fastest_rad_s - slowest_rad_s) / 2);
}

// The acceleration itself tells the fade: 3 u^2 - 2 u^3 from the end of the run-up on. 1e-12: it is
// divided by a sine that may be small.
void test_fade_begins_when_the_run_up_ends() {
  start<double>({.step_s = kTick_s,
                 .speed_rad_s = kSpeed_rad_s,
                 .run_up_s = 0.5,
                 .order = kOrder,
                 .order_amplitude_rad_s2 = kAmplitude_rad_s2});
  const auto fade = [](const Motion<double>& motion) {
    return motion.acceleration_rad_s2 / (kAmplitude_rad_s2 * math::sin(kOrder * motion.angle_rad));
  };
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, kSpeed_rad_s, advance<double>(1'000).speed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.15625, fade(advance<double>(500)));  // a quarter of it
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, fade(advance<double>(500)));      // half
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, fade(advance<double>(1'000)));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, fade(advance<double>(1'000)));
}

void test_no_fade_is_full_at_once() {
  const auto full_rad_s2 = [](const Motion<double>& motion) {
    return kAmplitude_rad_s2 * math::sin(kOrder * motion.angle_rad);
  };
  SyntheticSpec spec{.step_s = kTick_s,
                     .speed_rad_s = kSpeed_rad_s,
                     .fade_in_s = 0,
                     .order = kOrder,
                     .order_amplitude_rad_s2 = kAmplitude_rad_s2};
  start<double>(spec);
  const Motion<double> first = advance<double>(1);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, full_rad_s2(first), first.acceleration_rad_s2);
  // After a run-up, but not before its end, where that has all but ended itself: 6 w h/t_c^2.
  spec.run_up_s = 0.1;
  start<double>(spec);
  const Motion<double> before = advance<double>(199);
  TEST_ASSERT_DOUBLE_WITHIN(0.02, 6 * kSpeed_rad_s * kTick_s / 0.01, before.acceleration_rad_s2);
  const Motion<double> after = advance<double>(2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, full_rad_s2(after), after.acceleration_rad_s2);
}

// Half the step, a 16th of the error; terms of higher order are 4 % at steps of 2 and 1 ms.
void test_error_falls_with_the_fourth_power_of_the_step() {
  const auto after_0_2_s = [](int steps) {
    start<double>({.step_s = 0.2 / steps,
                   .speed_rad_s = kSpeed_rad_s,
                   .fade_in_s = 0,
                   .order = kOrder,
                   .order_amplitude_rad_s2 = kAmplitude_rad_s2});
    return advance<double>(steps);
  };
  const Motion<double> right = after_0_2_s(2'000);
  const Motion<double> coarse = after_0_2_s(100);
  const Motion<double> fine = after_0_2_s(200);
  TEST_ASSERT_DOUBLE_WITHIN(
      1, 16, (coarse.angle_rad - right.angle_rad) / (fine.angle_rad - right.angle_rad));
  TEST_ASSERT_DOUBLE_WITHIN(
      1, 16, (coarse.speed_rad_s - right.speed_rad_s) / (fine.speed_rad_s - right.speed_rad_s));
}

using Table = etl::array<double, 360>;

Table sine_table(double mean_rad_s2, int order, double amplitude_rad_s2) {
  Table table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double angle_rad = kTwoPi * static_cast<double>(i) / static_cast<double>(table.size());
    table[i] = mean_rad_s2 + amplitude_rad_s2 * math::sin(order * angle_rad);
  }
  return table;
}

// A spline through a sine of 60 samples a period is too small by (2 pi/60)^4/720 = 1.7e-7 on
// average: 2.5e-8 rad/s of the ripple.
void test_table_of_a_sine_is_the_order() {
  constexpr int kSteps = 4'000;
  constexpr double kMean_rad_s2 = 3;
  const Table table = sine_table(kMean_rad_s2, kOrder, kAmplitude_rad_s2);
  start<double>({.step_s = kTick_s,
                 .speed_rad_s = kSpeed_rad_s,
                 .order = kOrder,
                 .order_amplitude_rad_s2 = kAmplitude_rad_s2});
  const Motion<double> by_order = advance<double>(kSteps);
  start<double>({.step_s = kTick_s, .speed_rad_s = kSpeed_rad_s, .table_rad_s2 = table});
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, kMean_rad_s2, the_crank<double>.model.table_mean_rad_s2);
  const Motion<double> by_table = advance<double>(kSteps);
  TEST_ASSERT_DOUBLE_WITHIN(5e-8, by_order.speed_rad_s, by_table.speed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(5e-8, by_order.angle_rad, by_table.angle_rad);
}

void test_table_that_is_all_mean_does_nothing() {
  const double table[] = {5, 5, 5, 5};
  start<double>({.step_s = kTick_s, .speed_rad_s = kSpeed_rad_s, .table_rad_s2 = table});
  TEST_ASSERT_TRUE(the_crank<double>.model.table_mean_rad_s2 == 5);
  TEST_ASSERT_TRUE(advance<double>(4'000).speed_rad_s == kSpeed_rad_s);
}

// Straight lines inside every step, so the method is exact: 1e-15 is round-off.
void test_series_is_integrated() {
  constexpr double kPeriod_s = 0.01;
  const float tent[] = {0, 1, 2, 3, 2, 1};
  start<double>({.step_s = 1e-3, .series_rad_s2 = tent, .series_period_s = kPeriod_s});
  const Motion<double> peak = advance<double>(30);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 3, peak.acceleration_rad_s2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 4.5 * kPeriod_s, peak.speed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 4.5 * kPeriod_s * kPeriod_s, peak.angle_rad);  // 3^3/6
  const Motion<double> after = advance<double>(70);
  TEST_ASSERT_TRUE(after.acceleration_rad_s2 == 0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 9 * kPeriod_s, after.speed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 9 * kPeriod_s * 7 * kPeriod_s, after.angle_rad);
}

// One sample falls to zero within one period T: speed a T/2, angle a T^2/3. Here backwards through
// zero, and on.
void test_angle_wraps_backwards_too() {
  const float sample[] = {-3};
  start<double>({.step_s = 0.01, .series_rad_s2 = sample, .series_period_s = 1});
  const Motion<double> end = advance<double>(100);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, -1.5, end.speed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, kTwoPi - 1, end.angle_rad);
  for (int i = 0; i < 1'000; ++i) {
    const Motion<double>& motion = advance<double>(1);
    TEST_ASSERT_TRUE(motion.angle_rad >= 0 && motion.angle_rad < kTwoPi);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0,
                            angle_between_rad(-16, the_crank<double>.state.motion.angle_rad));
}

constexpr float kSeries_rad_s2[] = {0.5F, -1, 0.25F, 2, -0.5F};

template <typename Real>
void start_with_all_parts() {
  const Table table = sine_table(1, 2, 3);
  start<Real>({.step_s = kTick_s,
               .speed_rad_s = kSpeed_rad_s,
               .run_up_s = 0.2,
               .fade_in_s = 0.1,
               .order = kOrder,
               .order_amplitude_rad_s2 = kAmplitude_rad_s2,
               .table_rad_s2 = table,
               .series_rad_s2 = kSeries_rad_s2,
               .series_period_s = 0.09});
}

template <typename Real>
std::uint64_t hash_of_motion(int steps) {
  math::Hash64 hash;
  for (int i = 0; i < steps; ++i) {
    const Motion<Real>& motion = advance<Real>(1);
    hash.add(motion.angle_rad);
    hash.add(motion.speed_rad_s);
    hash.add(motion.acceleration_rad_s2);
  }
  return hash.value();
}

template <typename Real>
void restored_state_replays_bit_by_bit() {
  start_with_all_parts<Real>();
  advance<Real>(500);  // in the middle of fade and series
  const SyntheticState<Real> saved = the_crank<Real>.state;
  const std::uint64_t first = hash_of_motion<Real>(500);
  the_crank<Real>.state = saved;
  TEST_ASSERT_EQUAL_HEX64(first, hash_of_motion<Real>(500));
}

// Over 2 s. Speeds near ten round at 5e-7 a stage and the rests keep these from adding up; 5e-6 is
// ten of them, and the angle their sum over 2 s.
void test_float_follows_double() {
  start_with_all_parts<double>();
  start_with_all_parts<float>();
  for (int i = 0; i < 4'000; ++i) {
    const Motion<double>& wide = advance<double>(1);
    const Motion<float>& narrow = advance<float>(1);
    TEST_ASSERT_DOUBLE_WITHIN(5e-6, wide.speed_rad_s, static_cast<double>(narrow.speed_rad_s));
    TEST_ASSERT_DOUBLE_WITHIN(
        5e-6, 0, angle_between_rad(wide.angle_rad, static_cast<double>(narrow.angle_rad)));
  }
}

void test_motion_has_the_golden_bits() {
  start_with_all_parts<float>();
  TEST_ASSERT_EQUAL_HEX64(0x3d9e'f037'8ad7'3735U, hash_of_motion<float>(1'000));
  start_with_all_parts<double>();
  TEST_ASSERT_EQUAL_HEX64(0x35fa'4809'2f34'2ac5U, hash_of_motion<double>(1'000));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(constant_speed_stays_exactly<float>);
  RUN_TEST(constant_speed_stays_exactly<double>);
  RUN_TEST(test_run_up_ends_at_speed);
  RUN_TEST(test_order_swings_as_its_energy_says);
  RUN_TEST(test_fade_begins_when_the_run_up_ends);
  RUN_TEST(test_no_fade_is_full_at_once);
  RUN_TEST(test_error_falls_with_the_fourth_power_of_the_step);
  RUN_TEST(test_table_of_a_sine_is_the_order);
  RUN_TEST(test_table_that_is_all_mean_does_nothing);
  RUN_TEST(test_series_is_integrated);
  RUN_TEST(test_angle_wraps_backwards_too);
  RUN_TEST(restored_state_replays_bit_by_bit<float>);
  RUN_TEST(restored_state_replays_bit_by_bit<double>);
  RUN_TEST(test_float_follows_double);
  RUN_TEST(test_motion_has_the_golden_bits);
  return UNITY_END();
}
