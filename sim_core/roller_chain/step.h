// A roller chain in motion: init at rest or at speed, and one fixed step. The crankshaft's
// motion is given. Semi-implicit Euler, or velocity Verlet with velocity-dependent forces at
// the predicted velocity v + h a (first order without). One evaluation of forces a step.
#pragma once

#include "sim_core/crank/motion.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/hash.h"
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
    state.at.angle_rad[0] =
        within_a_turn(state.at.angle_rad[0] + model.step_s * state.rate.angle_rad_s[0]);
    return;
  }
  state.at.angle_rad[0] =
      within_a_turn(state.crank_zero_rad + model.sprocket[0].turn * motion.angle_rad);
  state.rate.angle_rad_s[0] = model.sprocket[0].turn * motion.speed_rad_s;
}

// Velocities of everything but the crankshaft, by the forces over a time.
template <typename Real, typename Force>
void kick(const RollerModel<Real, Force>& model, const Forces<Force>& forces, Real time_s,
          Rates<Real>& rate) {
  for (std::size_t i = 0; i < model.links; ++i) {
    rate.x_m_s[i] += time_s * static_cast<Real>(forces.x_N[i] * model.roller_mass_inverse_1_kg);
    rate.y_m_s[i] += time_s * static_cast<Real>(forces.y_N[i] * model.roller_mass_inverse_1_kg);
  }
  for (std::size_t s = 1; s < model.sprockets; ++s) {
    rate.angle_rad_s[s] += time_s * static_cast<Real>(forces.torque_N_m[s] *
                                                      model.sprocket[s].inertia_inverse_1_kg_m2);
  }
  rate.arm_angle_rad_s +=
      time_s * static_cast<Real>(forces.arm_moment_N_m * model.arm_inertia_inverse_1_kg_m2);
}

template <typename Real, typename Force>
void drift(const RollerModel<Real, Force>& model, const Rates<Real>& rate, Real time_s,
           Configuration<Real>& at) {
  for (std::size_t i = 0; i < model.links; ++i) {
    at.x_m[i] += time_s * rate.x_m_s[i];
    at.y_m[i] += time_s * rate.y_m_s[i];
  }
  for (std::size_t s = 1; s < model.sprockets; ++s) {
    at.angle_rad[s] = within_a_turn(at.angle_rad[s] + time_s * rate.angle_rad_s[s]);
  }
  at.arm_angle_rad += time_s * rate.arm_angle_rad_s;
}

template <typename Real, typename Force>
void evaluate(const RollerModel<Real, Force>& model, RollerState<Real, Force>& state,
              RollerScratch<Real, Force>& scratch) {
  compute_forces(model, state.at, state.rate, state.touches, scratch, state.forces);
}

template <typename Real, typename Force>
void step_semi_implicit_euler(const RollerModel<Real, Force>& model,
                              const crank::Motion<Real>& crank, RollerState<Real, Force>& state,
                              RollerScratch<Real, Force>& scratch) {
  kick(model, state.forces, model.step_s, state.rate);
  drift(model, state.rate, model.step_s, state.at);
  move_crank(model, crank, state);
  evaluate(model, state, scratch);
}

template <typename Real, typename Force>
void step_velocity_verlet(const RollerModel<Real, Force>& model, const crank::Motion<Real>& crank,
                          RollerState<Real, Force>& state, RollerScratch<Real, Force>& scratch) {
  const Real half_s = Real(0.5) * model.step_s;
  kick(model, state.forces, half_s, state.rate);
  drift(model, state.rate, model.step_s, state.at);
  scratch.half_step_rate = state.rate;
  kick(model, state.forces, half_s, state.rate);  // predicted
  move_crank(model, crank, state);
  evaluate(model, state, scratch);
  scratch.half_step_rate.angle_rad_s[0] = state.rate.angle_rad_s[0];
  state.rate = scratch.half_step_rate;
  kick(model, state.forces, half_s, state.rate);
}

