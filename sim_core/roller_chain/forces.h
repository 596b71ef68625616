// The forces on a roller chain in motion, one function each: link spring-dampers, joint
// damping, gravity, teeth, guide-bars, weight-arm, bearings and loads (Pedersen 3.2, 3.3,
// 3.5, 3.8). Each adds to what is there and books the power it takes. With all rates zero
// they are the slope of the potential (potential.h).
#pragma once

#include "sim_core/contact/friction.h"
#include "sim_core/contact/normal_law.h"
#include "sim_core/roller_chain/touches.h"

namespace taut::roller_chain {

template <typename Force>
void clear(std::size_t links, Forces<Force>& forces) {
  for (std::size_t i = 0; i < links; ++i) {
    forces.x_N[i] = 0;
    forces.y_N[i] = 0;
  }
  forces.torque_N_m.fill(0);
  forces.arm_moment_N_m = 0;
}

template <typename Force>
void add_to_roller(Forces<Force>& forces, std::size_t roller, const math::Vector2<Force>& force_N) {
  forces.x_N[roller] += force_N.x();
  forces.y_N[roller] += force_N.y();
}

// Directions, turning and tension (Pedersen 3.7) of every link.
template <typename Real, typename Force>
void compute_links(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                   const Rates<Real>& rate, RollerScratch<Real, Force>& scratch) {
  for (std::size_t i = 0; i < model.links; ++i) {
    const std::size_t from = roller_before(model, i);
    const LinkSpan<Real> span = link_span(at, from, i);
    const math::Vector2<Force> along = span.along.template cast<Force>();
    const math::Vector2<Real> difference_m_s = velocity(rate, i) - velocity(rate, from);
    const math::Vector2<Force> rate_m_s = difference_m_s.template cast<Force>();
    const Force stretching_m_s = along.dot(rate_m_s);
    const Force damper_N = model.link_damping_N_s_m * stretching_m_s;
    scratch.along_x[i] = along.x();
    scratch.along_y[i] = along.y();
    scratch.inverse_length_1_m[i] = Force(1) / static_cast<Force>(span.length_m);
    scratch.turning_rad_s[i] = math::hat(along).dot(rate_m_s) * scratch.inverse_length_1_m[i];
    scratch.tension_N[i] = elastic_tension_N(model, span.length_m) + damper_N;
    scratch.powers.link_W += damper_N * stretching_m_s;
  }
}

template <typename Real, typename Force>
[[nodiscard]] math::Vector2<Force> along(const RollerScratch<Real, Force>& scratch,
                                         std::size_t link) {
  return {scratch.along_x[link], scratch.along_y[link]};
}

template <typename Real, typename Force>
void add_link_tensions(const RollerModel<Real, Force>& model,
                       const RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  for (std::size_t i = 0; i < model.links; ++i) {
    const std::size_t next = roller_after(model, i);
    const math::Vector2<Force> pull_N =
        scratch.tension_N[next] * along(scratch, next) - scratch.tension_N[i] * along(scratch, i);
    add_to_roller<Force>(forces, i, pull_N);
  }
}

// Pedersen 3.10-3.17: the moment C_d phidot between two links at their joint, as a couple on
// each. What the joints at its two ends leave on a link is one pair of forces across it.
template <typename Real, typename Force>
void add_joint_damping(const RollerModel<Real, Force>& model, RollerScratch<Real, Force>& scratch,
                       Forces<Force>& forces) {
  for (std::size_t i = 0; i < model.links; ++i) {
    const Force bending_rad_s =
        scratch.turning_rad_s[roller_after(model, i)] - scratch.turning_rad_s[i];
    scratch.joint_moment_N_m[i] = model.joint_damping_N_m_s * bending_rad_s;
    scratch.powers.joint_W += scratch.joint_moment_N_m[i] * bending_rad_s;
  }
  for (std::size_t i = 0; i < model.links; ++i) {
    const std::size_t from = roller_before(model, i);
    const Force moments_N_m = scratch.joint_moment_N_m[i] - scratch.joint_moment_N_m[from];
    const math::Vector2<Force> across_N =
        (moments_N_m * scratch.inverse_length_1_m[i]) * math::hat(along(scratch, i));
    add_to_roller<Force>(forces, i, across_N);
    add_to_roller<Force>(forces, from, -across_N);
  }
}

template <typename Real, typename Force>
void add_gravity(const RollerModel<Real, Force>& model, Forces<Force>& forces) {
  const Force x_N = model.roller_mass_kg * model.gravity_x_m_s2;
  const Force y_N = model.roller_mass_kg * model.gravity_y_m_s2;
  for (std::size_t i = 0; i < model.links; ++i) {
    forces.x_N[i] += x_N;
    forces.y_N[i] += y_N;
  }
}

// Keeps the speed of first touch for as long as the roller stays on the same surface.
template <typename Force>
void remember(TouchMemory<Force>& memory, std::uint8_t where, std::uint16_t gap, std::uint8_t area,
              Force approach_m_s) {
  if (memory.where != where || memory.gap != gap) {
    memory.inverse_first_touch_speed_s_m = contact::inverse_first_touch_speed_s_m(approach_m_s);
    memory.where = where;
    memory.gap = gap;
  }
  memory.area = area;
}

template <typename Force>
void forget(TouchMemory<Force>& memory, std::uint8_t where) {
  if (memory.where == where) {
    memory = {};
  }
}

template <typename Force>
struct ContactForce {
  Force normal_N;
  math::Vector2<Force> on_roller_N;  // with friction
};

// Normal force and friction from one touch; slip_m_s is the roller's velocity against the
// surface at its own centre (Pedersen 3.61-3.68).
template <typename Real, typename Force>
[[nodiscard]] ContactForce<Force> contact_force(const contact::NormalLaw<Force>& law,
                                                const contact::Friction<Force>& friction,
                                                const contact::Touch<Real>& touch,
                                                const math::Vector2<Real>& slip_m_s,
                                                std::uint8_t where, std::uint16_t gap,
                                                TouchMemory<Force>& memory, Powers<Force>& powers) {
  const math::Vector2<Force> normal = touch.normal.template cast<Force>();
  const math::Vector2<Force> tangent = math::hat(normal);
  const math::Vector2<Force> slip = slip_m_s.template cast<Force>();
  const auto indentation_m = static_cast<Force>(touch.indentation_m);
  const Force approach_m_s = -normal.dot(slip);
  const Force sliding_m_s = tangent.dot(slip);
  remember(memory, where, gap, touch.area, approach_m_s);
  const Force normal_N =
      contact::force_N(law, indentation_m, approach_m_s, memory.inverse_first_touch_speed_s_m);
  const Force friction_N = contact::friction_force_N(friction, normal_N, sliding_m_s);
  const Force damping_N = normal_N - contact::elastic_force_N(law, indentation_m);
  powers.contact_W += damping_N * approach_m_s;
  powers.friction_W -= friction_N * sliding_m_s;
  return {normal_N, normal_N * normal + friction_N * tangent};
}

// The sprocket feels minus the roller's force at the roller's centre; where it hangs on the
// arm, so does the arm at the axle.
template <typename Real, typename Force>
void add_tooth_contacts(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                        const Rates<Real>& rate, TouchMemories<Force>& touches,
                        RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  scratch.tooth_force_N.fill(0);
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const auto where = static_cast<std::uint8_t>(s + 1);
    const math::Vector2<Real> centre_m = centre(model, at, s);
    const math::Vector2<Real> centre_m_s = centre_velocity(model, at, rate, s);
    math::Vector2<Force> on_centre_N(0, 0);
    for (std::size_t i = 0; i < model.links; ++i) {
      const math::Vector2<Real> from_centre_m = position(at, i) - centre_m;
      if (!in_reach(model.sprocket[s], from_centre_m)) {
        forget(touches.tooth[i], where);
        continue;
      }
      const SeatTouch<Real> seat = seat_touch(model, at, s, from_centre_m);
      if (!seat.touching) {
        forget(touches.tooth[i], where);
        continue;
      }
      const math::Vector2<Real> seat_m_s =
          centre_m_s + rate.angle_rad_s[s] * math::hat(seat.from_centre_m);
      const ContactForce<Force> force = contact_force<Real, Force>(
          model.tooth_law, model.friction, seat.touch, velocity(rate, i) - seat_m_s, where,
          seat.gap, touches.tooth[i], scratch.powers);
      add_to_roller<Force>(forces, i, force.on_roller_N);
      const math::Vector2<Force> lever_m = seat.from_centre_m.template cast<Force>();
      forces.torque_N_m[s] -= math::hat(lever_m).dot(force.on_roller_N);
      on_centre_N -= force.on_roller_N;
      scratch.tooth_force_N[i] = force.normal_N;
    }
    scratch.on_centre_x_N[s] = on_centre_N.x();
    scratch.on_centre_y_N[s] = on_centre_N.y();
  }
}

