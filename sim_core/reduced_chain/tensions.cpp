#include "sim_core/reduced_chain/tensions.h"

namespace taut::reduced_chain {
namespace {

std::uint32_t after(const ReducedModel& model, std::uint32_t s) {
  return s + 1 < model.sprockets ? s + 1 : 0;
}
std::uint32_t before(const ReducedModel& model, std::uint32_t s) {
  return s > 0 ? s - 1 : model.sprockets - 1;
}

// Seats feel the pull less what keeps the chain on its way round the sprocket.
void compute_pulls(const ReducedModel& model, const ReducedState& state,
                   const PerSprocket<float>& tension_N, ReducedScratch& scratch) {
  const float turning_N = model.mass_per_length_kg_m * state.chain_m_s * state.chain_m_s;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedSprocket& sprocket = model.sprocket[s];
    scratch.leaving_N[s] = tension_N[s] + sprocket.leaving_weight_N - turning_N;
    scratch.arriving_N[s] = tension_N[before(model, s)] + sprocket.arriving_weight_N - turning_N;
  }
}

// A strand is coupled to its two neighbours only, round the loop. Eliminated one after the other,
// each leaves a coupling of the next one to the last, and no other.
// L D L^T, and the stiffness of each strand by itself.
void factor(const ReducedModel& model, ReducedScratch& scratch) {
  constexpr float kLeast_m_N = 1e-15F;  // never met: look_up() keeps the matrix positive definite
  StrandFactors& factors = scratch.factors;
  const std::uint32_t last = model.sprockets - 1;
  const auto own_m_N = [&](std::uint32_t s) {
    const float flexibility_m_N = model.strand[s].flexibility_m_N +
                                  scratch.wrap[s].leaving_by_leaving_m_N +
                                  scratch.wrap[after(model, s)].arriving_by_arriving_m_N;
    scratch.stiffness_N_m[s] = 1 / flexibility_m_N;
    return flexibility_m_N;
  };
  float last_m_N = own_m_N(last);
  float here_m_N = own_m_N(0);
  float to_last_m_N = scratch.wrap[0].leaving_by_arriving_m_N;
  for (std::uint32_t s = 0; s < last; ++s) {
    const float inverse_N_m = 1 / (here_m_N > kLeast_m_N ? here_m_N : kLeast_m_N);
    float to_next_m_N = scratch.wrap[s + 1].leaving_by_arriving_m_N;
    if (s + 1 == last) {  // the next one is the last one
      to_last_m_N += to_next_m_N;
      to_next_m_N = 0;
    }
    factors.inverse_N_m[s] = inverse_N_m;
    factors.to_next[s] = to_next_m_N * inverse_N_m;
    factors.to_last[s] = to_last_m_N * inverse_N_m;
    last_m_N -= factors.to_last[s] * to_last_m_N;
    here_m_N = own_m_N(s + 1) - factors.to_next[s] * to_next_m_N;
    to_last_m_N *= -factors.to_next[s];
  }
  factors.inverse_N_m[last] = 1 / (last_m_N > kLeast_m_N ? last_m_N : kLeast_m_N);
}

// From lengths to tensions, in place.
void solve(std::uint32_t count, const StrandFactors& factors, PerSprocket<float>& right) {
  const std::uint32_t last = count - 1;
  float end = right[last];
  for (std::uint32_t s = 0; s < last; ++s) {
    end -= factors.to_last[s] * right[s];
    right[s + 1] -= factors.to_next[s] * right[s];
  }
  end *= factors.inverse_N_m[last];
  right[last] = end;
  for (std::uint32_t s = last; s-- > 0;) {
    right[s] = right[s] * factors.inverse_N_m[s] - factors.to_next[s] * right[s + 1] -
               factors.to_last[s] * end;
  }
}

void look_up_all(const ReducedModel& model, ReducedScratch& scratch) {
  const float least_slope_m_N = 1 / model.link_stiffness_N_m;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    scratch.place[s] =
        place_in(model.sprocket[s].wrap, scratch.leaving_N[s], scratch.arriving_N[s]);
    look_up(model.sprocket[s].wrap, scratch.place[s], scratch.pitch_strain, least_slope_m_N,
            scratch.wrap[s]);
  }
}

void newton_step(const ReducedModel& model, ReducedState& state, ReducedScratch& scratch) {
  compute_pulls(model, state, state.tension_N, scratch);
  look_up_all(model, scratch);
  PerSprocket<float> missing_N;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedStrand& strand = model.strand[s];
    missing_N[s] = scratch.stretch_m[s] -
                   strand.flexibility_m_N * (state.tension_N[s] + strand.middle_weight_N) -
                   scratch.wrap[s].leaving_m - scratch.wrap[after(model, s)].arriving_m;
  }
  factor(model, scratch);
  solve(model.sprockets, scratch.factors, missing_N);
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    // Seats stiffen as they are pressed: a step from slack would go much too far.
    const float most_N = 0.5F * state.tension_N[s] + model.most_first_step_N;
    const float next_N = state.tension_N[s] + held_within(missing_N[s], most_N);
    state.tension_N[s] = held(next_N, 0, model.most_tension_N);
  }
}

