// All forces on a roller chain in motion: links and joints (links.h), teeth and guide-bars
// (contacts.h), and here tightener, bearings, supports, counterweights and loads
// (Pedersen 3.2, 3.3, 3.5, 3.8). Each books the power it takes. With all rates zero they are the
// slope of the potential.
#pragma once

#include "sim_core/roller_chain/contacts.h"
#include "sim_core/roller_chain/links.h"

namespace taut::roller_chain {

// Where the centres of sprockets are and how they move: first of all, others read it.
template <typename Real, typename Force>
void compute_centres(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                     const Rates<Real, Force>& rate, RollerScratch<Real, Force>& scratch) {
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    scratch.centre_x_m[s] = model.sprocket[s].centre_x_m;
    scratch.centre_y_m[s] = model.sprocket[s].centre_y_m;
    scratch.centre_x_m_s[s] = 0;
    scratch.centre_y_m_s[s] = 0;
  }
  if (model.has_yielding_centres) {
    for (std::size_t s = 0; s < model.sprockets; ++s) {
      scratch.centre_x_m[s] += at.offset_x_m[s];
      scratch.centre_y_m[s] += at.offset_y_m[s];
      scratch.centre_x_m_s[s] = rate.offset_x_m_s[s];
      scratch.centre_y_m_s[s] = rate.offset_y_m_s[s];
    }
  }
  if (model.arm_sprocket != kNoSprocket) {
    const std::size_t s = model.arm_sprocket;
    const tightener::ArmPose<Real> pose = tightener::pose(model.arm, at.arm_angle_rad);
    scratch.arm_pose = pose;
    scratch.centre_x_m[s] = model.arm.hinge_x_m + pose.axle_x_m;
    scratch.centre_y_m[s] = model.arm.hinge_y_m + pose.axle_y_m;
    scratch.centre_x_m_s[s] = rate.arm_angle_rad_s * -pose.axle_y_m;
    scratch.centre_y_m_s[s] = rate.arm_angle_rad_s * pose.axle_x_m;
  }
}

// Tension of the hydraulic unit, and the powers of its oil: what the supply gives less what
// valve and gap take is pressure times flow (hydraulic_unit.h).
template <typename Real, typename Force>
[[nodiscard]] Real hydraulic_tension_N(const RollerModel<Real, Force>& model,
                                       const Configuration<Real>& at, Real lengthening_m_s,
                                       RollerScratch<Real, Force>& scratch) {
  const tightener::HydraulicUnit<Real>& unit = model.unit;
  const Real travel_m = tightener::travel_m(unit, scratch.arm_pose.length_m);
  const Real speed_m_s = unit.sense * lengthening_m_s;
  const Real pressure_Pa = tightener::pressure_Pa(unit, at.unit, travel_m);
  const Real valve_m3_s = tightener::valve_flow_m3_s(unit, pressure_Pa);
  const Real stop_N = tightener::stop_damping_N(unit, travel_m, speed_m_s);
  const Real lost_W = (unit.supply_pressure_Pa - pressure_Pa) * valve_m3_s +
                      pressure_Pa * tightener::leak_flow_m3_s(unit, pressure_Pa) -
                      stop_N * speed_m_s;
  scratch.powers.tightener_W += static_cast<Force>(lost_W);
  scratch.powers.supply_W = static_cast<Force>(unit.supply_pressure_Pa * valve_m3_s);
  return -unit.sense * (tightener::push_N(unit, at.unit, travel_m) + stop_N);
}

// Weight of the arm, what acts between arm and ground, and the sprocket's pull at the axle: after
// the teeth.
template <typename Real, typename Force>
void add_arm(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
             const Rates<Real, Force>& rate, RollerScratch<Real, Force>& scratch,
             Forces<Force>& forces) {
  const std::size_t s = model.arm_sprocket;
  if (s == kNoSprocket) {
    return;
  }
  const tightener::ArmPose<Real>& pose = scratch.arm_pose;
  const math::Vector2<Real> gravity(static_cast<Real>(model.gravity_x_m_s2),
                                    static_cast<Real>(model.gravity_y_m_s2));
  const Real lever_m = pose.length_per_angle_m;
  const Real lengthening_m_s = lever_m * rate.arm_angle_rad_s;
  const Real damper_N = model.arm.spring_damping_N_s_m * lengthening_m_s;
  scratch.powers.tightener_W += static_cast<Force>(damper_N * lengthening_m_s);
  const Real unit_N =
      model.has_hydraulic_unit ? hydraulic_tension_N(model, at, lengthening_m_s, scratch) : Real(0);
  const Real slope_N_m = tightener::potential(model.arm, gravity, pose).slope_N_m;
  const Force pull_N_m = static_cast<Force>(pose.axle_x_m) * scratch.on_centre_y_N[s] -
                         static_cast<Force>(pose.axle_y_m) * scratch.on_centre_x_N[s];
  forces.arm_moment_N_m += pull_N_m - static_cast<Force>(slope_N_m + (damper_N + unit_N) * lever_m);
  scratch.tightener_N =
      static_cast<Force>(tightener::spring_tension_N(model.arm, pose) + damper_N + unit_N);
}

