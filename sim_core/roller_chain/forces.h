// All forces on a roller chain in motion: links and joints (links.h), teeth and guide-bars
// (contacts.h), and here weight-arm, bearings and loads (Pedersen 3.2, 3.3, 3.5, 3.8). Each
// books the power it takes. With all rates zero they are the slope of the potential.
#pragma once

#include "sim_core/roller_chain/contacts.h"
#include "sim_core/roller_chain/links.h"

namespace taut::roller_chain {

// Weight, spring and damper of the arm, and its sprocket's pull at the axle: after the teeth.
template <typename Real, typename Force>
void add_arm(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
             const Rates<Real>& rate, RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  const std::size_t s = model.arm_sprocket;
  if (s == kNoSprocket) {
    return;
  }
  const math::Vector2<Real> gravity(static_cast<Real>(model.gravity_x_m_s2),
                                    static_cast<Real>(model.gravity_y_m_s2));
  const auto potential = tightener::potential(model.arm, gravity, at.arm_angle_rad);
  const Real lever_m = potential.stretch_per_angle_m;
  const Real stretching_m_s = lever_m * rate.arm_angle_rad_s;
  const Real damper_N = model.arm.spring_damping_N_s_m * stretching_m_s;
  const math::Vector2<Real> axle_m = tightener::axle(model.arm, at.arm_angle_rad);
  const math::Vector2<Force> axle_lever_m = math::hat(axle_m).template cast<Force>();
  const math::Vector2<Force> pull_N(scratch.on_centre_x_N[s], scratch.on_centre_y_N[s]);
  forces.arm_moment_N_m +=
      axle_lever_m.dot(pull_N) - static_cast<Force>(potential.slope_N_m + damper_N * lever_m);
  scratch.powers.tightener_W += static_cast<Force>(damper_N * stretching_m_s);
}

template <typename Real, typename Force>
void add_bearings_and_loads(const RollerModel<Real, Force>& model, const Rates<Real>& rate,
                            RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const SprocketConstants<Real, Force>& constants = model.sprocket[s];
    const auto speed_rad_s = static_cast<Force>(rate.angle_rad_s[s]);
    const Force bearing_N_m = constants.bearing_damping_N_m_s * speed_rad_s;
    forces.torque_N_m[s] += constants.load_torque_N_m - bearing_N_m;
    scratch.powers.bearing_W += bearing_N_m * speed_rad_s;
    scratch.powers.load_W -= constants.load_torque_N_m * speed_rad_s;
  }
}

// What the crankshaft must give to move as it does, its own inertia aside.
template <typename Force>
[[nodiscard]] Force driver_torque_N_m(const Forces<Force>& forces) {
  return -forces.torque_N_m[0];
}

// All forces at one configuration and its rates. Contacts remember their first touch.
template <typename Real, typename Force>
void compute_forces(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                    const Rates<Real>& rate, Engagements<Real, Force>& engaged,
                    RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  scratch.powers = {};
  forces.torque_N_m.fill(0);
  forces.arm_moment_N_m = 0;
  compute_links(model, at, rate, scratch);
  compute_joints(model, scratch);
  compute_pulls(model.links, scratch);
  set_pulls_and_weight(model, scratch, forces);
  add_tooth_contacts(model, at, rate, engaged, scratch, forces);
  add_bar_contacts(model, at, rate, engaged, scratch, forces);
  add_arm(model, at, rate, scratch, forces);
  add_bearings_and_loads(model, rate, scratch, forces);
  scratch.powers.driver_W = driver_torque_N_m(forces) * static_cast<Force>(rate.angle_rad_s[0]);
}

}  // namespace taut::roller_chain
