// The bit pattern of an IEEE 754 binary32 or binary64 number, and what can be read or built from
// it. Guards the assumptions of this folder: IEEE types, no excess precision, no -ffast-math. Not
// for arithmetic on values: rounding belongs to the callers.
#pragma once

#include <bit>
#include <cfloat>
#include <concepts>
#include <cstdint>
#include <limits>

#ifdef __FAST_MATH__
#error "-ffast-math reorders sums and drops NaN: the same bits everywhere need it off"
#endif

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);
static_assert(FLT_EVAL_METHOD == 0, "x87-style excess precision changes results");

namespace taut::math {

template <typename Real>
concept BinaryFloat = std::same_as<Real, float> || std::same_as<Real, double>;

template <BinaryFloat Real>
struct FloatBits;

template <>
struct FloatBits<float> {
  using Uint = std::uint32_t;
  using Int = std::int32_t;
  static constexpr int kWidth = 32;
  static constexpr int kFractionBits = 23;
  static constexpr int kBias = 127;
};

template <>
struct FloatBits<double> {
  using Uint = std::uint64_t;
  using Int = std::int64_t;
  static constexpr int kWidth = 64;
  static constexpr int kFractionBits = 52;
  static constexpr int kBias = 1023;
};

template <typename Real>
using UintOf = typename FloatBits<Real>::Uint;
template <typename Real>
using IntOf = typename FloatBits<Real>::Int;

template <typename Real>
inline constexpr UintOf<Real> kSignMask = UintOf<Real>(1) << (FloatBits<Real>::kWidth - 1);
template <typename Real>
inline constexpr UintOf<Real> kFractionMask = (UintOf<Real>(1) << FloatBits<Real>::kFractionBits) -
                                              1U;
template <typename Real>
inline constexpr UintOf<Real> kInfinityBits = ~(kSignMask<Real> | kFractionMask<Real>);

template <BinaryFloat Real>
[[nodiscard]] constexpr UintOf<Real> to_bits(Real x) {
  return std::bit_cast<UintOf<Real>>(x);
}

template <BinaryFloat Real>
[[nodiscard]] constexpr Real from_bits(UintOf<Real> bits) {
  return std::bit_cast<Real>(bits);
}

template <BinaryFloat Real>
[[nodiscard]] constexpr UintOf<Real> sign_bit(Real x) {
  return to_bits(x) & kSignMask<Real>;
}

template <BinaryFloat Real>
[[nodiscard]] constexpr Real magnitude(Real x) {
  return from_bits<Real>(to_bits(x) & ~kSignMask<Real>);
}

// Flips the sign of x where `sign` has the sign bit set. Unlike a product with -1 it keeps the
// payload of a NaN and costs no floating-point operation.
template <BinaryFloat Real>
[[nodiscard]] constexpr Real flip_sign(Real x, UintOf<Real> sign) {
  return from_bits<Real>(to_bits(x) ^ sign);
}

template <BinaryFloat Real>
[[nodiscard]] constexpr bool is_finite(Real x) {
  return (to_bits(x) & kInfinityBits<Real>) != kInfinityBits<Real>;
}

template <BinaryFloat Real>
[[nodiscard]] constexpr bool is_nan(Real x) {
  return (to_bits(x) & ~kSignMask<Real>) > kInfinityBits<Real>;
}

// 2^n while that is a normal number. Beyond, the bits mean nothing, but the behaviour stays
// defined.
template <BinaryFloat Real>
[[nodiscard]] constexpr Real power_of_two(IntOf<Real> n) {
  using Bits = FloatBits<Real>;
  return from_bits<Real>((static_cast<UintOf<Real>>(n) + UintOf<Real>(Bits::kBias))
                         << Bits::kFractionBits);
}

}  // namespace taut::math
