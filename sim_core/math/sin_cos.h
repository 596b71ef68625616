// Sine and cosine of an angle in radians, for all finite inputs, same bits on every target.
// Integer range reduction to [-pi/4, pi/4], then one minimax polynomial each, leading term added
// last. Not for angles in degrees or turns; infinity and NaN give NaN.
#pragma once

#include "sim_core/math/float_bits.h"
#include "sim_core/math/horner.h"
#include "sim_core/math/range_reduction.h"

namespace taut::math {

template <typename Real>
struct SinCos {
  Real sin;
  Real cos;
};

namespace detail {

// sin(r) = r + r^3 P(r^2), cos(r) = 1 - r^2/2 + r^4 Q(r^2). Relative errors of the polynomials:
// 2^-32.2 and 2^-33.0 in float, 2^-57.9 and 2^-63.9 in double.
template <typename Real>
struct SinCosPolynomials;

template <>
struct SinCosPolynomials<float> {
  // Sollya: fpminimax(sin(x), [|3,5,7,9|], [|SG...|], [1b-20;pi/4+1b-20], x);
  static constexpr float kSin[] = {-0x1.555556p-3F, 0x1.111164p-7F, -0x1.a04866p-13F,
                                   0x1.77e21p-19F};
  // Sollya: fpminimax(cos(x), [|4,6,8|], [|SG...|], [1b-20;pi/4+1b-20], 1-x^2/2);
  static constexpr float kCos[] = {0x1.55554ap-5F, -0x1.6c0c2ap-10F, 0x1.99e914p-16F};
};

template <>
struct SinCosPolynomials<double> {
  // Sollya: fpminimax(sin(x), [|3,5,7,9,11,13|], [|D...|], [1b-20;pi/4+1b-20], x);
  static constexpr double kSin[] = {-0x1.5555555555548p-3,  0x1.111111110f76p-7,
                                    -0x1.a01a019bf2b7dp-13, 0x1.71de355fa4c72p-19,
                                    -0x1.ae5e550039428p-26, 0x1.5d8e624f8bcbap-33};
  // Sollya: fpminimax(cos(x), [|4,6,8,10,12,14|], [|D...|], [1b-20;pi/4+1b-20], 1-x^2/2);
  static constexpr double kCos[] = {0x1.555555555554bp-5,  -0x1.6c16c16c15018p-10,
                                    0x1.a01a019c8f944p-16, -0x1.27e4f7f1ee757p-22,
                                    0x1.1ee9dc12a7aafp-29, -0x1.8fa6a88f8de3fp-37};
};

template <BinaryFloat Real>
[[nodiscard]] constexpr Real sin_near_zero(Real r) {
  const Real z = r * r;
  return r + r * (z * horner(z, SinCosPolynomials<Real>::kSin));
}

template <BinaryFloat Real>
[[nodiscard]] constexpr Real cos_near_zero(Real r) {
  const Real z = r * r;
  const Real half_z = Real(0.5) * z;
  const Real head = Real(1) - half_z;
  const Real lost = (Real(1) - head) - half_z;  // what rounding the head dropped, exactly
  return head + (lost + z * (z * horner(z, SinCosPolynomials<Real>::kCos)));
}

template <BinaryFloat Real>
[[nodiscard]] constexpr SinCos<Real> sin_cos(Real x) {
  using Uint = UintOf<Real>;
  constexpr int kToSign = FloatBits<Real>::kWidth - 2;  // moves bit 1 to the sign

  // Working on |x| keeps -0 and lets the sign be applied once, at the end.
  const auto [r, quadrant] = reduce_to_quarter_turns(magnitude(x));
  const Real sin_r = sin_near_zero(r);
  const Real cos_r = cos_near_zero(r);
  const bool swapped = (quadrant & 1U) != 0U;
  const Uint sin_sign = ((Uint{quadrant} & 2U) << kToSign) ^ sign_bit(x);
  const Uint cos_sign = ((Uint{quadrant} + 1U) & 2U) << kToSign;
  const Real sin_x = flip_sign(swapped ? cos_r : sin_r, sin_sign);
  const Real cos_x = flip_sign(swapped ? sin_r : cos_r, cos_sign);

  const bool finite = is_finite(x);
  return {finite ? sin_x : x - x, finite ? cos_x : x - x};
}

}  // namespace detail

[[nodiscard]] constexpr SinCos<float> sincos(float x) {
  return detail::sin_cos(x);
}
[[nodiscard]] constexpr SinCos<double> sincos(double x) {
  return detail::sin_cos(x);
}
[[nodiscard]] constexpr float sin(float x) {
  return detail::sin_cos(x).sin;
}
[[nodiscard]] constexpr double sin(double x) {
  return detail::sin_cos(x).sin;
}
[[nodiscard]] constexpr float cos(float x) {
  return detail::sin_cos(x).cos;
}
[[nodiscard]] constexpr double cos(double x) {
  return detail::sin_cos(x).cos;
}

}  // namespace taut::math