void note_health(const ReducedModel& model, ReducedState& state, const ReducedScratch& scratch) {
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const WrapPlace& place = scratch.place[s];
    const bool unheld = place.beyond_slack_N < 0 && place.tight_N > model.most_first_step_N;
    state.health |= state.tension_N[s] > 0 ? 0U : kSlack;
    state.health |= unheld ? kBeyondHold : 0U;
    state.health |= place.beyond_tight_N > 0 ? kBeyondTable : 0U;
  }
}

}  // namespace

void solve_tensions(const ReducedModel& model, ReducedState& state, ReducedScratch& scratch) {
  constexpr int kNewtonSteps = 1;  // from the step before, which is close by
  const float turning_N = model.mass_per_length_kg_m * state.chain_m_s * state.chain_m_s;
  scratch.pitch_strain = state.elongation - model.elongation + turning_N * model.pitch_strain_1_N;
  for (int i = 0; i < kNewtonSteps; ++i) {
    newton_step(model, state, scratch);
  }
  note_health(model, state, scratch);
}

void add_damping(const ReducedModel& model, const ReducedState& state, float step_s,
                 ReducedScratch& scratch) {
  PerSprocket<float>& rate_N_s = scratch.elastic_rate_N_s;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    rate_N_s[s] = scratch.stretch_m_s[s];
  }
  solve(model.sprockets, scratch.factors, rate_N_s);
  PerSprocket<float> damped_N;
  PerSprocket<float> rubbed_N;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    damped_N[s] = model.strand[s].link_damping_m_s_N * rate_N_s[s];
    rubbed_N[s] = 0;
  }
  const float speed_m_s = math::magnitude(state.chain_m_s);
  const float travel_1_s = state.chain_m_s * model.inverse_pitch_1_m;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedSprocket& sprocket = model.sprocket[s];
    const std::uint32_t arriving = before(model, s);
    const WrapDamping seats = damping_at(sprocket.wrap, scratch.place[s]);
    const WrapLook& look = scratch.wrap[s];
    // Of one newton at an end its strand feels the part that the wrap has of its give.
    const float leaving = look.leaving_by_leaving_m_N * scratch.stiffness_N_m[s];
    const float arriving_part = look.arriving_by_arriving_m_N * scratch.stiffness_N_m[arriving];
    const WrapRubbing rubbing =
        rubbing_at(sprocket.wrap, scratch.place[s], look, model.friction,
                   {.leaving_N_s = rate_N_s[s],
                    .arriving_N_s = rate_N_s[arriving],
                    .leaving_stops_m_s_N = step_s * leaving * leaving * scratch.lightness_1_kg[s],
                    .arriving_stops_m_s_N =
                        step_s * arriving_part * arriving_part * scratch.lightness_1_kg[arriving],
                    .travel_1_s = travel_1_s});
    scratch.rubbing_drag_N[s] = rubbing.drag_N_m * model.inverse_pitch_1_m;
    // About standstill rollers are damped as the full model's that are seated from the start, by
    // the slowest first touch that counts, 0.1 m/s: below 12 rpm of 6S90MC-C on its small
    // sprockets. Friction needs no such floor: its law is smooth where sliding ends.
    const float inverse_s_m =
        contact::inverse_first_touch_speed_s_m(sprocket.first_touch * speed_m_s);
    damped_N[s] += inverse_s_m * (seats.leaving * rate_N_s[s] + seats.cross * rate_N_s[arriving]);
    damped_N[arriving] +=
        inverse_s_m * (seats.arriving * rate_N_s[arriving] + seats.cross * rate_N_s[s]);
    rubbed_N[s] += rubbing.leaving_m;
    rubbed_N[arriving] += rubbing.arriving_m;
  }
  solve(model.sprockets, scratch.factors, damped_N);
  solve(model.sprockets, scratch.factors, rubbed_N);
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const float elastic_N = state.tension_N[s];
    const float most_N = model.seat_damping * elastic_N;  // as every contact's damping is bounded
    const float total_N = elastic_N + held_within(damped_N[s], most_N) + rubbed_N[s];
    scratch.total_N[s] = held(total_N, 0, model.most_tension_N);
  }
  compute_pulls(model, state, scratch.total_N, scratch);
}

}  // namespace taut::reduced_chain
