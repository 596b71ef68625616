// What is measured on a roller chain (chain_outputs.h), and the rows that describe it to tables,
// files and buses.
#pragma once

#include <cstddef>

#include <etl/span.h>

#include "sim_core/roller_chain/forces.h"
#include "sim_core/signal/chain_outputs.h"
#include "sim_core/signal/entry.h"

namespace taut::roller_chain {

using signal::Tags;
using Outputs = signal::ChainOutputs;
static_assert(signal::kMaxStrands == drive::kMaxSprockets);

[[nodiscard]] etl::span<const signal::Entry> output_entries();

// Where a strand is looked for: from so many rollers before the last one near a sprocket's teeth.
inline constexpr std::size_t kStrandMargin = 4;

// Places in the run of a wrap that the strand before it surely ends at, and the one after it
// surely begins at: not beyond the middle.
template <typename Real, typename Force>
[[nodiscard]] std::size_t place_of_end(const ToothEngagement<Real, Force>& run) {
  const std::size_t middle = run.count / 2U;
  const std::size_t place = run.clear_at_begin + kStrandMargin;
  return place < middle ? place : middle;
}
template <typename Real, typename Force>
[[nodiscard]] std::size_t place_of_begin(const ToothEngagement<Real, Force>& run) {
  const std::size_t middle = run.count / 2U;
  const std::size_t from_last = run.clear_at_end + kStrandMargin;
  return from_last < run.count - middle ? run.count - from_last : middle;
}

// A strand's links are between two wraps; where a wrap is lost, all are looked at.
template <typename Real, typename Force>
void predict_strand(const RollerModel<Real, Force>& model, const RollerState<Real, Force>& state,
                    const RollerScratch<Real, Force>& scratch, std::size_t s, Outputs& outputs) {
  const auto& teeth = state.engaged.teeth;
  const std::size_t next = s + 1 < model.sprockets ? s + 1 : 0;
  const bool lost = teeth[s].count == 0 || teeth[next].count == 0;
  const std::size_t first = roller_at(teeth[s], place_of_begin(teeth[s]), model.links);
  const std::size_t end = roller_at(teeth[next], place_of_end(teeth[next]), model.links);
  const std::size_t between = end > first ? end - first : end + model.links - first;
  const std::size_t looked_at = lost ? model.links : between;
  const StrandLine<Real> line = model.strand[s];
  BesideStrand<Real> from = beside_strand(line, state.at, roller_before(model, first));
  Force sum_N = 0;
  Force links = 0;
  for (std::size_t k = 0; k < looked_at; ++k) {
    const std::size_t i = first + k < model.links ? first + k : first + k - model.links;
    const BesideStrand<Real> to = beside_strand(line, state.at, i);
    const OnStrand place = on_strand(line, model.pitch_m, from, to);
    sum_N += place.inside ? scratch.tension_N[i] : Force(0);
    links += place.inside ? Force(1) : Force(0);
    if (place.across_middle) {
      outputs.strand_middle_N[s] = static_cast<float>(scratch.tension_N[i]);
      outputs.strand_middle_m[s] = static_cast<float>(middle_off_m(line, from, to));
    }
    from = to;
  }
  outputs.strand_mean_N[s] = links > 0 ? static_cast<float>(sum_N / links) : 0.0F;
}

template <typename Real, typename Force>
void predict_unit(const RollerModel<Real, Force>& model, const RollerState<Real, Force>& state,
                  const RollerScratch<Real, Force>& scratch, Outputs& outputs) {
  if (!model.has_hydraulic_unit) {
    return;
  }
  const Real travel_m = tightener::travel_m(model.unit, scratch.arm_pose.length_m);
  const Real pressure_Pa = tightener::pressure_Pa(model.unit, state.at.unit, travel_m);
  outputs.piston_travel_m = static_cast<float>(travel_m);
  outputs.chamber_pressure_Pa = static_cast<float>(pressure_Pa);
  outputs.valve_flow_m3_s = static_cast<float>(tightener::valve_flow_m3_s(model.unit, pressure_Pa));
}

template <typename Real, typename Force>
void predict_tightener(const RollerModel<Real, Force>& model, const RollerState<Real, Force>& state,
                       const RollerScratch<Real, Force>& scratch, Outputs& outputs) {
  if (model.arm_sprocket == kNoSprocket) {
    return;
  }
  const auto& arm = model.arm;
  const std::size_t s = model.arm_sprocket;
  const math::Vector2<Real> hinge_m(arm.hinge_x_m, arm.hinge_y_m);
  const math::Vector2<Real> mass_centre_m =
      hinge_m +
      tightener::rotated(arm.mass_centre_x_m, arm.mass_centre_y_m, state.at.arm_angle_rad);
  outputs.arm_angle_rad = static_cast<float>(state.at.arm_angle_rad);
  outputs.arm_speed_rad_s = static_cast<float>(state.rate.arm_angle_rad_s);
  outputs.tightener_x_m = static_cast<float>(scratch.centre_x_m[s]);
  outputs.tightener_y_m = static_cast<float>(scratch.centre_y_m[s]);
  outputs.arm_mass_centre_x_m = static_cast<float>(mass_centre_m.x());
  outputs.arm_mass_centre_y_m = static_cast<float>(mass_centre_m.y());
  outputs.tightener_force_N = static_cast<float>(scratch.tightener_N);
}

// What a counterweight on a rigid support does to its bearings: theta'^2 w - theta'' hat(w).
template <typename Real, typename Force>
[[nodiscard]] math::Vector2<Force> centrifugal_force_N(const RollerModel<Real, Force>& model,
                                                       const RollerState<Real, Force>& state,
                                                       const RollerScratch<Real, Force>& scratch,
                                                       std::size_t s) {
  const math::Vector2<Force> unbalance_kg_m(scratch.unbalance_x_kg_m[s],
                                            scratch.unbalance_y_kg_m[s]);
  const auto speed_rad_s = static_cast<Force>(state.rate.angle_rad_s[s]);
  const Force turning_rad_s2 =
      s == 0 ? static_cast<Force>(state.rate.crank_rad_s2)
             : state.forces.torque_N_m[s] * model.sprocket[s].inertia_inverse_1_kg_m2;
  return speed_rad_s * speed_rad_s * unbalance_kg_m - turning_rad_s2 * math::hat(unbalance_kg_m);
}

// What the bearings of a sprocket carry: pull of the chain, weight and centrifugal force, less
// what accelerates the sprocket with the arm; where its support yields, spring and damper of that.
template <typename Real, typename Force>
[[nodiscard]] math::Vector2<Force> bearing_force_N(const RollerModel<Real, Force>& model,
                                                   const RollerState<Real, Force>& state,
                                                   const RollerScratch<Real, Force>& scratch,
                                                   std::size_t s) {
  using Vector = math::Vector2<Force>;
  const SprocketConstants<Real, Force>& constants = model.sprocket[s];
  if (constants.yields) {
    const Vector offset_m(static_cast<Force>(state.at.offset_x_m[s]),
                          static_cast<Force>(state.at.offset_y_m[s]));
    const Vector speed_m_s(static_cast<Force>(state.rate.offset_x_m_s[s]),
                           static_cast<Force>(state.rate.offset_y_m_s[s]));
    return constants.support_stiffness_N_m * offset_m + constants.support_damping_N_s_m * speed_m_s;
  }
  const Vector pull_N(scratch.on_centre_x_N[s], scratch.on_centre_y_N[s]);
  const Vector gravity_m_s2(model.gravity_x_m_s2, model.gravity_y_m_s2);
  if (s != model.arm_sprocket) {
    const Vector still_N = pull_N + constants.mass_kg * gravity_m_s2;
    return model.has_unbalance ? Vector(still_N + centrifugal_force_N(model, state, scratch, s))
                               : still_N;
  }
  const Vector axle_m(static_cast<Force>(scratch.arm_pose.axle_x_m),
                      static_cast<Force>(scratch.arm_pose.axle_y_m));
  const auto arm_rad_s = static_cast<Force>(state.rate.arm_angle_rad_s);
  const Force arm_rad_s2 = state.forces.arm_moment_N_m * model.arm_inertia_inverse_1_kg_m2;
  const Vector axle_m_s2 = arm_rad_s2 * math::hat(axle_m) - arm_rad_s * arm_rad_s * axle_m;
  return pull_N + constants.mass_kg * (gravity_m_s2 - axle_m_s2);
}

template <typename Real, typename Force>
void predict_sprockets(const RollerModel<Real, Force>& model, const RollerState<Real, Force>& state,
                       const RollerScratch<Real, Force>& scratch, Outputs& outputs) {
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const math::Vector2<Force> bearing_N = bearing_force_N(model, state, scratch, s);
    outputs.sprocket_speed_rad_s[s] = static_cast<float>(state.rate.angle_rad_s[s]);
    outputs.bearing_x_N[s] = static_cast<float>(bearing_N.x());
    outputs.bearing_y_N[s] = static_cast<float>(bearing_N.y());
    outputs.offset_x_m[s] = static_cast<float>(state.at.offset_x_m[s]);
    outputs.offset_y_m[s] = static_cast<float>(state.at.offset_y_m[s]);
  }
}