template <typename Real, typename Force>
void add_bearings_and_loads(const RollerModel<Real, Force>& model, const Rates<Real, Force>& rate,
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

// Pull of the chain, weight, and the support's spring and damper, where centres yield.
template <typename Real, typename Force>
void add_supports(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                  const Rates<Real, Force>& rate, RollerScratch<Real, Force>& scratch,
                  Forces<Force>& forces) {
  for (std::size_t s = 0; s < model.sprockets && model.has_yielding_centres; ++s) {
    const SprocketConstants<Real, Force>& constants = model.sprocket[s];
    if (!constants.yields) {
      continue;
    }
    const auto x_m_s = static_cast<Force>(rate.offset_x_m_s[s]);
    const auto y_m_s = static_cast<Force>(rate.offset_y_m_s[s]);
    const Force damper_x_N = constants.support_damping_N_s_m * x_m_s;
    const Force damper_y_N = constants.support_damping_N_s_m * y_m_s;
    const Force spring_N_m = constants.support_stiffness_N_m;
    forces.offset_x_N[s] += scratch.on_centre_x_N[s] + constants.mass_kg * model.gravity_x_m_s2 -
                            spring_N_m * static_cast<Force>(at.offset_x_m[s]) - damper_x_N;
    forces.offset_y_N[s] += scratch.on_centre_y_N[s] + constants.mass_kg * model.gravity_y_m_s2 -
                            spring_N_m * static_cast<Force>(at.offset_y_m[s]) - damper_y_N;
    scratch.powers.bearing_W += damper_x_N * x_m_s + damper_y_N * y_m_s;
  }
}

// What the crankshaft must give to move as it does, its own inertia aside.
template <typename Force>
[[nodiscard]] Force driver_torque_N_m(const Forces<Force>& forces) {
  return -(forces.torque_N_m[0] + forces.inertial_torque_N_m[0]);
}

// A sprocket of mass M and inertia J about a centre c that yields, out of balance by w = m e u:
// M c'' + theta'' hat(w) - theta'^2 w = F, J theta'' + hat(w).c'' = tau (P 3.8.3). Solved for
// both; the crankshaft's theta'' is given, and what shakes its support adds to its torque.
template <typename Real, typename Force>
void add_inertial_forces(const SprocketConstants<Real, Force>& constants,
                         const Rates<Real, Force>& rate, std::size_t s,
                         const math::Vector2<Force>& unbalance_kg_m, Forces<Force>& forces) {
  const math::Vector2<Force> across_kg_m = math::hat(unbalance_kg_m);
  const math::Vector2<Force> force_N(forces.offset_x_N[s], forces.offset_y_N[s]);
  const auto speed_rad_s = static_cast<Force>(rate.angle_rad_s[s]);
  const Force inverse_1_kg = constants.mass_inverse_1_kg;
  forces.inertial_torque_N_m[s] = -(across_kg_m.dot(force_N) * inverse_1_kg);
  const Force turning_rad_s2 = s == 0 ? static_cast<Force>(rate.crank_rad_s2)
                                      : (forces.torque_N_m[s] + forces.inertial_torque_N_m[s]) *
                                            constants.inertia_inverse_1_kg_m2;
  const math::Vector2<Force> inertial_N =
      speed_rad_s * speed_rad_s * unbalance_kg_m - turning_rad_s2 * across_kg_m;
  forces.inertial_x_N[s] = inertial_N.x();
  forces.inertial_y_N[s] = inertial_N.y();
  if (s == 0) {
    forces.inertial_torque_N_m[s] = -(across_kg_m.dot(force_N + inertial_N) * inverse_1_kg);
  }
}

// Moment of the counterweights' weight, and their inertia where the centre yields: after all other
// forces on sprockets.
template <typename Real, typename Force>
void add_unbalance(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                   const Rates<Real, Force>& rate, RollerScratch<Real, Force>& scratch,
                   Forces<Force>& forces) {
  const math::Vector2<Force> gravity_m_s2(model.gravity_x_m_s2, model.gravity_y_m_s2);
  for (std::size_t s = 0; s < model.sprockets && model.has_unbalance; ++s) {
    const SprocketConstants<Real, Force>& constants = model.sprocket[s];
    const math::Vector2<Force> unbalance_kg_m =
        tightener::rotated(constants.unbalance_x_kg_m, constants.unbalance_y_kg_m, at.angle_rad[s])
            .template cast<Force>();
    scratch.unbalance_x_kg_m[s] = unbalance_kg_m.x();
    scratch.unbalance_y_kg_m[s] = unbalance_kg_m.y();
    forces.torque_N_m[s] += math::hat(unbalance_kg_m).dot(gravity_m_s2);
    if (constants.yields) {
      add_inertial_forces(constants, rate, s, unbalance_kg_m, forces);
    }
  }
}

// What the functions above add to.
template <typename Real, typename Force>
void clear_sums(RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  scratch.powers = {};
  forces.torque_N_m.fill(0);
  forces.offset_x_N.fill(0);
  forces.offset_y_N.fill(0);
  forces.inertial_torque_N_m.fill(0);
  forces.inertial_x_N.fill(0);
  forces.inertial_y_N.fill(0);
  forces.arm_moment_N_m = 0;
}

// All forces at one configuration and its rates. Contacts remember their first touch.
template <typename Real, typename Force>
void compute_forces(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                    const Rates<Real, Force>& rate, Engagements<Real, Force>& engaged,
                    RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  clear_sums(scratch, forces);
  compute_centres(model, at, rate, scratch);
  compute_links(model, at, rate, scratch);
  compute_joints(model, scratch);
  compute_pulls(model.links, scratch);
  set_pulls_and_weight(model, scratch, forces);
  add_tooth_contacts(model, at, rate, engaged, scratch, forces);
  add_bar_contacts(model, at, rate, engaged, scratch, forces);
  add_arm(model, at, rate, scratch, forces);
  add_bearings_and_loads(model, rate, scratch, forces);
  add_supports(model, at, rate, scratch, forces);
  add_unbalance(model, at, rate, scratch, forces);
  scratch.powers.driver_W = driver_torque_N_m(forces) * static_cast<Force>(rate.angle_rad_s[0]);
}

}  // namespace taut::roller_chain
