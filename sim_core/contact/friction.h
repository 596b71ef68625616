// Sliding friction, smoothed about standstill: f_t = -mu_d mu_c(|v|) f sgn(v), Pedersen 3.96, with
// mu_c of 3.97 (cubic), 3.98 (tanh), or appendix G (arctan, logistic). The tanh runs on where 3.98
// jumps to one at v*; it is a quotient of polynomials, within 1.1e-6, for a law is a shape, not a
// measurement. Not for stiction: at standstill the force is zero and everything creeps.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/assert.h"
#include "sim_core/math/atan.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"

namespace taut::contact {

enum class FrictionForm : std::uint8_t { kCubic, kTanh, kArctan, kLogistic };

template <typename Real>
struct Friction {
  Real coefficient;        // mu_d
  Real inverse_speed_s_m;  // scales the sliding speed to the law's argument
  FrictionForm form;
};
static_assert(std::is_trivially_copyable_v<Friction<double>>);

// speed_m_s: v*; sharpness: eps, which the cubic does not use.
template <typename Real>
[[nodiscard]] Friction<Real> make_friction(FrictionForm form, double coefficient, double speed_m_s,
                                           double sharpness) {
  TAUT_ASSERT(coefficient >= 0, coefficient);
  TAUT_ASSERT(speed_m_s > 0, speed_m_s);
  TAUT_ASSERT(form == FrictionForm::kCubic || sharpness > 0, sharpness);
  // The logistic sign 2/(1 + exp(-z)) - 1 is tanh(z/2), without the cancellation near zero.
  const double width_m_s = form == FrictionForm::kCubic      ? speed_m_s
                           : form == FrictionForm::kLogistic ? 2 * sharpness * speed_m_s
                                                             : sharpness * speed_m_s;
  return {.coefficient = static_cast<Real>(coefficient),
          .inverse_speed_s_m = static_cast<Real>(1 / width_m_s),
          .form = form};
}

// tanh(z) as z P(z^2)/Q(z^2), minimax to a relative 1.04e-6 for |z| <= 7 and constant beyond:
// grows, and ends 6e-7 below one. A quarter of the true function's cost, and it is on every
// contact.
template <typename Real>
[[nodiscard]] Real rational_tanh(Real z) {
  constexpr Real kEnd = Real(7);
  constexpr Real kP[] = {Real(0.9999989676825627), Real(0.12322065998750423),
                         Real(0.0022930980009966645), Real(3.995907041743638e-06)};
  constexpr Real kQ[] = {Real(1), Real(0.45654626072751453), Real(0.021151659185380367),
                         Real(0.00014398537554087136)};
  const Real not_below = z < -kEnd ? -kEnd : z;
  const Real held = not_below > kEnd ? kEnd : not_below;
  const Real u = held * held;
  const Real p = kP[0] + u * (kP[1] + u * (kP[2] + u * kP[3]));
  const Real q = kQ[0] + u * (kQ[1] + u * (kQ[2] + u * kQ[3]));
  return held * p / q;
}

// sgn(v) mu_c(|v|): odd, growing, within [-1, 1].
template <typename Real>
[[nodiscard]] Real smooth_sign(const Friction<Real>& friction, Real sliding_speed_m_s) {
  const Real z = sliding_speed_m_s * friction.inverse_speed_s_m;
  switch (friction.form) {
    case FrictionForm::kCubic: {
      const Real s = math::magnitude(z) > Real(1) ? Real(1) : math::magnitude(z);
      return math::flip_sign(s * s * (Real(3) - Real(2) * s), math::sign_bit(z));
    }
    case FrictionForm::kArctan: {
      constexpr Real kTwoOverPi = Real(0x1.45f306dc9c883p-1);
      return kTwoOverPi * math::atan(z);
    }
    case FrictionForm::kTanh:
    case FrictionForm::kLogistic:
      break;
  }
  return rational_tanh(z);
}

// Along the tangent in which the speed is measured.
template <typename Real>
[[nodiscard]] Real friction_force_N(const Friction<Real>& friction, Real normal_force_N,
                                    Real sliding_speed_m_s) {
  return -(friction.coefficient * normal_force_N) * smooth_sign(friction, sliding_speed_m_s);
}

}  // namespace taut::contact
