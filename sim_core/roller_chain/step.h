// A roller chain in motion: start at rest or at speed, step, and a hash of all its state.
#pragma once

#include "sim_core/math/hash.h"
#include "sim_core/roller_chain/step_kernel.h"

namespace taut::roller_chain {

// `crank` is the crankshaft's motion at the end of the step. Compiled once, for all vector
// units that the machine may have; they all give the same bits.
void step(const RollerModel<double, double>& model, const crank::Motion<double>& crank,
          RollerState<double, double>& state, RollerScratch<double, double>& scratch);
void step(const RollerModel<double, float>& model, const crank::Motion<double>& crank,
          RollerState<double, float>& state, RollerScratch<double, float>& scratch);
void step(const RollerModel<float, float>& model, const crank::Motion<float>& crank,
          RollerState<float, float>& state, RollerScratch<float, float>& scratch);

// Every roller along the chain, every sprocket turning with it, the arm at rest.
template <typename Real, typename Force>
void set_speed(const RollerModel<Real, Force>& model, Real crank_rad_s,
               RollerState<Real, Force>& state) {
  const Real chain_m_s = crank_rad_s * model.pitch_m * model.sprocket[0].pitch_angle_inverse_1_rad;
  for (std::size_t i = 0; i < model.links; ++i) {
    const math::Vector2<Real> along =
        link_span(state.at, roller_before(model, i), roller_after(model, i)).along;
    state.rate.x_m_s[i] = static_cast<Force>(chain_m_s * along.x());
    state.rate.y_m_s[i] = static_cast<Force>(chain_m_s * along.y());
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
    at.offset_x_m[s] = static_cast<Real>(from.offset_x_m[s]);
    at.offset_y_m[s] = static_cast<Real>(from.offset_y_m[s]);
  }
  at.arm_angle_rad = static_cast<Real>(from.arm_angle_rad);
  at.unit.oil_m3 = static_cast<Real>(from.unit.oil_m3);
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
void add_to_hash(math::Hash64& hash, std::size_t links, const Engagement<Force>& run) {
  hash.add(static_cast<std::uint32_t>(run.first) << 16 | run.count);
  hash.add(std::uint32_t{run.steps_to_look});
  for (std::size_t j = 0; j < run.count; ++j) {
    const std::size_t i = roller_at(run, j, links);
    hash.add(run.inverse_first_touch_speed_s_m[i]);
  }
}

template <typename Real, typename Force>
void add_seats_to_hash(math::Hash64& hash, std::size_t links,
                       const ToothEngagement<Real, Force>& run) {
  add_to_hash<Force>(hash, links, run);
  hash.add(static_cast<std::uint32_t>(run.clear_at_begin) << 16 | run.clear_at_end);
  for (std::size_t j = 0; j < run.count; ++j) {
    const std::size_t i = roller_at(run, j, links);
    hash.add(run.seat_x_m[i]);
    hash.add(run.seat_y_m[i]);
  }
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
  }
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    hash.add(state.at.angle_rad[s]);
    hash.add(state.rate.angle_rad_s[s]);
    hash.add(state.forces.torque_N_m[s]);
    hash.add(state.at.offset_x_m[s]);
    hash.add(state.at.offset_y_m[s]);
    hash.add(state.rate.offset_x_m_s[s]);
    hash.add(state.rate.offset_y_m_s[s]);
    hash.add(state.forces.offset_x_N[s]);
    hash.add(state.forces.offset_y_N[s]);
    hash.add(state.forces.inertial_torque_N_m[s]);
    hash.add(state.forces.inertial_x_N[s]);
    hash.add(state.forces.inertial_y_N[s]);
    add_seats_to_hash(hash, model.links, state.engaged.teeth[s]);
  }
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    add_to_hash(hash, model.links, state.engaged.bars[b]);
  }
  hash.add(state.at.arm_angle_rad);
  hash.add(state.at.unit.oil_m3);
  hash.add(state.rate.arm_angle_rad_s);
  hash.add(state.forces.arm_moment_N_m);
  hash.add(state.crank_zero_rad);
  hash.add(state.rate.crank_rad_s2);
  hash.add(state.steps);
  hash.add(state.bad_commands);
  return hash.value();
}

}  // namespace taut::roller_chain