template <typename Real, typename Force>
void add_bar_contacts(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                      const Rates<Real>& rate, TouchMemories<Force>& touches,
                      RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    const auto where = static_cast<std::uint8_t>(b + 1);
    const BarConstants<Real, Force>& constants = model.guide_bar[b];
    for (std::size_t i = 0; i < model.links; ++i) {
      const contact::Touch<Real> touch = contact::touch(constants.bar, position(at, i));
      const bool touching = touch.indentation_m > 0;
      if (!touching) {
        forget(touches.bar[i], where);
        continue;
      }
      const ContactForce<Force> force =
          contact_force<Real, Force>(constants.law, model.friction, touch, velocity(rate, i), where,
                                     0, touches.bar[i], scratch.powers);
      add_to_roller<Force>(forces, i, force.on_roller_N);
    }
  }
}

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
                    const Rates<Real>& rate, TouchMemories<Force>& touches,
                    RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  clear(model.links, forces);
  scratch.powers = {};
  compute_links(model, at, rate, scratch);
  add_link_tensions(model, scratch, forces);
  add_joint_damping(model, scratch, forces);
  add_gravity(model, forces);
  add_tooth_contacts(model, at, rate, touches, scratch, forces);
  add_bar_contacts(model, at, rate, touches, scratch, forces);
  add_arm(model, at, rate, scratch, forces);
  add_bearings_and_loads(model, rate, scratch, forces);
  scratch.powers.driver_W = driver_torque_N_m(forces) * static_cast<Force>(rate.angle_rad_s[0]);
}

}  // namespace taut::roller_chain
