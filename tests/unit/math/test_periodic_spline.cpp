// The periodic spline against cases worked by hand, the sine it should become, its own smoothness,
// and a golden hash: every target must make and read the same curve.
#include <cstddef>
#include <cstdint>
#include <limits>

#include "unity.h"
#include <etl/array.h>
#include <etl/span.h>

#include "sim_core/math/constants.h"
#include "sim_core/math/hash.h"
#include "sim_core/math/periodic_spline.h"
#include "sim_core/math/sin_cos.h"
#include "tests/unit/math/inputs.h"

namespace {

using namespace taut::math;
using taut::math::test::Inputs;

constexpr std::size_t kCapacity = 64;
template <typename Real>
using Spline = PeriodicSpline<Real, kCapacity>;

using Samples = etl::array<double, kCapacity>;

Samples random_samples(std::uint64_t seed) {
  Inputs inputs(seed);
  Samples samples{};
  for (double& sample : samples) {
    sample = inputs.uniform(-1.0, 1.0);
  }
  return samples;
}

template <typename Real>
Spline<Real> spline_through(const Samples& samples, std::size_t count, double period) {
  Spline<Real> spline{};
  make_periodic_spline(etl::span<const double>(samples.data(), count), period, spline);
  return spline;
}

// Bends of 0, 1, 0, -1 are 0, -1/2, 0, 1/2; the curve half way up is 1/2 + 1/4 3/2 1/2.
// 1e-15: numbers near one, a few roundings.
void test_four_samples_worked_by_hand() {
  const Samples samples = {0.0, 1.0, 0.0, -1.0};
  const auto spline = spline_through<double>(samples, 4, 4.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.6875, value_at(spline, 0.5));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.6875, value_at(spline, 1.5));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, -0.6875, value_at(spline, 2.5));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, -0.6875, value_at(spline, 3.5));
}

// The place of a sample rounds at 17 spacings and the curve climbs by up to about 3 a spacing: some
// 100 units in the last place of one.
template <typename Real>
void passes_every_sample() {
  constexpr std::size_t kCount = 17;
  constexpr double kPeriod = 6.1;
  constexpr double kTolerance = 100 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  const Samples samples = random_samples(0x5eed'0501U);
  const auto spline = spline_through<Real>(samples, kCount, kPeriod);
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto x = static_cast<Real>(static_cast<double>(i) * kPeriod / kCount);
    TEST_ASSERT_DOUBLE_WITHIN(kTolerance, samples[i], static_cast<double>(value_at(spline, x)));
  }
}