template <typename Force>
void predict_powers(const Powers<Force>& powers, Outputs& outputs) {
  outputs.driver_W = static_cast<float>(powers.driver_W);
  outputs.link_W = static_cast<float>(powers.link_W);
  outputs.joint_W = static_cast<float>(powers.joint_W);
  outputs.contact_W = static_cast<float>(powers.contact_W);
  outputs.friction_W = static_cast<float>(powers.friction_W);
  outputs.bearing_W = static_cast<float>(powers.bearing_W);
  outputs.tightener_W = static_cast<float>(powers.tightener_W);
  outputs.load_W = static_cast<float>(powers.load_W);
  outputs.supply_W = static_cast<float>(powers.supply_W);
}

// No link has lost or won half its length, and none is no number: an unstable chain flies
// apart, and far from its sprockets it may do so for long with numbers that are finite.
template <typename Real, typename Force>
[[nodiscard]] bool is_whole(const RollerModel<Real, Force>& model,
                            const RollerScratch<Real, Force>& scratch) {
  const Force half_m = Force(0.5) * static_cast<Force>(model.pitch_m);
  for (std::size_t i = 0; i < model.links; ++i) {
    if (!(math::magnitude(scratch.tension_N[i]) < half_m * model.link_stiffness_N_m[i])) {
      return false;
    }
  }
  return true;
}

// After a step. Where no link lies across a strand's middle, its last values stay.
template <typename Real, typename Force>
void predict(const RollerModel<Real, Force>& model, const RollerState<Real, Force>& state,
             const RollerScratch<Real, Force>& scratch, const Tags& tags, Outputs& outputs) {
  outputs.time_s = static_cast<double>(state.steps) * static_cast<double>(model.step_s);
  outputs.tagged_link_N = static_cast<float>(scratch.tension_N[tags.link]);
  outputs.contact_max_N = static_cast<float>(largest_force_N(scratch.teeth));
  outputs.tagged_roller_contact_N = static_cast<float>(force_of_N(scratch.teeth, tags.roller));
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    predict_strand(model, state, scratch, s, outputs);
  }
  predict_tightener(model, state, scratch, outputs);
  predict_unit(model, state, scratch, outputs);
  predict_sprockets(model, state, scratch, outputs);
  outputs.driver_torque_N_m = static_cast<float>(driver_torque_N_m(state.forces));
  predict_powers(scratch.powers, outputs);
}

}  // namespace taut::roller_chain
