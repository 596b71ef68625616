// A free strand: rollers joined by link spring-dampers (Pedersen 3.7) between a
// fixed end and an end that is shaken across the strand. Semi-implicit Euler.
// No sprockets and no contact: it shows the link force alone and that every
// machine computes the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/math/constants.h"
#include "sim_core/math/hash.h"
#include "sim_core/math/linear_algebra.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"

namespace taut::roller_chain {

inline constexpr std::size_t kStrandRollers = 144;

// The chain of 6S90MC-C (Pedersen table 5.6) stretched straight, shaken at the
// 6th order of 76 rpm.
struct StrandSpec {
  double pitch_m = 0.1143;
  double roller_mass_kg = 13.6;
  double link_stiffness_N_m = 2137e6;
  double link_damping_N_s_m = 20e3;
  double pretension_N = 40e3;
  double gravity_m_s2 = 9.81;
  double shake_amplitude_m = 0.02;
  double shake_frequency_Hz = 7.6;
  double step_s = 50e-6;
};

template <typename Real>
struct StrandModel {
  Real pitch_m;
  Real link_stiffness_N_m;
  Real link_damping_N_s_m;
  Real roller_mass_inverse_1_kg;
  Real gravity_m_s2;
  Real shake_amplitude_m;
  Real shake_speed_m_s;
  Real shake_step_rad;
  Real step_s;
  Real spacing_m;  // of neighbouring rollers under the pre-tension
};

// Points 0 and kStrandRollers + 1 are the ends; the rollers lie between them.
template <typename Real>
struct StrandState {
  using Points = etl::array<Real, kStrandRollers + 2>;
  Points x_m;
  Points y_m;
  Points x_m_s;
  Points y_m_s;
  std::uint32_t steps;
};
static_assert(std::is_trivially_copyable_v<StrandState<double>>);

template <typename Real>
struct StrandScratch {
  using Links = etl::array<Real, kStrandRollers + 1>;
  Links pull_x_N;  // link i pulls point i towards point i + 1
  Links pull_y_N;
};

template <typename Real>
[[nodiscard]] StrandModel<Real> make_strand_model(const StrandSpec& spec) {
  const double shake_rad_s = 2.0 * math::kPi<double> * spec.shake_frequency_Hz;
  return {
      .pitch_m = static_cast<Real>(spec.pitch_m),
      .link_stiffness_N_m = static_cast<Real>(spec.link_stiffness_N_m),
      .link_damping_N_s_m = static_cast<Real>(spec.link_damping_N_s_m),
      .roller_mass_inverse_1_kg = static_cast<Real>(1.0 / spec.roller_mass_kg),
      .gravity_m_s2 = static_cast<Real>(spec.gravity_m_s2),
      .shake_amplitude_m = static_cast<Real>(spec.shake_amplitude_m),
      .shake_speed_m_s = static_cast<Real>(spec.shake_amplitude_m * shake_rad_s),
      .shake_step_rad = static_cast<Real>(shake_rad_s * spec.step_s),
      .step_s = static_cast<Real>(spec.step_s),
      .spacing_m = static_cast<Real>(spec.pitch_m + spec.pretension_N / spec.link_stiffness_N_m)};
}

// Straight, stretched by the pre-tension, at rest.
template <typename Real>
void init(const StrandModel<Real>& model, StrandState<Real>& state) {
  for (std::size_t i = 0; i < state.x_m.size(); ++i) {
    state.x_m[i] = static_cast<Real>(i) * model.spacing_m;
  }
  state.y_m.fill(0);
  state.x_m_s.fill(0);
  state.y_m_s.fill(0);
  state.steps = 0;
}

template <typename Real>
void shake_end(const StrandModel<Real>& model, StrandState<Real>& state) {
  const auto shake = math::sincos(static_cast<Real>(state.steps) * model.shake_step_rad);
  state.y_m.back() = model.shake_amplitude_m * shake.sin;
  state.y_m_s.back() = model.shake_speed_m_s * shake.cos;
}

// Pedersen 3.7: K (|l| - P) + D d|l|/dt along the link.
template <typename Real>
void compute_link_forces(const StrandModel<Real>& model, const StrandState<Real>& state,
                         StrandScratch<Real>& scratch) {
  using Vector = math::Vector2<Real>;
  for (std::size_t i = 0; i < scratch.pull_x_N.size(); ++i) {
    const Vector link_m(state.x_m[i + 1] - state.x_m[i], state.y_m[i + 1] - state.y_m[i]);
    const Vector rate_m_s(state.x_m_s[i + 1] - state.x_m_s[i], state.y_m_s[i + 1] - state.y_m_s[i]);
    const Real length_m = math::sqrt(link_m.squaredNorm());
    const Vector along = link_m / length_m;
    const Real force_N = model.link_stiffness_N_m * (length_m - model.pitch_m) +
                         model.link_damping_N_s_m * along.dot(rate_m_s);
    scratch.pull_x_N[i] = force_N * along.x();
    scratch.pull_y_N[i] = force_N * along.y();
  }
}

// Velocity first, then position with the new velocity.
template <typename Real>
void move_rollers(const StrandModel<Real>& model, StrandState<Real>& state,
                  const StrandScratch<Real>& scratch) {
  for (std::size_t i = 1; i <= kStrandRollers; ++i) {
    const Real force_x_N = scratch.pull_x_N[i] - scratch.pull_x_N[i - 1];
    const Real force_y_N = scratch.pull_y_N[i] - scratch.pull_y_N[i - 1];
    state.x_m_s[i] += model.step_s * (force_x_N * model.roller_mass_inverse_1_kg);
    state.y_m_s[i] +=
        model.step_s * (force_y_N * model.roller_mass_inverse_1_kg - model.gravity_m_s2);
    state.x_m[i] += model.step_s * state.x_m_s[i];
    state.y_m[i] += model.step_s * state.y_m_s[i];
  }
}

template <typename Real>
void step(const StrandModel<Real>& model, StrandState<Real>& state, StrandScratch<Real>& scratch) {
  shake_end(model, state);
  compute_link_forces(model, state, scratch);
  move_rollers(model, state, scratch);
  ++state.steps;
}

template <typename Real>
[[nodiscard]] std::uint64_t hash_of(const StrandState<Real>& state) {
  math::Hash64 hash;
  for (const auto* points : {&state.x_m, &state.y_m, &state.x_m_s, &state.y_m_s}) {
    for (const Real value : *points) {
      hash.add(value);
    }
  }
  hash.add(state.steps);
  return hash.value();
}

}  // namespace taut::roller_chain
