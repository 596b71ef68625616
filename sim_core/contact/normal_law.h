// The force of a contact from its depth and speed: Lankarani and Nikravesh, Pedersen 3.47,
// f = K delta^n [1 + 3(1 - e^2)/4 v/v0], n = 1.5 or 1, never pulling and never above its value at
// v = v0. Not for Pedersen 4.7, and not for remembering v0: the chain's state does that.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/assert.h"
#include "sim_core/math/sqrt.h"

namespace taut::contact {

// Slowest speed of first touch that counts, and the one of rollers seated at the start: where
// v0 -> 0 the quotient v/v0 means nothing (Pedersen leaves it open).
template <typename Real>
inline constexpr Real kSlowestFirstTouch_m_s = Real(0.1);

template <typename Real>
struct NormalLaw {
  Real stiffness_N_m_n;         // K, N/m^n
  Real slope_stiffness_N_m_n;   // n K
  Real energy_stiffness_N_m_n;  // K / (n + 1)
  Real damping;                 // 3(1 - e^2)/4
  Real highest_factor;          // 1 + damping
  bool hertzian;                // n = 1.5, else 1
};
static_assert(std::is_trivially_copyable_v<NormalLaw<double>>);

template <typename Real>
[[nodiscard]] NormalLaw<Real> make_normal_law(double stiffness_N_m_n, double exponent,
                                              double restitution) {
  const bool hertzian = exponent == 1.5;
  TAUT_ASSERT(hertzian || exponent == 1.0, exponent);
  TAUT_ASSERT(restitution >= 0 && restitution <= 1, restitution);
  const double damping = 0.75 * (1 - restitution * restitution);
  return {.stiffness_N_m_n = static_cast<Real>(stiffness_N_m_n),
          .slope_stiffness_N_m_n = static_cast<Real>(exponent * stiffness_N_m_n),
          .energy_stiffness_N_m_n = static_cast<Real>(stiffness_N_m_n / (exponent + 1)),
          .damping = static_cast<Real>(damping),
          .highest_factor = static_cast<Real>(1 + damping),
          .hertzian = hertzian};
}

namespace detail {

// delta^(n-1); a gap, and a NaN, count as no indentation.
template <typename Real>
[[nodiscard]] Real root_of(const NormalLaw<Real>& law, Real indentation_m) {
  return law.hertzian ? math::sqrt(indentation_m) : Real(1);
}
template <typename Real>
[[nodiscard]] Real overlap_of(Real indentation_m) {
  return indentation_m > 0 ? indentation_m : Real(0);
}

}  // namespace detail

// Of a contact at rest.
template <typename Real>
[[nodiscard]] Real elastic_force_N(const NormalLaw<Real>& law, Real indentation_m) {
  const Real overlap_m = detail::overlap_of(indentation_m);
  return law.stiffness_N_m_n * (overlap_m * detail::root_of(law, overlap_m));
}

// d(elastic force)/d(indentation).
template <typename Real>
[[nodiscard]] Real elastic_slope_N_m(const NormalLaw<Real>& law, Real indentation_m) {
  return indentation_m > 0 ? law.slope_stiffness_N_m_n * detail::root_of(law, indentation_m)
                           : Real(0);
}

template <typename Real>
[[nodiscard]] Real elastic_energy_J(const NormalLaw<Real>& law, Real indentation_m) {
  const Real overlap_m = detail::overlap_of(indentation_m);
  return law.energy_stiffness_N_m_n * (overlap_m * overlap_m * detail::root_of(law, overlap_m));
}

// To be kept from first touch to release. Speeds at or below the slowest that counts, receding
// ones too, give that of a seated roller.
template <typename Real>
[[nodiscard]] Real inverse_first_touch_speed_s_m(Real approach_speed_m_s) {
  constexpr Real kSlowest_m_s = kSlowestFirstTouch_m_s<Real>;
  return Real(1) / (approach_speed_m_s > kSlowest_m_s ? approach_speed_m_s : kSlowest_m_s);
}

// approach_speed_m_s > 0: the indentation grows.
template <typename Real>
[[nodiscard]] Real force_N(const NormalLaw<Real>& law, Real indentation_m, Real approach_speed_m_s,
                           Real inverse_first_touch_speed_s_m) {
  const Real factor = Real(1) + law.damping * (approach_speed_m_s * inverse_first_touch_speed_s_m);
  const Real pushing = factor < 0 ? Real(0) : factor;
  const Real bounded = pushing > law.highest_factor ? law.highest_factor : pushing;
  return elastic_force_N(law, indentation_m) * bounded;
}

}  // namespace taut::contact
