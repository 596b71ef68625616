// One fixed step of a roller chain. The crankshaft's motion is given. Semi-implicit Euler, or
// velocity Verlet with velocity-dependent forces at the predicted velocity v + h a (first
// order without). One evaluation of forces a step. Not to be included for stepping: step.h.
#pragma once

#include "sim_core/crank/motion.h"
#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/forces.h"

namespace taut::roller_chain {

// Within half a turn either way: a float could not resolve teeth after many turns.
template <typename Real>
[[nodiscard]] Real within_a_turn(Real angle_rad) {
  const Real high = angle_rad > math::kPi<Real> ? math::kTwoPi<Real> : Real(0);
  const Real low = angle_rad < -math::kPi<Real> ? math::kTwoPi<Real> : Real(0);
  return angle_rad - high + low;
}

// The crankshaft where it was told to be; a motion that is no number is bridged by the last
// speed and counted.
template <typename Real, typename Force>
void move_crank(const RollerModel<Real, Force>& model, const crank::Motion<Real>& motion,
                RollerState<Real, Force>& state) {
  const bool good = math::is_finite(motion.angle_rad) && math::is_finite(motion.speed_rad_s);
  if (!good) {
    ++state.bad_commands;
    state.rate.crank_rad_s2 = 0;
    state.at.angle_rad[0] =
        within_a_turn(state.at.angle_rad[0] + model.step_s * state.rate.angle_rad_s[0]);
    return;
  }
  state.at.angle_rad[0] =
      within_a_turn(state.crank_zero_rad + model.sprocket[0].turn * motion.angle_rad);
  state.rate.angle_rad_s[0] = model.sprocket[0].turn * motion.speed_rad_s;
  const bool known = math::is_finite(motion.acceleration_rad_s2);
  state.rate.crank_rad_s2 = known ? model.sprocket[0].turn * motion.acceleration_rad_s2 : Real(0);
}

// Velocities of everything but the crankshaft, by the forces over a time.
template <typename Real, typename Force>
void kick(const RollerModel<Real, Force>& __restrict model, const Forces<Force>& __restrict forces,
          Real time_s, Rates<Real, Force>& __restrict rate) {
  const Force m_s_per_N = static_cast<Force>(time_s) * model.roller_mass_inverse_1_kg;
  TAUT_VECTOR_LOOP
  for (std::size_t i = 0; i < model.links; ++i) {
    rate.x_m_s[i] += forces.x_N[i] * m_s_per_N;
    rate.y_m_s[i] += forces.y_N[i] * m_s_per_N;
  }
  for (std::size_t s = 1; s < model.sprockets; ++s) {
    rate.angle_rad_s[s] += time_s * static_cast<Real>(forces.torque_N_m[s] *
                                                      model.sprocket[s].inertia_inverse_1_kg_m2);
  }
  for (std::size_t s = 0; s < model.sprockets && model.has_yielding_centres; ++s) {
    const Force inverse_1_kg = model.sprocket[s].mass_inverse_1_kg;
    const Force x_N = forces.offset_x_N[s] + forces.inertial_x_N[s];
    const Force y_N = forces.offset_y_N[s] + forces.inertial_y_N[s];
    rate.offset_x_m_s[s] += time_s * static_cast<Real>(x_N * inverse_1_kg);
    rate.offset_y_m_s[s] += time_s * static_cast<Real>(y_N * inverse_1_kg);
    // Zero for the crankshaft's inertia, as above.
    rate.angle_rad_s[s] += time_s * static_cast<Real>(forces.inertial_torque_N_m[s] *
                                                      model.sprocket[s].inertia_inverse_1_kg_m2);
  }
  rate.arm_angle_rad_s +=
      time_s * static_cast<Real>(forces.arm_moment_N_m * model.arm_inertia_inverse_1_kg_m2);
}

template <typename Real, typename Force>
void drift(const RollerModel<Real, Force>& __restrict model,
           const Rates<Real, Force>& __restrict rate, Real time_s,
           Configuration<Real>& __restrict at) {
  TAUT_VECTOR_LOOP
  for (std::size_t i = 0; i < model.links; ++i) {
    at.x_m[i] += time_s * static_cast<Real>(rate.x_m_s[i]);
    at.y_m[i] += time_s * static_cast<Real>(rate.y_m_s[i]);
  }
  for (std::size_t s = 1; s < model.sprockets; ++s) {
    at.angle_rad[s] = within_a_turn(at.angle_rad[s] + time_s * rate.angle_rad_s[s]);
  }
  for (std::size_t s = 0; s < model.sprockets && model.has_yielding_centres; ++s) {
    at.offset_x_m[s] += time_s * rate.offset_x_m_s[s];
    at.offset_y_m[s] += time_s * rate.offset_y_m_s[s];
  }
  at.arm_angle_rad += time_s * rate.arm_angle_rad_s;
}

// Oil in and out of the hydraulic unit, by where the arm has gone.
template <typename Real, typename Force>
void move_oil(const RollerModel<Real, Force>& model, Configuration<Real>& at) {
  if (model.has_hydraulic_unit) {
    const Real length_m = tightener::pose(model.arm, at.arm_angle_rad).length_m;
    tightener::step(model.unit, tightener::travel_m(model.unit, length_m), at.unit);
  }
}

template <typename Real, typename Force>
void evaluate(const RollerModel<Real, Force>& model, RollerState<Real, Force>& state,
              RollerScratch<Real, Force>& scratch) {
  compute_forces(model, state.at, state.rate, state.engaged, scratch, state.forces);
}

template <typename Real, typename Force>
void step_semi_implicit_euler(const RollerModel<Real, Force>& model,
                              const crank::Motion<Real>& crank, RollerState<Real, Force>& state,
                              RollerScratch<Real, Force>& scratch) {
  kick(model, state.forces, model.step_s, state.rate);
  drift(model, state.rate, model.step_s, state.at);
  move_oil(model, state.at);
  move_crank(model, crank, state);
  evaluate(model, state, scratch);
}

template <typename Real, typename Force>
void step_velocity_verlet(const RollerModel<Real, Force>& model, const crank::Motion<Real>& crank,
                          RollerState<Real, Force>& state, RollerScratch<Real, Force>& scratch) {
  const Real half_s = Real(0.5) * model.step_s;
  kick(model, state.forces, half_s, state.rate);
  drift(model, state.rate, model.step_s, state.at);
  move_oil(model, state.at);
  scratch.half_step_rate = state.rate;
  kick(model, state.forces, half_s, state.rate);  // predicted
  move_crank(model, crank, state);
  evaluate(model, state, scratch);
  scratch.half_step_rate.angle_rad_s[0] = state.rate.angle_rad_s[0];
  scratch.half_step_rate.crank_rad_s2 = state.rate.crank_rad_s2;
  state.rate = scratch.half_step_rate;
  kick(model, state.forces, half_s, state.rate);
}

// `crank` is the crankshaft's motion at the end of the step.
template <typename Real, typename Force>
void step_once(const RollerModel<Real, Force>& model, const crank::Motion<Real>& crank,
               RollerState<Real, Force>& state, RollerScratch<Real, Force>& scratch) {
  if (model.integrator == Integrator::kVelocityVerlet) {
    step_velocity_verlet(model, crank, state, scratch);
  } else {
    step_semi_implicit_euler(model, crank, state, scratch);
  }
  ++state.steps;
}

}  // namespace taut::roller_chain
