// Arc tangent of a number and of a quotient (atan2), for all inputs; special cases as C Annex F.
// atan(y/x) = k pi/4 + atan(t), |t| <= 1/2, with t = y/x, (y - x)/(y + x) or -x/y; one division.
// Not for angles finer than an ulp of pi: near the negative x axis the result is spaced like pi.
#pragma once

#include <limits>

#include "sim_core/math/float_bits.h"
#include "sim_core/math/horner.h"

namespace taut::math {

namespace detail {

// kHigh + kLow is k pi/4 to twice the precision. atan(t) = t + t^3 P(t^2); relative errors of the
// polynomials: 2^-31.7 and 2^-57.8.
template <typename Real>
struct AtanTable;

template <>
struct AtanTable<float> {
  static constexpr float kHigh[] = {0.0F, 0x1.921fb6p-1F, 0x1.921fb6p+0F, 0x1.2d97c8p+1F,
                                    0x1.921fb6p+1F};
  static constexpr float kLow[] = {0.0F, -0x1.777a5cp-26F, -0x1.777a5cp-25F, -0x1.99bc5cp-28F,
                                   -0x1.777a5cp-24F};
  // Sollya: fpminimax(atan(x), [|3,5,7,9,11,13|], [|SG...|], [1b-20;0.5], x);
  static constexpr float kTail[] = {-0x1.555552p-2F, 0x1.999744p-3F,  -0x1.24503p-3F,
                                    0x1.c07266p-4F,  -0x1.480d2ep-4F, 0x1.3fd504p-5F};
};

template <>
struct AtanTable<double> {
  static constexpr double kHigh[] = {0.0, 0x1.921fb54442d18p-1, 0x1.921fb54442d18p+0,
                                     0x1.2d97c7f3321d2p+1, 0x1.921fb54442d18p+1};
  static constexpr double kLow[] = {0.0, 0x1.1a62633145c07p-55, 0x1.1a62633145c07p-54,
                                    0x1.a79394c9e8a0ap-54, 0x1.1a62633145c07p-53};
  // Sollya: fpminimax(atan(x), [|3,5,7,9,11,13,15,17,19,21,23,25|], [|D...|], [1b-20;0.5], x);
  static constexpr double kTail[] = {
      -0x1.5555555555516p-2, 0x1.9999999991142p-3, -0x1.249249215de3bp-3, 0x1.c71c7090e8ec7p-4,
      -0x1.745cf4cb39789p-4, 0x1.3b113dc14f3cdp-4, -0x1.10f31f1dac3ebp-4, 0x1.dfe977c6dc21ep-5,
      -0x1.a39864e5a4c39p-5, 0x1.56f5c027c5b34p-5, -0x1.c17fb6ad560d1p-6, 0x1.4b83dcb5d9702p-7};
};

template <BinaryFloat Real>
[[nodiscard]] constexpr Real atan2(Real y, Real x) {
  using Table = AtanTable<Real>;

  // 0/0 and inf/inf have no quotient, but Annex F gives them the angles of 0/1 and 1/1. A quarter
  // of very large numbers keeps their sum finite; what the small one loses is below any result.
  constexpr Real kLarge = std::numeric_limits<Real>::max() / Real(4);
  const bool equal = magnitude(y) == magnitude(x);
  const bool large = magnitude(y) > kLarge || magnitude(x) > kLarge;
  const Real scale = large ? Real(0.25) : Real(1);
  const Real equal_y = magnitude(y) > Real(0) ? Real(1) : Real(0);
  const Real up = equal ? equal_y : magnitude(y) * scale;
  const Real along = equal ? Real(1) : magnitude(x) * scale;

  // In the middle the difference is exact. A NaN fails both comparisons and ends up there too.
  const bool flat = up + up <= along;
  const bool steep = up > along + along;
  const Real numerator = flat ? up : (steep ? -along : up - along);
  const Real denominator = flat ? along : (steep ? up : up + along);
  const int eighths = flat ? 0 : (steep ? 2 : 1);

  // Left half plane: pi minus the angle. The sign of zero counts, hence the bit and no comparison.
  const UintOf<Real> left = sign_bit(x);
  const Real t = flip_sign(numerator / denominator, left);
  const int base = left != 0U ? 4 - eighths : eighths;

  const Real z = t * t;
  const Real tail = t * (z * horner(z, Table::kTail)) + Table::kLow[base];
  const Real head = Table::kHigh[base] + t;
  const Real lost = (Table::kHigh[base] - head) + t;  // what rounding the head dropped, exactly
  return flip_sign(head + (lost + tail), sign_bit(y));
}

}  // namespace detail

[[nodiscard]] constexpr float atan2(float y, float x) {
  return detail::atan2(y, x);
}
[[nodiscard]] constexpr double atan2(double y, double x) {
  return detail::atan2(y, x);
}
[[nodiscard]] constexpr float atan(float x) {
  return detail::atan2(x, 1.0F);
}
[[nodiscard]] constexpr double atan(double x) {
  return detail::atan2(x, 1.0);
}

}  // namespace taut::math
