// The force of a contact from its depth and speed, f = K delta^n [1 + d v/v0], the factor held
// between two bounds. Hard surfaces: Lankarani and Nikravesh, Pedersen 3.47, d = 3(1 - e^2)/4,
// n = 1.5 or 1, v0 of first touch; never pulling, never above its value at v = v0. Rubber: an
// elastic layer with hysteresis. Not for Pedersen 4.7, and not for remembering v0: the chain's
// state does that.
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

// Speed beyond which rubber loads or unloads in full. Small beside the speeds that rollers meet
// bars with (0.1 m/s and more), so that what is lost hardly depends on speed; not smaller, since
// about standstill the law is a damper of h f/v_s, which an explicit step must bear.
inline constexpr double kHysteresisSpeed_m_s = 0.01;

template <typename Real>
struct NormalLaw {
  Real stiffness_N_m_n;         // K, N/m^n
  Real slope_stiffness_N_m_n;   // n K
  Real energy_stiffness_N_m_n;  // K / (n + 1)
  Real damping;                 // 3(1 - e^2)/4, or h of rubber
  Real lowest_factor;           // 0, or 1 - h
  Real highest_factor;          // 1 + damping
  Real own_inverse_speed_s_m;   // of rubber; 0: that of first touch counts
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
          .lowest_factor = 0,
          .highest_factor = static_cast<Real>(1 + damping),
          .own_inverse_speed_s_m = 0,
          .hertzian = hertzian};
}

// Rubber of thickness t bonded to a rigid back, under a cylinder of radius R and width w. Each
// strip of the layer stands for itself (an elastic foundation): pressure E u/t, u = delta -
// x^2/(2R) over |x| < sqrt(2 R delta), in all f = 4/3 (E w/t) sqrt(2R) delta^1.5. Of the energy
// of loading the part psi is lost, at any speed: loading takes the factor 1 + h, unloading 1 - h,
// so psi = 2h/(1 + h). Not for depths near the thickness, where rubber stiffens.
struct LiningSpec {
  double modulus_Pa;
  double width_m;
  double thickness_m;
  double roller_radius_m;
  double hysteresis;  // psi
};

template <typename Real>
[[nodiscard]] NormalLaw<Real> make_lining_law(const LiningSpec& lining) {
  TAUT_ASSERT(lining.thickness_m > 0, lining.thickness_m);
  TAUT_ASSERT(lining.hysteresis >= 0 && lining.hysteresis <= 1, lining.hysteresis);
  const double stiffness_N_m_n = 4.0 / 3 * lining.modulus_Pa * lining.width_m / lining.thickness_m *
                                 math::sqrt(2 * lining.roller_radius_m);
  const double h = lining.hysteresis / (2 - lining.hysteresis);
  NormalLaw<Real> law = make_normal_law<Real>(stiffness_N_m_n, 1.5, 1);
  law.damping = static_cast<Real>(h);
  law.lowest_factor = static_cast<Real>(1 - h);
  law.highest_factor = static_cast<Real>(1 + h);
  law.own_inverse_speed_s_m = static_cast<Real>(1 / kHysteresisSpeed_m_s);
  return law;
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

// Of first touch, to be kept until release. Speeds at or below the slowest that counts, receding
// ones too, give that of a seated roller.
template <typename Real>
[[nodiscard]] Real inverse_first_touch_speed_s_m(Real approach_speed_m_s) {
  constexpr Real kSlowest_m_s = kSlowestFirstTouch_m_s<Real>;
  return Real(1) / (approach_speed_m_s > kSlowest_m_s ? approach_speed_m_s : kSlowest_m_s);
}

// What the speed is divided by: rubber has a speed of its own.
template <typename Real>
[[nodiscard]] Real inverse_speed_s_m(const NormalLaw<Real>& law,
                                     Real inverse_first_touch_speed_s_m) {
  return law.own_inverse_speed_s_m > 0 ? law.own_inverse_speed_s_m : inverse_first_touch_speed_s_m;
}

// approach_speed_m_s > 0: the indentation grows.
template <typename Real>
[[nodiscard]] Real force_N(const NormalLaw<Real>& law, Real indentation_m, Real approach_speed_m_s,
                           Real inverse_first_touch_speed_s_m) {
  const Real speed = approach_speed_m_s * inverse_speed_s_m(law, inverse_first_touch_speed_s_m);
  const Real factor = Real(1) + law.damping * speed;
  const Real raised = factor < law.lowest_factor ? law.lowest_factor : factor;
  const Real bounded = raised > law.highest_factor ? law.highest_factor : raised;
  return elastic_force_N(law, indentation_m) * bounded;
}

}  // namespace taut::contact
