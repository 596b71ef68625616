#include "sim_core/reduced_chain/outputs.h"

#include "sim_core/math/constants.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/reduced_chain/arm_polynomial.h"
#include "sim_core/reduced_chain/wrap_look.h"

namespace taut::reduced_chain {
namespace {

bool on_wrap(const ReducedSprocket& sprocket, float place_pitches, float outside_pitches) {
  return place_pitches >= sprocket.arrives_pitches - outside_pitches &&
         place_pitches < sprocket.leaves_pitches + outside_pitches;
}

// Pulls at both ends of a wrap in the order of travel: in reverse they change places.
struct EndPulls {
  float arriving_N, leaving_N;
};

EndPulls pulls_on(const ReducedState& state, const ReducedScratch& scratch, std::uint32_t s) {
  return state.chain_m_s >= 0 ? EndPulls{scratch.arriving_N[s], scratch.leaving_N[s]}
                              : EndPulls{scratch.leaving_N[s], scratch.arriving_N[s]};
}

float faded_N(const EndPulls& pulls, float by_arriving, float by_leaving) {
  return pulls.arriving_N * by_arriving + pulls.leaving_N * by_leaving;
}

// What is left inside a wrap of the pulls at its ends, in a link or on a tooth.
float inside_N(const ReducedModel& model, const ReducedState& state, const ReducedScratch& scratch,
               std::uint32_t s, float place_pitches, float FadingValue::*by_arriving,
               float FadingValue::*by_leaving) {
  const ReducedSprocket& sprocket = model.sprocket[s];
  const float inside_pitches = state.chain_m_s >= 0 ? place_pitches - sprocket.arrives_pitches
                                                    : sprocket.leaves_pitches - place_pitches;
  std::uint32_t node = 0;
  float part = 0;
  split((inside_pitches + kFadingOutside_pitches) * sprocket.fading.values_a_pitch, kFadingValues,
        node, part);
  const FadingValue& low = sprocket.fading.value[node];
  const FadingValue& high = sprocket.fading.value[node + 1];
  const EndPulls pulls = pulls_on(state, scratch, s);
  const float at_low_N = faded_N(pulls, low.*by_arriving, low.*by_leaving);
  const float at_high_N = faded_N(pulls, high.*by_arriving, high.*by_leaving);
  return at_low_N + part * (at_high_N - at_low_N);
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
  outputs.tagged_roller_contact_N =
      tooth_force_N(model, state, scratch, within_loop(model, roller));
  float largest_N = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const Fading& fading = model.sprocket[s].fading;
    const EndPulls pulls = pulls_on(state, scratch, s);
    for (const std::uint32_t i : fading.most_pressed) {
      const float force_N =
          faded_N(pulls, fading.value[i].tooth_by_arriving, fading.value[i].tooth_by_leaving);
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
    const float length = sprocket.arrives_pitches - begin_pitches;
    if (on_wrap(sprocket, place_pitches, 0)) {
      force_N = turning_N + inside_N(model, state, scratch, next, place_pitches,
                                     &FadingValue::link_by_arriving, &FadingValue::link_by_leaving);
    } else if (place_pitches >= begin_pitches && place_pitches < sprocket.arrives_pitches) {
      const float part = length > 0 ? (place_pitches - begin_pitches) / length : 0.0F;
      force_N = turning_N + scratch.leaving_N[s] +
                part * (scratch.arriving_N[next] - scratch.leaving_N[s]);
    }
    begin_pitches = sprocket.leaves_pitches;
  }
  return force_N;
}

float tooth_force_N(const ReducedModel& model, const ReducedState& state,
                    const ReducedScratch& scratch, float place_pitches) {
  const auto links = static_cast<float>(model.links);
  float force_N = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    // The crank's teeth also reach beyond where the loop begins.
    const float place =
        s == 0 && place_pitches < kFadingOutside_pitches ? place_pitches + links : place_pitches;
    if (on_wrap(model.sprocket[s], place, kFadingOutside_pitches)) {
      force_N = inside_N(model, state, scratch, s, place, &FadingValue::tooth_by_arriving,
                         &FadingValue::tooth_by_leaving);
    }
  }
  return force_N > 0 ? force_N : 0.0F;
}

float beside_m(const ReducedModel& model, const ReducedState& state, float place_pitches) {
  float beside_m = 0;
  float begin_pitches = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedSprocket& next = model.sprocket[s + 1 < model.sprockets ? s + 1 : 0];
    const float length = next.arrives_pitches - begin_pitches;
    const float along = place_pitches - begin_pitches;
    if (along >= 0 && along < length) {
      const ReducedStrand& strand = model.strand[s];
      for (std::uint32_t n = 0; n < strand.modes; ++n) {
        const float wave_rad = static_cast<float>(n + 1) * math::kPi<float> * along / length;
        beside_m += math::sin(wave_rad) * state.mode_m[strand.first_mode + n];
      }
    }
    begin_pitches = next.leaves_pitches;
  }
  return beside_m;
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