// `crank` is the crankshaft's motion at the end of the step.
template <typename Real, typename Force>
void step(const RollerModel<Real, Force>& model, const crank::Motion<Real>& crank,
          RollerState<Real, Force>& state, RollerScratch<Real, Force>& scratch) {
  if (model.integrator == Integrator::kVelocityVerlet) {
    step_velocity_verlet(model, crank, state, scratch);
  } else {
    step_semi_implicit_euler(model, crank, state, scratch);
  }
  ++state.steps;
}

// Every roller along the chain, every sprocket turning with it, the arm at rest.
template <typename Real, typename Force>
void set_speed(const RollerModel<Real, Force>& model, Real crank_rad_s,
               RollerState<Real, Force>& state) {
  const Real chain_m_s = crank_rad_s * model.pitch_m * model.sprocket[0].pitch_angle_inverse_1_rad;
  for (std::size_t i = 0; i < model.links; ++i) {
    const math::Vector2<Real> along =
        link_span(state.at, roller_before(model, i), roller_after(model, i)).along;
    state.rate.x_m_s[i] = chain_m_s * along.x();
    state.rate.y_m_s[i] = chain_m_s * along.y();
  }
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    state.rate.angle_rad_s[s] = model.sprocket[s].turn * crank_rad_s *
                                model.sprocket[0].pitch_angle_inverse_1_rad *
                                model.sprocket[s].pitch_angle_rad;
  }
}

template <typename Real>
void place_at(const Configuration<double>& from, Configuration<Real>& at) {
  for (std::size_t i = 0; i < drive::kMaxLinks; ++i) {
    at.x_m[i] = static_cast<Real>(from.x_m[i]);
    at.y_m[i] = static_cast<Real>(from.y_m[i]);
  }
  for (std::size_t s = 0; s < drive::kMaxSprockets; ++s) {
    at.angle_rad[s] = static_cast<Real>(within_a_turn(from.angle_rad[s]));
  }
  at.arm_angle_rad = static_cast<Real>(from.arm_angle_rad);
}

// From a configuration, normally that of statics, with the crank's angle zero there. Rollers
// on their seats count as seated at rest whatever the speed.
template <typename Real, typename Force>
void init(const RollerModel<Real, Force>& model, const Configuration<double>& from,
          Real crank_rad_s, RollerState<Real, Force>& state, RollerScratch<Real, Force>& scratch) {
  state = {};
  place_at(from, state.at);
  state.crank_zero_rad = state.at.angle_rad[0];
  evaluate(model, state, scratch);
  set_speed(model, crank_rad_s, state);
  evaluate(model, state, scratch);
}

template <typename Force>
void add_to_hash(math::Hash64& hash, const TouchMemory<Force>& memory) {
  hash.add(memory.inverse_first_touch_speed_s_m);
  hash.add(static_cast<std::uint32_t>(memory.gap) << 16 |
           static_cast<std::uint32_t>(memory.where) << 8 | memory.area);
}

template <typename Real, typename Force>
[[nodiscard]] std::uint64_t hash_of(const RollerModel<Real, Force>& model,
                                    const RollerState<Real, Force>& state) {
  math::Hash64 hash;
  for (std::size_t i = 0; i < model.links; ++i) {
    hash.add(state.at.x_m[i]);
    hash.add(state.at.y_m[i]);
    hash.add(state.rate.x_m_s[i]);
    hash.add(state.rate.y_m_s[i]);
    hash.add(state.forces.x_N[i]);
    hash.add(state.forces.y_N[i]);
    add_to_hash(hash, state.touches.tooth[i]);
    add_to_hash(hash, state.touches.bar[i]);
  }
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    hash.add(state.at.angle_rad[s]);
    hash.add(state.rate.angle_rad_s[s]);
    hash.add(state.forces.torque_N_m[s]);
  }
  hash.add(state.at.arm_angle_rad);
  hash.add(state.rate.arm_angle_rad_s);
  hash.add(state.forces.arm_moment_N_m);
  hash.add(state.crank_zero_rad);
  hash.add(state.steps);
  hash.add(state.bad_commands);
  return hash.value();
}

}  // namespace taut::roller_chain
