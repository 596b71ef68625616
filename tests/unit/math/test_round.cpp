// Rounding to the nearest integer against cases worked by hand.
#include <limits>

#include "unity.h"

#include "sim_core/math/round.h"

namespace {

template <typename Real>
void check(Real expected, Real x) {
  TEST_ASSERT_TRUE(taut::math::to_bits(expected) == taut::math::to_bits(taut::math::round(x)));
}

template <typename Real>
void rounds_to_nearest_even() {
  check<Real>(0, Real(0.25));
  check<Real>(0, Real(0.5));
  check<Real>(2, Real(1.5));
  check<Real>(2, Real(2.5));
  check<Real>(-2, Real(-1.5));
  check<Real>(-3, Real(-2.75));
  check<Real>(-Real(0), Real(-0.25));
  check<Real>(123457, Real(123456.75));
}

template <typename Real>
void leaves_integers_alone() {
  constexpr auto kLargestWithFractions = static_cast<Real>(taut::math::kFractionMask<Real>);
  check(kLargestWithFractions, kLargestWithFractions);
  check(kLargestWithFractions + 1, kLargestWithFractions + 1);
  check(std::numeric_limits<Real>::max(), std::numeric_limits<Real>::max());
  check(-std::numeric_limits<Real>::infinity(), -std::numeric_limits<Real>::infinity());
  TEST_ASSERT_TRUE(taut::math::is_nan(taut::math::round(std::numeric_limits<Real>::quiet_NaN())));
}

void test_rounds_to_nearest_even() {
  rounds_to_nearest_even<float>();
  rounds_to_nearest_even<double>();
}

void test_leaves_integers_alone() {
  leaves_integers_alone<float>();
  leaves_integers_alone<double>();
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_rounds_to_nearest_even);
  RUN_TEST(test_leaves_integers_alone);
  return UNITY_END();
}
