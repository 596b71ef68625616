// A crank that turns by a given acceleration: the sum of a run-up, order, table and series, made by
// make_synthetic.h. Angle and speed by the classical Runge-Kutta method of order 4, one way for all
// parts. Not for measured pulses: here nothing is observed, the crank does as it is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim_core/crank/make_synthetic.h"
#include "sim_core/crank/motion.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/periodic_spline.h"
#include "sim_core/math/sin_cos.h"

namespace taut::crank {

// All there is to save. The rests are what the last rounding took from angle and speed. Without
// them a float at 8 rad/s, which gains only some 800 units in its last place a step of 50 us, turns
// 0.02 % too fast; with them 2e-8.
template <typename Real>
struct SyntheticState {
  std::uint64_t steps;  // since the start; time is counted, not summed
  Motion<Real> motion;
  Real angle_rest_rad;
  Real speed_rest_rad_s;
};
static_assert(std::is_trivially_copyable_v<SyntheticState<double>>);

namespace detail {

// 6 w/t_c^3 t (t_c - t): standstill to w, with no jump at either end.
template <typename Model, typename Real>
[[nodiscard]] Real run_up_rad_s2(const Model& model, Real time_s) {
  return time_s < model.run_up_s ? model.run_up_rad_s4 * time_s * (model.run_up_s - time_s)
                                 : Real(0);
}

// 3 u^2 - 2 u^3 from 0 to 1. Counted from its end, where it has to be exactly one.
template <typename Model, typename Real>
[[nodiscard]] Real fade(const Model& model, Real time_s) {
  const Real to_go = (model.fade_end_s - time_s) * model.inverse_fade_1_s;
  const Real u = to_go > Real(1) ? Real(0) : to_go > Real(0) ? Real(1) - to_go : Real(1);
  return u * u * (Real(3) - Real(2) * u);
}

template <typename Model, typename Real>
[[nodiscard]] Real periodic_rad_s2(const Model& model, Real angle_rad) {
  Real sum_rad_s2 = 0;
  if (model.order_amplitude_rad_s2 != Real(0)) {
    sum_rad_s2 += model.order_amplitude_rad_s2 * math::sin(model.order * angle_rad);
  }
  if (model.has_table) {
    sum_rad_s2 += math::value_at(model.table_rad_s2, angle_rad);
  }
  return sum_rad_s2;
}

// Straight lines between samples, and one from the last down to zero: a jump falls inside a step,
// of which the integration sees three moments only. In float the place in the record is good to
// 1e-7 of the time since the start.
template <typename Model, typename Real>
[[nodiscard]] Real series_rad_s2(const Model& model, Real half_steps) {
  const Real position = half_steps * model.series_samples_a_half_step;
  if (!(position < model.series_size)) {
    return Real(0);
  }
  const std::size_t i = static_cast<std::uint32_t>(position);
  const auto here = static_cast<Real>(model.series_rad_s2[i]);
  const bool is_last = i + 1 == model.series_rad_s2.size();
  const Real next = is_last ? Real(0) : static_cast<Real>(model.series_rad_s2[i + 1]);
  return here + (position - static_cast<Real>(i)) * (next - here);
}

template <typename Model, typename Real>
[[nodiscard]] Real acceleration_rad_s2(const Model& model, std::uint64_t half_steps,
                                       Real angle_rad) {
  const auto count = static_cast<Real>(half_steps);
  const Real time_s = count * model.half_step_s;
  return run_up_rad_s2(model, time_s) + fade(model, time_s) * periodic_rad_s2(model, angle_rad) +
         series_rad_s2(model, count);
}

// One step is less than a turn. A small negative angle may be rounded up to a whole turn.
template <typename Real>
[[nodiscard]] Real wrapped(Real angle_rad) {
  constexpr Real kTurn_rad = math::kTwoPi<Real>;
  if (angle_rad < 0) {
    const Real raised_rad = angle_rad + kTurn_rad;
    return raised_rad < kTurn_rad ? raised_rad : Real(0);
  }
  return angle_rad < kTurn_rad ? angle_rad : angle_rad - kTurn_rad;
}

// Kahan (Comm. ACM 8, 1965).
template <typename Real>
void add(Real& sum, Real& rest, Real term) {
  const Real wanted = term + rest;
  const Real before = sum;
  sum = before + wanted;
  rest = wanted - (sum - before);
}

}  // namespace detail

template <typename Real, std::size_t kTableCapacity>
void init(const SyntheticModel<Real, kTableCapacity>& model, SyntheticState<Real>& state) {
  state = {};
  state.motion.speed_rad_s = model.start_speed_rad_s;
  state.motion.acceleration_rad_s2 = detail::acceleration_rad_s2(model, 0, Real(0));
}

// One step of model.step_s. The acceleration does not depend on the speed, so that the stages of
// the speed, v + h/2 a1, v + h/2 a2 and v + h a3, drop out of the sum for the angle. The first
// acceleration is that at the end of the step before.
template <typename Real, std::size_t kTableCapacity>
void advance(const SyntheticModel<Real, kTableCapacity>& model, SyntheticState<Real>& state) {
  const Motion<Real> from = state.motion;
  const Real step_s = model.step_s;
  const Real half_s = model.half_step_s;
  const std::uint64_t now = 2 * state.steps;  // in half steps
  const Real phi = from.angle_rad;
  const Real v = from.speed_rad_s;

  const Real a1 = from.acceleration_rad_s2;
  const Real a2 = detail::acceleration_rad_s2(model, now + 1, phi + half_s * v);
  const Real a3 = detail::acceleration_rad_s2(model, now + 1, phi + half_s * (v + half_s * a1));
  const Real a4 = detail::acceleration_rad_s2(model, now + 2, phi + step_s * (v + half_s * a2));

  Motion<Real>& to = state.motion;
  detail::add(to.angle_rad, state.angle_rest_rad,
              step_s * (v + model.sixth_step_s * (a1 + a2 + a3)));
  detail::add(to.speed_rad_s, state.speed_rest_rad_s,
              model.sixth_step_s * (a1 + Real(2) * (a2 + a3) + a4));
  to.angle_rad = detail::wrapped(to.angle_rad);
  ++state.steps;
  to.acceleration_rad_s2 = detail::acceleration_rad_s2(model, now + 2, to.angle_rad);
}

}  // namespace taut::crank