// Differences over four points of one piece are exact for a cubic, up to round-off: 1e-16 times the
// weights' sum over the squared distance, 12 64.
void test_slope_and_curvature_run_on_at_every_sample() {
  constexpr std::size_t kCount = 8;
  constexpr double kPeriod = 8;  // with unit spacing all places are exact
  constexpr double kDistance = 0.125;
  const auto spline = spline_through<double>(random_samples(0x5eed'0502U), kCount, kPeriod);
  for (int knot = 0; knot < static_cast<int>(kCount); ++knot) {
    const auto at = [&](double distances) {
      return value_at(spline, knot + distances * kDistance);
    };
    const auto slope = [&](double side) {
      return side * (-11 * at(0) + 18 * at(side) - 9 * at(2 * side) + 2 * at(3 * side)) /
             (6 * kDistance);
    };
    const auto curvature = [&](double side) {
      return (2 * at(0) - 5 * at(side) + 4 * at(2 * side) - at(3 * side)) / (kDistance * kDistance);
    };
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, slope(-1), slope(1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, curvature(-1), curvature(1));
  }
}

double worst_error_of_a_sine(std::size_t count) {
  Samples samples{};
  for (std::size_t i = 0; i < count; ++i) {
    samples[i] =
        taut::math::sin(kTwoPi<double> * static_cast<double>(i) / static_cast<double>(count));
  }
  const auto spline = spline_through<double>(samples, count, kTwoPi<double>);
  double worst = 0;
  for (int i = 0; i < 1'024; ++i) {  // hits the middles of all pieces
    const double x = kTwoPi<double> * i / 1'024;
    const double error = magnitude(value_at(spline, x) - taut::math::sin(x));
    worst = error > worst ? error : worst;
  }
  return worst;
}

// The error of a piece is f'''' h^4/24 u^2 (1 - u)^2, at most h^4/384, plus terms of h^6: within 1
// % at 64 samples, and within 3 % of a factor 16 when 16 samples become 32.
void test_error_falls_with_the_fourth_power_of_the_spacing() {
  const double spacing = kTwoPi<double> / 64;
  const double leading = spacing * spacing * spacing * spacing / 384;
  TEST_ASSERT_DOUBLE_WITHIN(0.01 * leading, leading, worst_error_of_a_sine(64));
  TEST_ASSERT_DOUBLE_WITHIN(0.5, 16, worst_error_of_a_sine(16) / worst_error_of_a_sine(32));
  TEST_ASSERT_DOUBLE_WITHIN(0.5, 16, worst_error_of_a_sine(32) / worst_error_of_a_sine(64));
}

// Simpson's rule is exact for each cubic piece. 1e-14: a hundred roundings of numbers near one.
double integrated_mean(const Spline<double>& spline, double period) {
  const auto count = static_cast<double>(spline.samples);
  double sum = 0;
  for (std::size_t i = 0; i < spline.samples; ++i) {
    const auto at = [&](double piece) {
      return value_at(spline, (static_cast<double>(i) + piece) * period / count);
    };
    sum += (at(0) + 4 * at(0.5) + at(1)) / 6;
  }
  return sum / count;
}

void test_mean_is_that_of_the_curve() {
  constexpr double kPeriod = 3.7;
  auto spline = spline_through<double>(random_samples(0x5eed'0503U), 23, kPeriod);
  const double before = mean(spline);
  const double value_before = value_at(spline, 1.0);
  TEST_ASSERT_TRUE(magnitude(before) > 0.01);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, integrated_mean(spline, kPeriod), before);
  TEST_ASSERT_TRUE(remove_mean(spline) == before);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, mean(spline));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, value_before - before, value_at(spline, 1.0));
}

// Of 100 periods with 10 samples each the place rounds at 1e-13 of a spacing.
void test_repeats_with_the_period() {
  constexpr double kPeriod = 5;
  const auto spline = spline_through<double>(random_samples(0x5eed'0504U), 10, kPeriod);
  for (int i = 0; i < 100; ++i) {
    const double x = 0.05 * i;
    const double value = value_at(spline, x);
    for (const int periods : {-100, -1, 1, 100}) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, value, value_at(spline, x + periods * kPeriod));
    }
  }
}

// Bends of samples within [-1, 1] are within [-2, 2], so the curve is within 1 + 3/4 2. Filled to
// capacity, so that a sanitizer sees a place beyond the last sample.
template <typename Real>
void any_argument_is_safe() {
  constexpr Real kHuge = std::numeric_limits<Real>::max();
  constexpr Real kTiny = std::numeric_limits<Real>::min();
  const Samples samples = random_samples(0x5eed'0505U);
  const auto spline = spline_through<Real>(samples, kCapacity, 6.1);
  const auto at_seam = static_cast<Real>(samples[0]);
  TEST_ASSERT_TRUE(value_at(spline, Real(0)) == at_seam);
  TEST_ASSERT_TRUE(value_at(spline, -kTiny) == at_seam);
  TEST_ASSERT_TRUE(is_nan(value_at(spline, std::numeric_limits<Real>::quiet_NaN())));
  TEST_ASSERT_TRUE(is_nan(value_at(spline, std::numeric_limits<Real>::infinity())));
  TEST_ASSERT_TRUE(is_finite(value_at(spline, kHuge)));
  TEST_ASSERT_TRUE(is_finite(value_at(spline, -kHuge)));
  Inputs inputs(0x5eed'0506U);
  for (int i = 0; i < 10'000; ++i) {
    const Real x = inputs.any_bits<Real>();
    const Real value = value_at(spline, x);
    TEST_ASSERT_TRUE(is_finite(x) ? magnitude(value) < Real(2.5) : is_nan(value));
  }
}

// A float holds samples and bends to 6e-8 and the place to 2e-6 of a spacing, on which the curve
// climbs by up to about 3.
void test_float_agrees_with_double() {
  const Samples samples = random_samples(0x5eed'0507U);
  const auto wide = spline_through<double>(samples, 32, kTwoPi<double>);
  const auto narrow = spline_through<float>(samples, 32, kTwoPi<double>);
  for (int i = 0; i < 1'000; ++i) {
    const float x = static_cast<float>(i) * 0.00628F;
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, value_at(wide, static_cast<double>(x)),
                              static_cast<double>(value_at(narrow, x)));
  }
}

template <typename Real>
std::uint64_t hash_of_values() {
  Hash64 hash;
  Inputs inputs(0x5eed'0508U);
  const auto spline = spline_through<Real>(random_samples(0x5eed'0509U), 60, kTwoPi<double>);
  for (int i = 0; i < 1'000; ++i) {
    hash.add(value_at(spline, inputs.uniform(Real(-7), Real(14))));
  }
  return hash.value();
}

void test_values_have_the_golden_bits() {
  TEST_ASSERT_EQUAL_HEX64(0xb9ff'294f'ba76'fdd1U, hash_of_values<float>());
  TEST_ASSERT_EQUAL_HEX64(0x5322'4d95'3505'e2f2U, hash_of_values<double>());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_four_samples_worked_by_hand);
  RUN_TEST(passes_every_sample<float>);
  RUN_TEST(passes_every_sample<double>);
  RUN_TEST(test_slope_and_curvature_run_on_at_every_sample);
  RUN_TEST(test_error_falls_with_the_fourth_power_of_the_spacing);
  RUN_TEST(test_mean_is_that_of_the_curve);
  RUN_TEST(test_repeats_with_the_period);
  RUN_TEST(any_argument_is_safe<float>);
  RUN_TEST(any_argument_is_safe<double>);
  RUN_TEST(test_float_agrees_with_double);
  RUN_TEST(test_values_have_the_golden_bits);
  return UNITY_END();
}
