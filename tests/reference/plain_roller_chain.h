// The forces on a roller chain written the obvious way, one link, joint and roller at a time, every
// roller against every tooth and bar (Pedersen 3.2, 3.3, 3.5, 3.8.2), and semi-implicit Euler over
// them. The tests' reference only: slow on purpose, and in double alone. Its own are all that the
// fast kernel rearranged; laws, shapes, tightener, bearings and supports have no second form and
// are shared.
#pragma once

#include <cmath>
#include <cstddef>

#include <etl/array.h>

#include "sim_core/roller_chain/step_kernel.h"

namespace taut::plain_roller_chain {

using roller_chain::Configuration;
using roller_chain::Forces;
using roller_chain::PerLink;
using roller_chain::PerSprocket;
using roller_chain::Powers;
using roller_chain::Rates;
using Model = roller_chain::RollerModel<double>;
using Vector = math::Vector2<double>;

// Its engagements are not used.
using State = roller_chain::RollerState<double>;

// Of this, filled are powers, tension_N and, for what is shared, the forces on centres.
using Scratch = roller_chain::RollerScratch<double>;

// 1/v0 of every roller that touches; 0 of all others.
struct FirstTouches {
  PerSprocket<PerLink<double>> teeth;
  etl::array<PerLink<double>, drive::kMaxGuideBars> bars;
};

inline void push(std::size_t roller, const Vector& force_N, Forces<double>& forces) {
  forces.x_N[roller] += force_N.x();
  forces.y_N[roller] += force_N.y();
}

struct Link {
  Vector along;  // unit
  double length_m;
  double tension_N;
  double turning_rad_s;  // rate of its direction
};

// Pedersen 3.7.
inline Link link_at(const Model& model, const Configuration<double>& at, const Rates<double>& rate,
                    std::size_t link, Powers<double>& powers) {
  const std::size_t from = roller_before(model, link);
  const auto span = link_span(at, from, link);
  const Vector rate_m_s = velocity(rate, link) - velocity(rate, from);
  const double stretching_m_s = span.along.dot(rate_m_s);
  const double damper_N = model.link_damping_N_s_m * stretching_m_s;
  powers.link_W += damper_N * stretching_m_s;
  return {.along = span.along,
          .length_m = span.length_m,
          .tension_N = elastic_tension_N(model, link, span.length_m) + damper_N,
          .turning_rad_s = math::hat(span.along).dot(rate_m_s) / span.length_m};
}

// A moment on a link as a pair of forces across it.
inline void turn_link(const Model& model, std::size_t number, const Link& link, double moment_N_m,
                      Forces<double>& forces) {
  const Vector across_N = moment_N_m / link.length_m * math::hat(link.along);
  push(number, across_N, forces);
  push(roller_before(model, number), -across_N, forces);
}

inline void add_links(const Model& model, const Configuration<double>& at,
                      const Rates<double>& rate, Scratch& scratch, Forces<double>& forces) {
  PerLink<Link> links;
  for (std::size_t i = 0; i < model.links; ++i) {
    links[i] = link_at(model, at, rate, i, scratch.powers);
    scratch.tension_N[i] = links[i].tension_N;
    push(i, -links[i].tension_N * links[i].along, forces);
    push(roller_before(model, i), links[i].tension_N * links[i].along, forces);
  }
  // The joint at each roller, Pedersen 3.10-3.17.
  for (std::size_t i = 0; i < model.links; ++i) {
    const std::size_t next = roller_after(model, i);
    const double bending_rad_s = links[next].turning_rad_s - links[i].turning_rad_s;
    const double moment_N_m = model.joint_damping_N_m_s * bending_rad_s;
    turn_link(model, i, links[i], moment_N_m, forces);
    turn_link(model, next, links[next], -moment_N_m, forces);
    scratch.powers.joint_W += moment_N_m * bending_rad_s;
  }
}

inline void add_gravity(const Model& model, Forces<double>& forces) {
  for (std::size_t i = 0; i < model.links; ++i) {
    push(i, model.roller_mass_kg * Vector(model.gravity_x_m_s2, model.gravity_y_m_s2), forces);
  }
}

// On the roller. slip_m_s: the roller against the surface at its own centre (Pedersen 3.61-3.68).
inline Vector contact_force(const contact::NormalLaw<double>& law,
                            const contact::Friction<double>& friction, double indentation_m,
                            const Vector& normal, const Vector& slip_m_s,
                            double& inverse_first_touch_speed_s_m, Powers<double>& powers) {
  if (!(indentation_m > 0)) {
    inverse_first_touch_speed_s_m = 0;
    return {0, 0};
  }
  const Vector tangent = math::hat(normal);
  const double approach_m_s = -normal.dot(slip_m_s);
  const double sliding_m_s = tangent.dot(slip_m_s);
  if (inverse_first_touch_speed_s_m == 0) {
    inverse_first_touch_speed_s_m = contact::inverse_first_touch_speed_s_m(approach_m_s);
  }
  const double normal_N =
      contact::force_N(law, indentation_m, approach_m_s, inverse_first_touch_speed_s_m);
  const double friction_N = contact::friction_force_N(friction, normal_N, sliding_m_s);
  const double damping_N = normal_N - contact::elastic_force_N(law, indentation_m);
  powers.contact_W += damping_N * approach_m_s;
  powers.friction_W -= friction_N * sliding_m_s;
  return normal_N * normal + friction_N * tangent;
}

// One roller in the gap of one sprocket that it is nearest to.
inline Vector tooth_force(const Model& model, double sprocket_rad, double sprocket_rad_s,
                          std::size_t s, const Vector& from_centre_m, const Vector& from_centre_m_s,
                          double& inverse_first_touch_speed_s_m, Powers<double>& powers) {
  const auto& sprocket = model.sprocket[s];
  if (!(from_centre_m.squaredNorm() <= sprocket.reach_m2)) {
    inverse_first_touch_speed_s_m = 0;
    return {0, 0};
  }
  const double angle_rad = std::atan2(from_centre_m.y(), from_centre_m.x());
  const double gaps = std::round((angle_rad - sprocket_rad) / sprocket.pitch_angle_rad);
  const double gap_rad = sprocket_rad + gaps * sprocket.pitch_angle_rad;
  const Vector radial(std::cos(gap_rad), std::sin(gap_rad));
  const Vector tangential = math::hat(radial);
  const auto touch = contact::touch(sprocket.gap, tangential.dot(from_centre_m),
                                    radial.dot(from_centre_m) - sprocket.pitch_radius_m);
  const Vector normal = touch.normal_x * tangential + touch.normal_y * radial;
  const Vector slip_m_s = from_centre_m_s - sprocket_rad_s * math::hat(from_centre_m);
  return contact_force(model.tooth_law, model.friction, touch.indentation_m, normal, slip_m_s,
                       inverse_first_touch_speed_s_m, powers);
}

inline void add_teeth(const Model& model, const Configuration<double>& at,
                      const Rates<double>& rate, std::size_t s, PerLink<double>& touched,
                      Scratch& scratch, Forces<double>& forces) {
  const Vector centre_m(scratch.centre_x_m[s], scratch.centre_y_m[s]);
  const Vector centre_m_s(scratch.centre_x_m_s[s], scratch.centre_y_m_s[s]);
  Vector on_centre_N(0, 0);
  for (std::size_t i = 0; i < model.links; ++i) {
    const Vector from_centre_m = position(at, i) - centre_m;
    const Vector force_N =
        tooth_force(model, at.angle_rad[s], rate.angle_rad_s[s], s, from_centre_m,
                    velocity(rate, i) - centre_m_s, touched[i], scratch.powers);
    push(i, force_N, forces);
    forces.torque_N_m[s] -= math::hat(from_centre_m).dot(force_N);
    on_centre_N -= force_N;
  }
  scratch.on_centre_x_N[s] = on_centre_N.x();
  scratch.on_centre_y_N[s] = on_centre_N.y();
}

// Two pitches off a bar there may be another strand; a bar is for its own.
inline void add_bar(const Model& model, const Configuration<double>& at, const Rates<double>& rate,
                    std::size_t b, PerLink<double>& touched, Powers<double>& powers,
                    Forces<double>& forces) {
  const auto& bar = model.guide_bar[b].bar;
  const Vector middle_m(bar.middle_x_m, bar.middle_y_m);
  const Vector normal(bar.normal_x, bar.normal_y);
  for (std::size_t i = 0; i < model.links; ++i) {
    const double height_m = normal.dot(position(at, i) - middle_m);
    const auto touch = contact::touch(bar, position(at, i));
    const double indentation_m = std::abs(height_m) < 2 * model.pitch_m ? touch.indentation_m : 0;
    const Vector force_N = contact_force(model.guide_bar[b].law, model.friction, indentation_m,
                                         touch.normal(), velocity(rate, i), touched[i], powers);
    push(i, force_N, forces);
  }
}

inline void compute_forces(const Model& model, const Configuration<double>& at,
                           const Rates<double>& rate, FirstTouches& touched, Scratch& scratch,
                           Forces<double>& forces) {
  forces = {};
  scratch.powers = {};
  compute_centres(model, at, rate, scratch);
  add_links(model, at, rate, scratch, forces);
  add_gravity(model, forces);
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    add_teeth(model, at, rate, s, touched.teeth[s], scratch, forces);
  }
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    add_bar(model, at, rate, b, touched.bars[b], scratch.powers, forces);
  }
  add_arm(model, at, rate, scratch, forces);
  add_bearings_and_loads(model, rate, scratch, forces);
  add_supports(model, at, rate, scratch, forces);
  add_unbalance(model, at, rate, scratch, forces);
  scratch.powers.driver_W = driver_torque_N_m(forces) * rate.angle_rad_s[0];
}

