// The exponential function for all inputs, with gradual underflow and overflow to infinity.
// x = n ln2 + r, |r| <= ln2/2; exp(x) = 2^n (1 + r + r^2 P(r)) with a minimax P.
// Not for exp(x) - 1 at small x: the difference cancels (tanh.h has its own way).
#pragma once

#include "sim_core/math/float_bits.h"
#include "sim_core/math/horner.h"

namespace taut::math {

namespace detail {

// kLn2High has so few bits that n kLn2High is exact for every n that occurs; kLn2Low is the rest.
// kRound pushes the fraction bits out of the mantissa: adding it rounds to an integer and leaves
// that integer in the low bits. Relative errors of the polynomials: 2^-28.2 and 2^-57.9.
// Beyond [kLowest, kHighest] the result is 0 or infinity.
template <typename Real>
struct ExpTable;

template <>
struct ExpTable<float> {
  static constexpr float kLowest = -104.0F;
  static constexpr float kHighest = 89.0F;
  static constexpr float kLog2E = 0x1.715476p+0F;
  static constexpr float kLn2High = 0x1.62e4p-1F;
  static constexpr float kLn2Low = 0x1.7f7d1cp-20F;
  static constexpr float kRound = 0x1.8p23F;
  // Sollya: fpminimax(exp(x), [|2,3,4,5,6|], [|SG...|], [-0.3468;0.3468], 1+x);
  static constexpr float kTail[] = {0x1.fffffcp-2F, 0x1.55549p-3F, 0x1.55589ep-5F, 0x1.123abcp-7F,
                                    0x1.6a624cp-10F};
};

template <>
struct ExpTable<double> {
  static constexpr double kLowest = -746.0;
  static constexpr double kHighest = 710.0;
  static constexpr double kLog2E = 0x1.71547652b82fep+0;
  static constexpr double kLn2High = 0x1.62e42fefa38p-1;
  static constexpr double kLn2Low = 0x1.ef35793c7673p-45;
  static constexpr double kRound = 0x1.8p52;
  // Sollya: fpminimax(exp(x), [|2,3,4,5,6,7,8,9,10,11|], [|D...|], [-0.3468;0.3468], 1+x);
  static constexpr double kTail[] = {
      0x1.000000000000ap-1,  0x1.55555555554fdp-3,  0x1.555555555069cp-5,  0x1.1111111126ecbp-7,
      0x1.6c16c18482215p-10, 0x1.a01a012edf544p-13, 0x1.a01999392aa6bp-16, 0x1.71df1af29698ep-19,
      0x1.28ae252d7985dp-22, 0x1.ad904c24186d5p-26};
};

// exp(x) = value * 2^exponent. A NaN comes out in `value`; its exponent is then meaningless.
template <typename Real>
struct ScaledExp {
  Real value;  // within [0.70, 1.42]
  IntOf<Real> exponent;
};

// kLowest <= x <= kHighest, or NaN.
template <BinaryFloat Real>
[[nodiscard]] constexpr ScaledExp<Real> exp_scaled(Real x) {
  using Table = ExpTable<Real>;
  const Real shifted = x * Table::kLog2E + Table::kRound;
  const Real n = shifted - Table::kRound;
  // Read from the bits, not converted: a NaN has no integer, and targets disagree about it.
  const auto exponent = static_cast<IntOf<Real>>(to_bits(shifted) - to_bits(Table::kRound));
  const Real r = (x - n * Table::kLn2High) - n * Table::kLn2Low;
  return {Real(1) + (r + r * r * horner(r, Table::kTail)), exponent};
}

template <BinaryFloat Real>
[[nodiscard]] constexpr Real exp(Real x) {
  using Table = ExpTable<Real>;
  const Real not_below = x < Table::kLowest ? Table::kLowest : x;
  const Real clamped = not_below > Table::kHighest ? Table::kHighest : not_below;
  const auto [value, exponent] = exp_scaled(clamped);
  // 2^n alone may be out of range where the result is not. Both halves are normal numbers, so only
  // the last product rounds: once, into the subnormals.
  const IntOf<Real> half = exponent >> 1;
  return value * power_of_two<Real>(half) * power_of_two<Real>(exponent - half);
}

}  // namespace detail

[[nodiscard]] constexpr float exp(float x) {
  return detail::exp(x);
}
[[nodiscard]] constexpr double exp(double x) {
  return detail::exp(x);
}

}  // namespace taut::math
