// Correctly rounded square root, and its reciprocal to 1.5 ulp.
// The hardware's instruction where there is one, else digit by digit in integers: same bits.
// Not for a fast approximate 1/sqrt(x): it costs one root and one division.
#pragma once

#include <bit>

#include "sim_core/math/float_bits.h"

namespace taut::math {

namespace detail {

// Restoring square root, one binary digit at a time. Slow (some 55 rounds for double), but every
// line can be checked by hand, it takes the same time for all inputs and it needs no libm.
template <BinaryFloat Real>
[[nodiscard]] constexpr Real sqrt_by_digits(Real x) {
  using Bits = FloatBits<Real>;
  using Uint = UintOf<Real>;
  const bool special = !(x > Real(0)) || !is_finite(x);
  if (special) {
    const bool keeps = x == Real(0) || !(x < Real(0));  // +-0, +inf and NaN are their own roots
    return keeps ? x : (x - x) / (x - x);
  }

  // x = mantissa 2^exponent with the leading one at bit kFractionBits and an even exponent.
  constexpr Uint kOne = kFractionMask<Real> + 1U;
  const Uint bits = to_bits(x);
  const Uint field = bits >> Bits::kFractionBits;
  const Uint fraction = bits & kFractionMask<Real>;
  const Uint unshifted = field != 0U ? fraction | kOne : fraction;
  const int shift = std::countl_zero(unshifted) - (Bits::kWidth - 1 - Bits::kFractionBits);
  const int exponent = static_cast<int>(field != 0U ? field : 1U) - Bits::kBias - shift;
  const Uint mantissa = (unshifted << shift) << (exponent & 1);

  // One digit more than the mantissa holds, to round by. Invariant: remainder = value - root^2 in
  // units of the current digit; it stays below 2 root + 1 and so within the word.
  Uint root = 0;
  Uint remainder = 0;
  Uint digits = mantissa << (Bits::kWidth - Bits::kFractionBits - 2);
  for (int i = 0; i < Bits::kFractionBits + 2; ++i) {
    remainder = (remainder << 2) | (digits >> (Bits::kWidth - 2));
    digits <<= 2;
    const Uint trial = (root << 2) | 1U;
    const bool fits = remainder >= trial;
    remainder -= fits ? trial : 0U;
    root = (root << 1) | (fits ? 1U : 0U);
  }
  // A root is never half way between two numbers, so the extra digit alone decides.
  const Uint rounded_root = (root + 1U) >> 1;
  const auto half_exponent = static_cast<Uint>((exponent >> 1) + Bits::kBias - 1);
  return from_bits<Real>((half_exponent << Bits::kFractionBits) + rounded_root);
}

}  // namespace detail

[[nodiscard]] inline float sqrt(float x) {
#if defined(__x86_64__) || defined(__aarch64__) || (defined(__ARM_FP) && (__ARM_FP & 4))
  return __builtin_sqrtf(x);
#else
  return detail::sqrt_by_digits(x);
#endif
}

[[nodiscard]] inline double sqrt(double x) {
#if defined(__x86_64__) || defined(__aarch64__) || (defined(__ARM_FP) && (__ARM_FP & 8))
  return __builtin_sqrt(x);
#else
  return detail::sqrt_by_digits(x);
#endif
}

namespace detail {

// The zeros are selected by their bits: clang takes 1/sqrt(x) for never negative, forgets -0 and
// then folds comparisons of the result.
template <BinaryFloat Real>
[[nodiscard]] inline Real rsqrt(Real x) {
  const Real at_zero = from_bits<Real>(kInfinityBits<Real> | sign_bit(x));
  return x == Real(0) ? at_zero : Real(1) / math::sqrt(x);
}

}  // namespace detail

// 1/sqrt(x): +inf at +0, -inf at -0, NaN below.
[[nodiscard]] inline float rsqrt(float x) {
  return detail::rsqrt(x);
}
[[nodiscard]] inline double rsqrt(double x) {
  return detail::rsqrt(x);
}

}  // namespace taut::math