// visit(place, speed, acceleration) for all that the forces move: not the crankshaft's angle, and
// not the oil of a hydraulic unit.
template <typename Visit>
void for_each_coordinate(const Model& model, Configuration<double>& at, Rates<double>& rate,
                         const Forces<double>& forces, Visit visit) {
  for (std::size_t i = 0; i < model.links; ++i) {
    visit(at.x_m[i], rate.x_m_s[i], forces.x_N[i] * model.roller_mass_inverse_1_kg);
    visit(at.y_m[i], rate.y_m_s[i], forces.y_N[i] * model.roller_mass_inverse_1_kg);
  }
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const auto& sprocket = model.sprocket[s];
    if (s > 0) {
      visit(at.angle_rad[s], rate.angle_rad_s[s],
            (forces.torque_N_m[s] + forces.inertial_torque_N_m[s]) *
                sprocket.inertia_inverse_1_kg_m2);
    }
    if (sprocket.yields) {
      visit(at.offset_x_m[s], rate.offset_x_m_s[s],
            (forces.offset_x_N[s] + forces.inertial_x_N[s]) * sprocket.mass_inverse_1_kg);
      visit(at.offset_y_m[s], rate.offset_y_m_s[s],
            (forces.offset_y_N[s] + forces.inertial_y_N[s]) * sprocket.mass_inverse_1_kg);
    }
  }
  visit(at.arm_angle_rad, rate.arm_angle_rad_s,
        forces.arm_moment_N_m * model.arm_inertia_inverse_1_kg_m2);
}

// From where another kernel stands. Rollers on their seats count as seated at rest, whatever the
// speed.
inline void init(const Model& model, State& state, FirstTouches& touched, Scratch& scratch) {
  touched = {};
  compute_forces(model, state.at, {}, touched, scratch, state.forces);
  compute_forces(model, state.at, state.rate, touched, scratch, state.forces);
}

inline void step(const Model& model, const crank::Motion<double>& crank, State& state,
                 FirstTouches& touched, Scratch& scratch) {
  for_each_coordinate(model, state.at, state.rate, state.forces,
                      [&](double& place, double& speed, double acceleration) {
                        speed += model.step_s * acceleration;
                        place += model.step_s * speed;
                      });
  move_oil(model, state.at);
  move_crank(model, crank, state);
  compute_forces(model, state.at, state.rate, touched, scratch, state.forces);
  ++state.steps;
}

}  // namespace taut::plain_roller_chain
