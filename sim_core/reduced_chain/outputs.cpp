#include "sim_core/reduced_chain/outputs.h"

#include "sim_core/reduced_chain/arm_polynomial.h"
#include "sim_core/reduced_chain/wrap_look.h"

namespace taut::reduced_chain {
namespace {

// Part of the pull at a wrap's end that is left so far inside.
float faded(const etl::array<float, kFadingValues>& values, float inside_pitches) {
  const float place = (inside_pitches + kFadingOutside_pitches) * kFadingValuesAPitch;
  std::uint32_t node = 0;
  float part = 0;
  split(place, kFadingValues, node, part);
  return values[node] + part * (values[node + 1] - values[node]);
}

struct OnWrap {
  bool there;
  float from_leaving_pitches, from_arriving_pitches;
};

OnWrap on_wrap(const ReducedSprocket& sprocket, float place_pitches) {
  return {place_pitches >= sprocket.arrives_pitches && place_pitches < sprocket.leaves_pitches,
          sprocket.leaves_pitches - place_pitches, place_pitches - sprocket.arrives_pitches};
}

// [0, links)
float within_loop(const ReducedModel& model, float place_pitches) {
  const auto links = static_cast<float>(model.links);
  const float raised = place_pitches < 0 ? place_pitches + links : place_pitches;
  return raised < links ? raised : raised - links;
}

void predict_tags(const ReducedModel& model, const ReducedState& state,
                  const ReducedScratch& scratch, const signal::Tags& tags,
                  signal::ChainOutputs& outputs) {
  const float roller = static_cast<float>(tags.roller % model.links) + scratch.travel_pitches;
  const float link = static_cast<float>(tags.link % model.links) + scratch.travel_pitches - 0.5F;
  outputs.tagged_link_N = link_force_N(model, state, scratch, within_loop(model, link));
  outputs.tagged_roller_contact_N = tooth_force_N(model, scratch, within_loop(model, roller));
  float largest_N = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    for (std::uint32_t i = 0; i < 2 * static_cast<std::uint32_t>(kFadingValuesAPitch); ++i) {
      // The most pressed roller is within two pitches of the tighter end.
      const float pull_N = scratch.leaving_N[s] > scratch.arriving_N[s] ? scratch.leaving_N[s]
                                                                        : scratch.arriving_N[s];
      const float force_N = pull_N * model.sprocket[s].fading.tooth[i];
      largest_N = force_N > largest_N ? force_N : largest_N;
    }
  }
  outputs.contact_max_N = largest_N;
}

void predict_strands(const ReducedModel& model, const ReducedState& state,
                     const ReducedScratch& scratch, signal::ChainOutputs& outputs) {
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedStrand& strand = model.strand[s];
    float aside_m = 0;
    for (std::uint32_t n = 0; n < strand.modes; ++n) {
      aside_m += strand.middle[n] * state.mode_m[strand.first_mode + n];
    }
    outputs.strand_middle_m[s] = aside_m;
    outputs.strand_middle_N[s] = scratch.total_N[s] + strand.middle_weight_N;
    outputs.strand_mean_N[s] = outputs.strand_middle_N[s];
  }
}

void predict_tightener(const ReducedModel& model, const ReducedState& state,
                       const ReducedScratch& scratch, signal::ChainOutputs& outputs) {
  if (model.arm_sprocket == kNoArm) {
    return;
  }
  const ReducedArm& arm = model.arm;
  const float angle_rad = state.arm_angle_rad;
  outputs.arm_angle_rad = angle_rad;
  outputs.arm_speed_rad_s = state.arm_speed_rad_s;
  outputs.tightener_x_m = value_at(arm.axle_x_m, angle_rad).value;
  outputs.tightener_y_m = value_at(arm.axle_y_m, angle_rad).value;
  outputs.arm_mass_centre_x_m = value_at(arm.mass_centre_x_m, angle_rad).value;
  outputs.arm_mass_centre_y_m = value_at(arm.mass_centre_y_m, angle_rad).value;
  outputs.tightener_force_N = scratch.spring_N;
  const Polynomial spring = value_at(arm.spring_m, angle_rad);
  const float lengthening_m_s = spring.slope * state.arm_speed_rad_s;
  outputs.tightener_W = arm.spring_damping_N_s_m * lengthening_m_s * lengthening_m_s;
  if (arm.has_hydraulic_unit) {
    const float travel_m = tightener::travel_m(arm.unit, spring.value);
    const float pressure_Pa = tightener::pressure_Pa(arm.unit, state.unit, travel_m);
    const float flow_m3_s = tightener::valve_flow_m3_s(arm.unit, pressure_Pa);
    outputs.piston_travel_m = travel_m;
    outputs.chamber_pressure_Pa = pressure_Pa;
    outputs.valve_flow_m3_s = flow_m3_s;
    outputs.supply_W = arm.unit.supply_pressure_Pa * flow_m3_s;
    outputs.tightener_W += (arm.unit.supply_pressure_Pa - pressure_Pa) * flow_m3_s +
                           pressure_Pa * tightener::leak_flow_m3_s(arm.unit, pressure_Pa);
  }
}

