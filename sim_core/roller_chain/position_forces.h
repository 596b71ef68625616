// The forces of a roller chain that depend on position alone: link springs, gravity,
// teeth, guide-bars, weight-arm, load torques (Pedersen 3.2, 3.3, 3.5, 3.8). One function
// a force; each adds to what is there. Not for damping and friction.
#pragma once

#include "sim_core/roller_chain/touches.h"

namespace taut::roller_chain {

template <typename Real>
void clear(const RollerModel<Real>& model, Forces<Real>& forces) {
  for (std::size_t i = 0; i < model.links; ++i) {
    forces.x_N[i] = 0;
    forces.y_N[i] = 0;
  }
  forces.torque_N_m.fill(0);
  forces.arm_moment_N_m = 0;
}

template <typename Real>
void add_to_roller(Forces<Real>& forces, std::size_t roller, const math::Vector2<Real>& force_N) {
  forces.x_N[roller] += force_N.x();
  forces.y_N[roller] += force_N.y();
}

template <typename Real>
void add_link_springs(const RollerModel<Real>& model, const Configuration<Real>& at,
                      Forces<Real>& forces) {
  for (std::size_t i = 0; i < model.links; ++i) {
    const LinkState<Real> link = link_state(model, at, i);
    const math::Vector2<Real> pull_N = link.force_N * link.along;
    add_to_roller<Real>(forces, link.from, pull_N);
    add_to_roller<Real>(forces, link.to, -pull_N);
  }
}

template <typename Real>
void add_gravity(const RollerModel<Real>& model, Forces<Real>& forces) {
  const Real x_N = model.roller_mass_kg * model.gravity_x_m_s2;
  const Real y_N = model.roller_mass_kg * model.gravity_y_m_s2;
  for (std::size_t i = 0; i < model.links; ++i) {
    forces.x_N[i] += x_N;
    forces.y_N[i] += y_N;
  }
}

// The sprocket feels minus the roller's force at the roller's centre (Pedersen 3.61-3.68);
// where it hangs on the arm, so does the arm at the axle.
template <typename Real>
void add_tooth_contacts(const RollerModel<Real>& model, const Configuration<Real>& at,
                        Forces<Real>& forces) {
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const math::Vector2<Real> centre_m = centre(model, at, s);
    math::Vector2<Real> on_sprocket_N(0, 0);
    for (std::size_t i = 0; i < model.links; ++i) {
      const SeatTouch<Real> seat = seat_touch(model, at, s, centre_m, i);
      if (!seat.touching) {
        continue;
      }
      const math::Vector2<Real> force_N =
          elastic_force_N(model.tooth_law, seat.touch.indentation_m) * seat.touch.normal;
      add_to_roller<Real>(forces, i, force_N);
      forces.torque_N_m[s] -= math::hat(seat.from_centre_m).dot(force_N);
      on_sprocket_N -= force_N;
    }
    if (s == model.arm_sprocket) {
      const math::Vector2<Real> axle_m = tightener::axle(model.arm, at.arm_angle_rad);
      forces.arm_moment_N_m += math::hat(axle_m).dot(on_sprocket_N);
    }
  }
}

template <typename Real>
void add_bar_contacts(const RollerModel<Real>& model, const Configuration<Real>& at,
                      Forces<Real>& forces) {
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    const BarConstants<Real>& constants = model.guide_bar[b];
    for (std::size_t i = 0; i < model.links; ++i) {
      const contact::Touch<Real> touch = contact::touch(constants.bar, position(at, i));
      if (touch.indentation_m > 0) {
        add_to_roller<Real>(forces, i,
                            elastic_force_N(constants.law, touch.indentation_m) * touch.normal);
      }
    }
  }
}

template <typename Real>
void add_arm(const RollerModel<Real>& model, const Configuration<Real>& at, Forces<Real>& forces) {
  if (model.arm_sprocket != kNoSprocket) {
    const math::Vector2<Real> gravity(model.gravity_x_m_s2, model.gravity_y_m_s2);
    forces.arm_moment_N_m -= tightener::potential(model.arm, gravity, at.arm_angle_rad).slope_N_m;
  }
}

template <typename Real>
void add_load_torques(const RollerModel<Real>& model, Forces<Real>& forces) {
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    forces.torque_N_m[s] += model.sprocket[s].load_torque_N_m;
  }
}

template <typename Real>
void compute_position_forces(const RollerModel<Real>& model, const Configuration<Real>& at,
                             Forces<Real>& forces) {
  clear(model, forces);
  add_link_springs(model, at, forces);
  add_gravity(model, forces);
  add_tooth_contacts(model, at, forces);
  add_bar_contacts(model, at, forces);
  add_arm(model, at, forces);
  add_load_torques(model, forces);
}

}  // namespace taut::roller_chain
