// The hyperbolic tangent for all inputs; odd, never above one, exactly one where it rounds to it.
// |x| < 1: x + x^3 P(x^2) with a minimax P; above: 1 - 2 / (exp(2|x|) + 1).
// Not a cheap sigmoid: both forms are evaluated and one is selected, so that loops vectorise.
#pragma once

#include "sim_core/math/exp.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/horner.h"

namespace taut::math {

namespace detail {

// Relative errors of the polynomials: 2^-27.7 and 2^-56.2.
template <typename Real>
struct TanhPolynomial;

template <>
struct TanhPolynomial<float> {
  // Sollya: fpminimax(tanh(x), [|3,5,7,9,11,13,15|], [|SG...|], [1b-20;1], x);
  static constexpr float kTail[] = {-0x1.55553cp-2F, 0x1.110be6p-3F, -0x1.b96288p-5F,
                                    0x1.600bd6p-6F,  -0x1.04675p-7F, 0x1.2db79ep-9F,
                                    -0x1.7806d8p-12F};
};

template <>
struct TanhPolynomial<double> {
  // Sollya: fpminimax(tanh(x), [|3,5,7,9,11,13,15,17,19,21,23,25,27,29,31|], [|D...|],
  //                   [1b-20;1], x);
  static constexpr double kTail[] = {
      -0x1.555555555550fp-2,  0x1.111111110d7f3p-3,  -0x1.ba1ba1b810d96p-5,  0x1.664f4836aeacfp-6,
      -0x1.226e2ec04362p-7,   0x1.d6d3100ade5ep-9,   -0x1.7d9bccb5a7e86p-10, 0x1.352140e362e56p-11,
      -0x1.f3369ca26c926p-13, 0x1.8d7bedb4d9686p-14, -0x1.2eb6261fb78ebp-15, 0x1.9e17827c2e862p-17,
      -0x1.caf4365ee8aeep-19, 0x1.5f5917f9e79cp-21,  -0x1.0d3b9059a9c7cp-24};
};

template <BinaryFloat Real>
[[nodiscard]] constexpr Real tanh(Real x) {
  // Above 20 even the double is one; the bound keeps both forms and 2^n within range.
  constexpr Real kSaturated = Real(20);
  const Real a = magnitude(x) > kSaturated ? kSaturated : magnitude(x);

  const Real z = a * a;
  const Real near_zero = a + a * (z * horner(z, TanhPolynomial<Real>::kTail));

  const auto [value, exponent] = exp_scaled(Real(2) * a);
  const Real far = Real(1) - Real(2) / (value * power_of_two<Real>(exponent) + Real(1));

  return flip_sign(a < Real(1) ? near_zero : far, sign_bit(x));
}

}  // namespace detail

[[nodiscard]] constexpr float tanh(float x) {
  return detail::tanh(x);
}
[[nodiscard]] constexpr double tanh(double x) {
  return detail::tanh(x);
}

}  // namespace taut::math