void predict_sprockets(const ReducedModel& model, const ReducedState& state,
                       const ReducedScratch& scratch, signal::ChainOutputs& outputs) {
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedSprocket& sprocket = model.sprocket[s];
    const float speed_m_s = state.chain_m_s + (s == 0 ? 0 : state.ahead_m_s[s]);
    const float leaving_N = scratch.leaving_N[s];
    const float arriving_N = scratch.arriving_N[s];
    outputs.sprocket_speed_rad_s[s] = sprocket.turn * speed_m_s / sprocket.pitch_line_radius_m;
    outputs.bearing_x_N[s] =
        leaving_N * sprocket.leaving_x - arriving_N * sprocket.arriving_x + sprocket.weight_x_N;
    outputs.bearing_y_N[s] =
        leaving_N * sprocket.leaving_y - arriving_N * sprocket.arriving_y + sprocket.weight_y_N;
  }
}

// At the crank's pitch line: strands, losses, and chain that is accelerated.
float driver_N(const ReducedModel& model, const ReducedScratch& scratch) {
  const std::uint32_t last = model.sprockets - 1;
  float sum_N = scratch.total_N[last] - scratch.total_N[0] + scratch.drag_N[0] +
                0.5F * (scratch.bar_drag_N[last] + scratch.bar_drag_N[0]) +
                model.crank_mass_kg * scratch.crank_m_s2;
  for (std::uint32_t i = 0; i < model.sprockets; ++i) {
    sum_N += model.on_crank_kg[i] * scratch.acceleration_m_s2[i];
  }
  return sum_N;
}

void predict_powers(const ReducedModel& model, const ReducedState& state,
                    const ReducedScratch& scratch, signal::ChainOutputs& outputs) {
  float friction_N = 0;
  float contact_N = 0;
  float joint_N = 0;
  float bearing_N = 0;
  float load_N = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedSprocket& sprocket = model.sprocket[s];
    friction_N += scratch.rubbing_drag_N[s] + scratch.bar_drag_N[s];
    contact_N += scratch.seat_drag_N[s];
    joint_N += scratch.joint_drag_N[s];
    bearing_N += sprocket.bearing_N_s_m * state.chain_m_s;
    load_N += sprocket.load_N;
  }
  const float force_N = driver_N(model, scratch);
  outputs.driver_torque_N_m =
      model.sprocket[0].turn * force_N * model.sprocket[0].pitch_line_radius_m;
  outputs.driver_W = force_N * state.chain_m_s;
  outputs.friction_W = friction_N * state.chain_m_s;
  outputs.contact_W = contact_N * state.chain_m_s;
  outputs.joint_W = joint_N * state.chain_m_s;
  outputs.bearing_W = bearing_N * state.chain_m_s;
  outputs.load_W = load_N * state.chain_m_s;
}

}  // namespace

float link_force_N(const ReducedModel& model, const ReducedState& state,
                   const ReducedScratch& scratch, float place_pitches) {
  const float turning_N = model.mass_per_length_kg_m * state.chain_m_s * state.chain_m_s;
  float force_N = 0;
  float begin_pitches = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const std::uint32_t next = s + 1 < model.sprockets ? s + 1 : 0;
    const ReducedSprocket& sprocket = model.sprocket[next];
    const OnWrap wrap = on_wrap(sprocket, place_pitches);
    const float length = sprocket.arrives_pitches - begin_pitches;
    if (wrap.there) {
      force_N = turning_N +
                scratch.leaving_N[next] * faded(sprocket.fading.link, wrap.from_leaving_pitches) +
                scratch.arriving_N[next] * faded(sprocket.fading.link, wrap.from_arriving_pitches);
    } else if (place_pitches >= begin_pitches && place_pitches < sprocket.arrives_pitches) {
      const float part = length > 0 ? (place_pitches - begin_pitches) / length : 0.0F;
      force_N = turning_N + scratch.leaving_N[s] +
                part * (scratch.arriving_N[next] - scratch.leaving_N[s]);
    }
    begin_pitches = sprocket.leaves_pitches;
  }
  return force_N;
}

float tooth_force_N(const ReducedModel& model, const ReducedScratch& scratch, float place_pitches) {
  float force_N = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedSprocket& sprocket = model.sprocket[s];
    const OnWrap wrap = on_wrap(sprocket, place_pitches);
    if (wrap.there) {
      force_N = scratch.leaving_N[s] * faded(sprocket.fading.tooth, wrap.from_leaving_pitches) +
                scratch.arriving_N[s] * faded(sprocket.fading.tooth, wrap.from_arriving_pitches);
    }
  }
  return force_N > 0 ? force_N : 0.0F;
}

void predict(const ReducedModel& model, const ReducedState& state, const ReducedScratch& scratch,
             const signal::Tags& tags, signal::ChainOutputs& outputs) {
  outputs.time_s = static_cast<double>(state.steps) * static_cast<double>(kStep_s);
  predict_tags(model, state, scratch, tags, outputs);
  predict_strands(model, state, scratch, outputs);
  predict_tightener(model, state, scratch, outputs);
  predict_sprockets(model, state, scratch, outputs);
  predict_powers(model, state, scratch, outputs);
}

}  // namespace taut::reduced_chain
