// Special values of the elementary functions, to the bit: zeros of both signs, infinities, NaN,
// subnormals, overflow and underflow, and the table of C Annex F for atan2.

#include <initializer_list>
#include <limits>

#include "unity.h"

#include "sim_core/math/atan.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/exp.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/math/tanh.h"

namespace {

namespace math = taut::math;

template <typename Real>
constexpr Real kInf = std::numeric_limits<Real>::infinity();
template <typename Real>
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
template <typename Real>
constexpr Real kTiny = std::numeric_limits<Real>::denorm_min();
template <typename Real>
constexpr Real kMin = std::numeric_limits<Real>::min();
template <typename Real>
constexpr Real kMax = std::numeric_limits<Real>::max();

template <typename Real>  // largest power of two
constexpr Real kHuge = kMax<Real> / (Real(2) - std::numeric_limits<Real>::epsilon());

template <typename Real>
Real next(Real x) {
  return math::from_bits<Real>(math::to_bits(x) + 1U);
}

// Bits, so that -0 differs from +0.
template <typename Real>
void expect_same(Real expected, Real actual) {
  TEST_ASSERT_EQUAL_HEX64(math::to_bits(expected), math::to_bits(actual));
}

template <typename Real>
void expect_nan(Real actual) {
  TEST_ASSERT_TRUE(math::is_nan(actual));
}

// A volatile round trip keeps the compiler from answering in our stead.
template <typename Real>
Real given(Real x) {
  volatile Real kept = x;
  return kept;
}

template <typename Real, typename Function>
void expect_identity_near_zero(Function f) {
  for (const Real x : {Real(0), kTiny<Real>, Real(3) * kTiny<Real>, kMin<Real>, kMin<Real> / 2}) {
    expect_same(x, f(given(x)));
    expect_same(-x, f(given(-x)));
  }
}

template <typename Real>
void odd_functions_keep_zeros_and_subnormals() {
  expect_identity_near_zero<Real>([](Real x) { return math::sin(x); });
  expect_identity_near_zero<Real>([](Real x) { return math::sincos(x).sin; });
  expect_identity_near_zero<Real>([](Real x) { return math::atan(x); });
  expect_identity_near_zero<Real>([](Real x) { return math::tanh(x); });
}

template <typename Real>
void nan_in_gives_nan_out() {
  for (const Real x : {given(kNan<Real>), given(-kNan<Real>)}) {
    expect_nan(math::sin(x));
    expect_nan(math::cos(x));
    expect_nan(math::sincos(x).sin);
    expect_nan(math::sincos(x).cos);
    expect_nan(math::atan(x));
    expect_nan(math::tanh(x));
    expect_nan(math::exp(x));
    expect_nan(math::sqrt(x));
    expect_nan(math::rsqrt(x));
    for (const Real other : {Real(0), Real(-0.0F), Real(1), -kInf<Real>, kInf<Real>, x}) {
      expect_nan(math::atan2(x, given(other)));
      expect_nan(math::atan2(given(other), x));
    }
  }
}

template <typename Real>
void sin_and_cos_of_infinity_are_nan() {
  for (const Real x : {given(kInf<Real>), given(-kInf<Real>)}) {
    expect_nan(math::sin(x));
    expect_nan(math::cos(x));
    expect_nan(math::sincos(x).sin);
    expect_nan(math::sincos(x).cos);
  }
}

template <typename Real>
void cos_of_zero_and_subnormals_is_one() {
  for (const Real x : {Real(0), Real(-0.0F), kTiny<Real>, -kTiny<Real>, kMin<Real>}) {
    expect_same(Real(1), math::cos(given(x)));
    expect_same(Real(1), math::sincos(given(x)).cos);
  }
}

template <typename Real>
void sincos_agrees_with_sin_and_cos_and_is_odd_and_even() {
  for (const Real x : {Real(0.5), Real(0.7853982), Real(1), Real(2), Real(3), Real(4), Real(5.5),
                       Real(1e6), kMax<Real>}) {
    const auto both = math::sincos(given(x));
    const auto mirrored = math::sincos(given(-x));
    expect_same(math::sin(given(x)), both.sin);
    expect_same(math::cos(given(x)), both.cos);
    expect_same(-both.sin, mirrored.sin);
    expect_same(both.cos, mirrored.cos);
  }
}

template <typename Real>
void sin_and_cos_of_quadrant_angles_have_the_right_signs() {
  const Real angles[] = {Real(1), Real(2), Real(4), Real(6)};
  const bool sin_positive[] = {true, true, false, false};
  const bool cos_positive[] = {true, false, false, true};
  for (int i = 0; i < 4; ++i) {
    TEST_ASSERT_EQUAL(sin_positive[i], math::sin(given(angles[i])) > Real(0));
    TEST_ASSERT_EQUAL(cos_positive[i], math::cos(given(angles[i])) > Real(0));
  }
}

template <typename Real>
void exp_of_special_values() {
  expect_same(Real(1), math::exp(given(Real(0))));
  expect_same(Real(1), math::exp(given(Real(-0.0F))));
  expect_same(Real(1), math::exp(given(kTiny<Real>)));
  expect_same(kInf<Real>, math::exp(given(kInf<Real>)));
  expect_same(Real(0), math::exp(given(-kInf<Real>)));
  expect_same(kInf<Real>, math::exp(given(kMax<Real>)));
  expect_same(Real(0), math::exp(given(-kMax<Real>)));
}

// The largest argument with a finite result and the least one with a result above zero.
template <typename Real>
void exp_overflows_and_underflows_exactly_where_it_should() {
  constexpr Real kLastFinite =
      sizeof(Real) == 4 ? Real(0x1.62e42ep+6F) : Real(0x1.62e42fefa39efp+9);
  constexpr Real kLastNonZero =
      sizeof(Real) == 4 ? Real(-0x1.9fe368p+6F) : Real(-0x1.74910d52d3051p+9);
  TEST_ASSERT_TRUE(math::is_finite(math::exp(given(kLastFinite))));
  expect_same(kInf<Real>, math::exp(given(next(kLastFinite))));
  expect_same(kTiny<Real>, math::exp(given(kLastNonZero)));
  expect_same(Real(0), math::exp(given(next(kLastNonZero))));
}

template <typename Real>
void tanh_saturates_at_exactly_one() {
  constexpr Real kSaturated = sizeof(Real) == 4 ? Real(9.1F) : Real(19.1);
  for (const Real x : {kSaturated, Real(20), next(Real(20)), Real(1e9), kMax<Real>, kInf<Real>}) {
    expect_same(Real(1), math::tanh(given(x)));
    expect_same(Real(-1), math::tanh(given(-x)));
  }
}

template <typename Real>
void tanh_never_exceeds_one_nor_turns_back_at_the_seam() {
  Real before = Real(0);
  for (int i = -2000; i <= 2000; ++i) {
    // One ulp apart, across the seam of the two formulas at one.
    const auto bits = static_cast<math::IntOf<Real>>(math::to_bits(Real(1))) + i;
    const Real now = math::tanh(math::from_bits<Real>(static_cast<math::UintOf<Real>>(bits)));
    // Not monotonic to the last bit, but never two of them back.
    TEST_ASSERT_TRUE(now >= before * (Real(1) - 2 * std::numeric_limits<Real>::epsilon()));
    TEST_ASSERT_TRUE(now < Real(1));
    before = now;
  }
}

template <typename Real>
void atan_of_special_values() {
  expect_same(math::kHalfPi<Real>, math::atan(given(kInf<Real>)));
  expect_same(-math::kHalfPi<Real>, math::atan(given(-kInf<Real>)));
  expect_same(math::kHalfPi<Real>, math::atan(given(kMax<Real>)));
  expect_same(math::kQuarterPi<Real>, math::atan(given(Real(1))));
  expect_same(-math::kQuarterPi<Real>, math::atan(given(Real(-1))));
}

// Both signs of y: the result is odd in y.
template <typename Real>
void expect_atan2(Real expected, Real y, Real x) {
  expect_same(expected, math::atan2(given(y), given(x)));
  expect_same(-expected, math::atan2(given(-y), given(x)));
}

template <typename Real>
void atan2_follows_annex_f() {
  constexpr Real kPi = math::kPi<Real>;
  constexpr Real kHalfPi = math::kHalfPi<Real>;
  constexpr Real kThreeQuarterPi =
      sizeof(Real) == 4 ? Real(0x1.2d97c8p+1F) : Real(0x1.2d97c7f3321d2p+1);
  const Real positive[] = {kTiny<Real>, kMin<Real>, Real(1), kMax<Real>};

  expect_atan2(Real(0), Real(0), Real(0));
  expect_atan2(kPi, Real(0), Real(-0.0F));
  for (const Real finite : positive) {
    expect_atan2(Real(0), Real(0), finite);
    expect_atan2(kPi, Real(0), -finite);
    expect_atan2(kHalfPi, finite, Real(0));
    expect_atan2(kHalfPi, finite, Real(-0.0F));
    expect_atan2(Real(0), finite, kInf<Real>);
    expect_atan2(kPi, finite, -kInf<Real>);
    expect_atan2(kHalfPi, kInf<Real>, finite);
    expect_atan2(kHalfPi, kInf<Real>, -finite);
    expect_atan2(math::kQuarterPi<Real>, finite, finite);
    expect_atan2(kThreeQuarterPi, finite, -finite);
  }
  expect_atan2(Real(0), Real(0), kInf<Real>);
  expect_atan2(kPi, Real(0), -kInf<Real>);
  expect_atan2(kHalfPi, kInf<Real>, Real(0));
  expect_atan2(kHalfPi, kInf<Real>, Real(-0.0F));
  expect_atan2(math::kQuarterPi<Real>, kInf<Real>, kInf<Real>);
  expect_atan2(kThreeQuarterPi, kInf<Real>, -kInf<Real>);
}

template <typename Real>
void atan2_of_extreme_quotients() {
  expect_atan2(Real(0), kTiny<Real>, kMax<Real>);
  expect_atan2(math::kPi<Real>, kTiny<Real>, -kMax<Real>);
  expect_atan2(math::kHalfPi<Real>, kMax<Real>, kTiny<Real>);
  expect_atan2(math::kHalfPi<Real>, kMax<Real>, -kTiny<Real>);
  // Subnormal results: 5/4 and 7/4 of the least number round to one and two of them.
  expect_atan2(kTiny<Real>, Real(5) * kTiny<Real>, Real(4));
  expect_atan2(Real(2) * kTiny<Real>, Real(7) * kTiny<Real>, Real(4));
  // Simple quotients of subnormals and of huge numbers: no bit lost, no overflow.
  expect_same(math::atan(Real(0.5)), math::atan2(kTiny<Real>, Real(2) * kTiny<Real>));
  expect_same(math::atan(Real(2)), math::atan2(Real(2) * kTiny<Real>, kTiny<Real>));
  expect_same(math::atan(Real(0.75)), math::atan2(Real(3) * kTiny<Real>, Real(4) * kTiny<Real>));
  expect_same(math::atan(Real(0.5)), math::atan2(kHuge<Real> / 2, kHuge<Real>));
  expect_same(math::atan(Real(2)), math::atan2(kHuge<Real>, kHuge<Real> / 2));
}

template <typename Real>
void square_roots_of_special_values() {
  expect_same(Real(0), math::sqrt(given(Real(0))));
  expect_same(Real(-0.0F), math::sqrt(given(Real(-0.0F))));
  expect_same(kInf<Real>, math::sqrt(given(kInf<Real>)));
  expect_same(Real(3), math::sqrt(given(Real(9))));
  expect_nan(math::sqrt(given(Real(-1))));
  expect_nan(math::sqrt(given(-kTiny<Real>)));
  expect_nan(math::sqrt(given(-kInf<Real>)));

  expect_same(kInf<Real>, math::rsqrt(given(Real(0))));
  expect_same(-kInf<Real>, math::rsqrt(given(Real(-0.0F))));
  expect_same(Real(0), math::rsqrt(given(kInf<Real>)));
  expect_same(Real(0.25), math::rsqrt(given(Real(16))));
  expect_nan(math::rsqrt(given(Real(-1))));
  expect_nan(math::rsqrt(given(-kInf<Real>)));
  TEST_ASSERT_TRUE(math::is_finite(math::rsqrt(given(kTiny<Real>))));
  TEST_ASSERT_TRUE(math::rsqrt(given(Real(-0.0F))) < Real(0));  // one compiler would fold this
}

// The same code, evaluated by the compiler and by the machine.
template <typename Real>
void compile_time_results_are_run_time_results() {
  constexpr Real kX = Real(1234.5F);
  constexpr Real kSin = math::sin(kX);
  constexpr Real kAtan2 = math::atan2(kX, Real(-77));
  constexpr Real kExp = math::exp(Real(-1.25F));
  constexpr Real kTanh = math::tanh(Real(1.5F));
  expect_same(kSin, math::sin(given(kX)));
  expect_same(kAtan2, math::atan2(given(kX), given(Real(-77))));
  expect_same(kExp, math::exp(given(Real(-1.25F))));
  expect_same(kTanh, math::tanh(given(Real(1.5F))));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(odd_functions_keep_zeros_and_subnormals<float>);
  RUN_TEST(odd_functions_keep_zeros_and_subnormals<double>);
  RUN_TEST(nan_in_gives_nan_out<float>);
  RUN_TEST(nan_in_gives_nan_out<double>);
  RUN_TEST(sin_and_cos_of_infinity_are_nan<float>);
  RUN_TEST(sin_and_cos_of_infinity_are_nan<double>);
  RUN_TEST(cos_of_zero_and_subnormals_is_one<float>);
  RUN_TEST(cos_of_zero_and_subnormals_is_one<double>);
  RUN_TEST(sincos_agrees_with_sin_and_cos_and_is_odd_and_even<float>);
  RUN_TEST(sincos_agrees_with_sin_and_cos_and_is_odd_and_even<double>);
  RUN_TEST(sin_and_cos_of_quadrant_angles_have_the_right_signs<float>);
  RUN_TEST(sin_and_cos_of_quadrant_angles_have_the_right_signs<double>);
  RUN_TEST(exp_of_special_values<float>);
  RUN_TEST(exp_of_special_values<double>);
  RUN_TEST(exp_overflows_and_underflows_exactly_where_it_should<float>);
  RUN_TEST(exp_overflows_and_underflows_exactly_where_it_should<double>);
  RUN_TEST(tanh_saturates_at_exactly_one<float>);
  RUN_TEST(tanh_saturates_at_exactly_one<double>);
  RUN_TEST(tanh_never_exceeds_one_nor_turns_back_at_the_seam<float>);
  RUN_TEST(tanh_never_exceeds_one_nor_turns_back_at_the_seam<double>);
  RUN_TEST(atan_of_special_values<float>);
  RUN_TEST(atan_of_special_values<double>);
  RUN_TEST(atan2_follows_annex_f<float>);
  RUN_TEST(atan2_follows_annex_f<double>);
  RUN_TEST(atan2_of_extreme_quotients<float>);
  RUN_TEST(atan2_of_extreme_quotients<double>);
  RUN_TEST(square_roots_of_special_values<float>);
  RUN_TEST(square_roots_of_special_values<double>);
  RUN_TEST(compile_time_results_are_run_time_results<float>);
  RUN_TEST(compile_time_results_are_run_time_results<double>);
  return UNITY_END();
}
