#include "sim_core/reduced_chain/step.h"

#include <type_traits>

#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/reduced_chain/arm_polynomial.h"
#include "sim_core/reduced_chain/tensions.h"

namespace taut::reduced_chain {
namespace {

using Model = ReducedModel;
using State = ReducedState;
using Scratch = ReducedScratch;

// Calls function(n) with the number of modes as a constant, so that loops over them have no
// counters.
template <typename Function>
void with_modes(std::uint32_t modes, Function function) {
  static_assert(kMaxModes == 10);
  switch (modes) {
    case 2:
      return function(std::integral_constant<std::uint32_t, 2>{});
    case 4:
      return function(std::integral_constant<std::uint32_t, 4>{});
    case 6:
      return function(std::integral_constant<std::uint32_t, 6>{});
    case 8:
      return function(std::integral_constant<std::uint32_t, 8>{});
    default:
      return function(std::integral_constant<std::uint32_t, 10>{});
  }
}

// Turns and angle make the travel exact however long the drive runs.
float travel_pitches(const Model& model, const State& state) {
  const float pitches = state.crank_angle_rad * model.crank_teeth * (1.0F / math::kTwoPi<float>);
  const auto whole = state.turns * static_cast<std::uint32_t>(model.crank_teeth) % model.links;
  const float sum = pitches + static_cast<float>(whole);
  const auto links = static_cast<float>(model.links);
  return sum < links ? sum : sum - links;
}

// Places on bars by which the chain has moved on: -1, 0 or 1; more counts as one.
int places_passed(const Model& model, float before, float now) {
  const auto links = static_cast<float>(model.links);
  const float change = now - before;
  const bool on = change > 0 ? change < 0.5F * links : change < -0.5F * links;
  const float inverse = 1 / model.pitches_a_bar_point;
  const auto was = static_cast<std::int32_t>(before * inverse);
  const auto is = static_cast<std::int32_t>(now * inverse);
  return was == is ? 0 : on ? 1 : -1;
}

// Rollers take the speeds of their first touch along, from one place on a bar to the next.
void pass_touches(const Model& model, int passed, State& state) {
  auto& touch = state.inverse_first_touch_speed_s_m;
  for (std::uint32_t b = 0; b < model.bars && passed != 0; ++b) {
    const ReducedBar& bar = model.bar[b];
    const std::uint32_t last = bar.first_point + bar.points - 1;
    if (passed > 0) {
      for (std::uint32_t j = last; j > bar.first_point; --j) {
        touch[j] = touch[j - 1];
      }
      touch[bar.first_point] = 0;
    } else {
      for (std::uint32_t j = bar.first_point; j < last; ++j) {
        touch[j] = touch[j + 1];
      }
      touch[last] = 0;
    }
  }
}

// The crank as commanded; as before where the command is no number or too fast.
void follow_crank(const Model& model, const crank::Motion<float>& crank, float step_s, State& state,
                  Scratch& scratch) {
  constexpr float kTurn_rad = math::kTwoPi<float>;
  const float wanted_m_s = crank.speed_rad_s * model.sprocket[0].pitch_line_radius_m;
  const bool is_good = math::is_finite(crank.angle_rad) && crank.angle_rad >= 0 &&
                       crank.angle_rad <= kTurn_rad &&
                       math::magnitude(wanted_m_s) <= model.most_speed_m_s;
  const float before_m_s = state.chain_m_s;
  const float before_pitches = travel_pitches(model, state);
  if (is_good) {
    const float turned_rad = crank.angle_rad - state.crank_angle_rad;
    const bool forward = turned_rad < -0.5F * kTurn_rad;
    const bool backward = turned_rad > 0.5F * kTurn_rad;
    const std::uint32_t one_less = state.turns == 0 ? model.loop_turns - 1 : state.turns - 1;
    const std::uint32_t one_more = state.turns + 1 == model.loop_turns ? 0 : state.turns + 1;
    state.turns = forward ? one_more : backward ? one_less : state.turns;
    state.crank_angle_rad = crank.angle_rad;
    state.chain_m_s = wanted_m_s;
  } else {
    state.health |= kBadCommand;
    ++state.bad_commands;
  }
  scratch.travel_pitches = travel_pitches(model, state);
  scratch.crank_m_s2 = (state.chain_m_s - before_m_s) / step_s;
  pass_touches(model, places_passed(model, before_pitches, scratch.travel_pitches), state);
}

// False if one of them had to be held.
template <std::uint32_t kModes>
bool move_modes(float step_s, float most_m, const float* mode_m_s, float* mode_m) {
  bool within = true;
  for (std::uint32_t n = 0; n < kModes; ++n) {
    const float moved_m = mode_m[n] + step_s * mode_m_s[n];
    within = within && is_within(moved_m, most_m);
    mode_m[n] = held_within(moved_m, most_m);
  }
  return within;
}

void move_strands(const Model& model, float step_s, State& state) {
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedStrand& strand = model.strand[s];
    with_modes(strand.modes, [&](auto modes) {
      const bool within =
          move_modes<modes()>(step_s, kMostAside * strand.length_m,
                              &state.mode_m_s[strand.first_mode], &state.mode_m[strand.first_mode]);
      state.health |= within ? 0U : kOutOfRange;
    });
  }
}

void move(const Model& model, float step_s, State& state) {
  constexpr float kMostAhead = 2;  // pitches: teeth would have been jumped long before
  const float most_m = kMostAhead * model.pitch_m;
  for (std::uint32_t s = 1; s < model.sprockets; ++s) {
    const float moved_m = state.ahead_m[s] + step_s * state.ahead_m_s[s];
    state.health |= is_within(moved_m, most_m) ? 0U : kOutOfRange;
    state.ahead_m[s] = held_within(moved_m, most_m);
  }
  move_strands(model, step_s, state);
  if (model.arm_sprocket != kNoArm) {
    const float turned_rad = state.arm_angle_rad + step_s * state.arm_speed_rad_s;
    state.arm_angle_rad = held_within(turned_rad, model.arm.range_rad);
    if (state.arm_angle_rad != turned_rad) {
      state.arm_speed_rad_s = 0;
      state.health |= kArmAtEnd;
    }
  }
}

struct Ripples {
  float cos1, sin1, cos2, sin2;
};

float value_of(const Ripple& ripple, const Ripples& at) {
  return ripple.cos1_m * at.cos1 + ripple.sin1_m * at.sin1 + ripple.cos2_m * at.cos2 +
         ripple.sin2_m * at.sin2;
}

Ripples ripples_at(float travel_pitches) {
  const auto whole = static_cast<float>(static_cast<std::int32_t>(travel_pitches));
  const auto turn = math::sincos(math::kTwoPi<float> * (travel_pitches - whole));
  return {turn.cos, turn.sin, turn.cos * turn.cos - turn.sin * turn.sin, 2 * turn.sin * turn.cos};
}

// Chain that a vibrating strand needs beyond a straight one, E = L/4 times the sum of k^2 q^2, its
// rate, and how easily it gives way. That the chain rolls off and on at its ends changes next to
// nothing: where the slope s leads off a sprocket of radius R, the strand is longer by R s, which
// takes -5/12 R s^3, but its middle lies further from the new line by R s^2/4, which takes
// pi/8 R s^3.
struct Excess {
  float length_m, rate_m_s;
  float lightness_1_kg;
};

template <std::uint32_t kModes>
Excess excess_of(const ReducedStrand& strand, const float* mode_m, const float* mode_m_s) {
  float sum = 0;
  float rate_1_s = 0;
  float slopes_1_m2 = 0;
  for (std::uint32_t n = 0; n < kModes; ++n) {
    const float bend_1_m = strand.wave_number2_1_m2[n] * mode_m[n];
    sum += bend_1_m * mode_m[n];
    rate_1_s += bend_1_m * mode_m_s[n];
    slopes_1_m2 += bend_1_m * bend_1_m;
  }
  const float half_m = 0.5F * strand.length_m;
  return {0.5F * half_m * sum, half_m * rate_1_s,
          strand.lightness_1_kg + strand.mode_mass_inverse_1_kg * half_m * half_m * slopes_1_m2};
}

Excess excess_of(const ReducedStrand& strand, const State& state) {
  Excess excess{};
  with_modes(strand.modes, [&](auto modes) {
    excess = excess_of<modes()>(strand, &state.mode_m[strand.first_mode],
                                &state.mode_m_s[strand.first_mode]);
  });
  return excess;
}

// Mean excess length of waves from the teeth: it follows speed and tension as waves fill the
// strand.
void follow_waves(const Model& model, float step_s, State& state) {
  const float weight_N = model.mass_per_length_kg_m * state.chain_m_s * state.chain_m_s;
  constexpr float kNodes = static_cast<float>(kWaveNodes - 1) / kMostWaveRatio;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedStrand& strand = model.strand[s];
    const float tension_N = state.tension_N[s] + strand.middle_weight_N;
    const float slowest_N = 1 + weight_N;
    const float ratio = math::sqrt(weight_N / (tension_N > slowest_N ? tension_N : slowest_N));
    std::uint32_t node = 0;
    float part = 0;
    split(ratio * kNodes, kWaveNodes, node, part);
    const float wanted_m =
        strand.wave_m[node] + part * (strand.wave_m[node + 1] - strand.wave_m[node]);
    state.wave_m[s] += step_s * strand.wave_share_1_s * (wanted_m - state.wave_m[s]);
  }
}

AtSpeed measured_at(const Model& model, float chain_m_s) {
  std::uint32_t node = 0;
  float part = 0;
  split(math::magnitude(chain_m_s) * model.speed_nodes_s_m, kSpeedNodes, node, part);
  const AtSpeed& low = model.at_speed[node];
  const AtSpeed& high = model.at_speed[node + 1];
  return {.riding_m = low.riding_m + part * (high.riding_m - low.riding_m),
          .joints = low.joints + part * (high.joints - low.joints),
          .seats = low.seats + part * (high.seats - low.seats),
          .rubbing = low.rubbing + part * (high.rubbing - low.rubbing)};
}

// How much longer the path of each strand is than its chain, and how fast that grows.
void compute_stretches(const Model& model, const State& state, Scratch& scratch,
                       etl::array<Polynomial, 2>& path) {
  const Ripples ripples = ripples_at(scratch.travel_pitches);
  const float lengthened = state.elongation - model.elongation;
  const float riding_m = measured_at(model, state.chain_m_s).riding_m;
  for (std::size_t i = 0; i < path.size(); ++i) {
    path[i] = model.arm_sprocket == kNoArm ? Polynomial{0, 0}
                                           : value_at(model.arm.path_m[i], state.arm_angle_rad);
  }
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedStrand& strand = model.strand[s];
    const std::uint32_t next = s + 1 < model.sprockets ? s + 1 : 0;
    const Excess excess = excess_of(strand, state);
    const Polynomial by_arm = strand.path == 0 ? Polynomial{0, 0} : path[strand.path - 1];
    const float ripple_m = value_of(model.sprocket[s].leaving_ripple, ripples) +
                           value_of(model.sprocket[next].arriving_ripple, ripples);
    const float ahead_m = (next == 0 ? 0 : state.ahead_m[next]) - (s == 0 ? 0 : state.ahead_m[s]);
    const float ahead_m_s =
        (next == 0 ? 0 : state.ahead_m_s[next]) - (s == 0 ? 0 : state.ahead_m_s[s]);
    scratch.stretch_m[s] = strand.stretch_at_rest_m + ahead_m + by_arm.value + excess.length_m +
                           state.wave_m[s] + riding_m - ripple_m -
                           lengthened * model.pitch_m * strand.pitches;
    scratch.lightness_1_kg[s] = excess.lightness_1_kg;
    scratch.stretch_m_s[s] = ahead_m_s + by_arm.slope * state.arm_speed_rad_s + excess.rate_m_s;
  }
}

// How deep the chain is in a bar at each of its places, and straight on a place more each way.
template <std::uint32_t kModes>
void compute_depths(const Model& model, const ReducedBar& bar, const State& state,
                    Scratch& scratch) {
  const std::uint32_t first_mode = model.strand[bar.strand].first_mode;
  const std::uint32_t points = bar.points;
  const float push = bar.push;
  const float arm_rad = state.arm_angle_rad;
  etl::array<float, kModes> mode_m;
  for (std::uint32_t n = 0; n < kModes; ++n) {
    mode_m[n] = state.mode_m[first_mode + n];
  }
  const BarPoint* point = &model.bar_point[bar.first_point];
  float* depth_m = &scratch.depth_m[1];
  for (std::uint32_t j = 0; j < points; ++j) {
    float aside_m = 0;
    for (std::uint32_t n = 0; n < kModes; ++n) {
      aside_m += point[j].sine[n] * mode_m[n];
    }
    depth_m[j] = push * (point[j].height_m + point[j].height_per_angle_m * arm_rad - aside_m);
  }
  const std::uint32_t neighbour = points > 1 ? 1 : 0;
  scratch.depth_m[0] = 2 * depth_m[0] - depth_m[neighbour];
  depth_m[points] = 2 * depth_m[points - 1] - depth_m[points - 1 - neighbour];
}

// Force of a bar at each of its places; returns what presses on it.
float compute_pushes(const ReducedBar& bar, float step_s, State& state, Scratch& scratch) {
  const contact::NormalLaw<float> law = bar.law;
  const float rollers = bar.rollers_a_point;
  const float push = bar.push;
  const float inverse_step_1_s = 1 / step_s;
  const float per_two_places_1_s = 0.5F * state.chain_m_s * bar.inverse_spacing_1_m;
  const std::uint32_t points = bar.points;
  float* last_m = &state.bar_m[bar.first_point];
  float* touch_s_m = &state.inverse_first_touch_speed_s_m[bar.first_point];
  float* push_N = &scratch.push_N[bar.first_point];
  float pressed_N = 0;
  float before_m = scratch.depth_m[0];
  float depth_m = scratch.depth_m[1];
  for (std::uint32_t j = 0; j < points; ++j) {
    const float after_m = scratch.depth_m[j + 2];
    // What a roller feels that moves along.
    const float along_m_s = per_two_places_1_s * (after_m - before_m);
    const float approach_m_s = (depth_m - last_m[j]) * inverse_step_1_s + along_m_s;
    const float before_s_m = touch_s_m[j];
    const float touched_s_m =
        before_s_m > 0 ? before_s_m : contact::inverse_first_touch_speed_s_m(approach_m_s);
    const float force_N = rollers * contact::force_N(law, depth_m, approach_m_s, touched_s_m);
    touch_s_m[j] = depth_m > 0 ? touched_s_m : 0.0F;
    last_m[j] = depth_m;
    push_N[j] = push * force_N;
    pressed_N += force_N;
    before_m = depth_m;
    depth_m = after_m;
  }
  return pressed_N;
}

// Forces of guide-bars on their strands, and their friction on the chain.
void press_on_bars(const Model& model, float step_s, State& state, Scratch& scratch) {
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    scratch.bar_drag_N[s] = 0;
  }
  for (std::uint32_t b = 0; b < model.bars; ++b) {
    const ReducedBar& bar = model.bar[b];
    with_modes(model.strand[bar.strand].modes,
               [&](auto modes) { compute_depths<modes()>(model, bar, state, scratch); });
    const float pressed_N = compute_pushes(bar, step_s, state, scratch);
    scratch.bar_drag_N[bar.strand] -=
        contact::friction_force_N(model.friction, pressed_N, state.chain_m_s);
  }
}

// Forces of all bars on the modes of one strand.
template <std::uint32_t kModes>
etl::array<float, kModes> bar_forces_N(const Model& model, std::uint32_t s,
                                       const Scratch& scratch) {
  etl::array<float, kModes> mode_N;
  for (std::uint32_t n = 0; n < kModes; ++n) {
    mode_N[n] = 0;
  }
  for (std::uint32_t b = 0; b < model.bars; ++b) {
    const ReducedBar& bar = model.bar[b];
    const std::uint32_t end = bar.strand == s ? bar.first_point + bar.points : bar.first_point;
    for (std::uint32_t j = bar.first_point; j < end; ++j) {
      for (std::uint32_t n = 0; n < kModes; ++n) {
        mode_N[n] += model.bar_point[j].sine[n] * scratch.push_N[j];
      }
    }
  }
  return mode_N;
}

// Two modes each turn into one another as the chain moves: the implicit midpoint of that is a
// rotation, which neither adds nor takes energy. It stands between two halves of what forces add:
// all of it on one side would feed the strand from the chain's travel.
template <std::uint32_t kModes>
void turn_modes(const ReducedStrand& strand, float chain_m_s, float step_s,
                etl::array<float, kModes>& mode_m_s) {
  constexpr std::size_t kPairs = kModes / 2;
  etl::array<float, kPairs> odd;
  etl::array<float, kPairs> even;
  for (std::size_t i = 0; i < kPairs; ++i) {
    float first = 0;
    float second = 0;
    for (std::size_t n = 0; n < kPairs; ++n) {
      first += strand.turns_odd[i][n] * mode_m_s[2 * n];
      second += strand.turns_even[i][n] * mode_m_s[2 * n + 1];
    }
    const float t = step_s * chain_m_s * strand.gyroscopic_1_m[i];
    const float inverse = 1 / (1 + t * t);
    const float cos = (1 - t * t) * inverse;
    const float sin = 2 * t * inverse;
    odd[i] = cos * first - sin * second;
    even[i] = sin * first + cos * second;
  }
  for (std::size_t n = 0; n < kPairs; ++n) {
    float first = 0;
    float second = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
      first += strand.turns_odd[i][n] * odd[i];
      second += strand.turns_even[i][n] * even[i];
    }
    mode_m_s[2 * n] = first;
    mode_m_s[2 * n + 1] = second;
  }
}

template <std::uint32_t kModes>
void accelerate_modes(const Model& model, std::uint32_t s, float step_s, State& state,
                      const Scratch& scratch) {
  const ReducedStrand& strand = model.strand[s];
  const float* mode_m = &state.mode_m[strand.first_mode];
  float* mode_m_s = &state.mode_m_s[strand.first_mode];
  const etl::array<float, kModes> bar_N = bar_forces_N<kModes>(model, s, scratch);
  // Tension draws a bent strand straight, k^2 T/m q, and the travel of its chain bends it further,
  // k^2 V^2 q. Half the length times the inverse mass of a mode is 1/m.
  const float chain_m_s = state.chain_m_s;
  const float tension_N = scratch.total_N[s] + strand.middle_weight_N;
  const float straightens_m2_s2 =
      0.5F * strand.length_m * strand.mode_mass_inverse_1_kg * tension_N - chain_m_s * chain_m_s;
  etl::array<float, kModes> half_m_s;  // gained before modes turn, and again afterwards
  etl::array<float, kModes> speed_m_s;
  for (std::uint32_t n = 0; n < kModes; ++n) {
    const float acceleration_m_s2 = strand.gravity_m_s2[n] +
                                    strand.mode_mass_inverse_1_kg * bar_N[n] -
                                    strand.wave_number2_1_m2[n] * mode_m[n] * straightens_m2_s2 -
                                    strand.damping_1_s[n] * mode_m_s[n];
    half_m_s[n] = 0.5F * step_s * acceleration_m_s2;
    speed_m_s[n] = mode_m_s[n] + half_m_s[n];
  }
  turn_modes<kModes>(strand, chain_m_s, step_s, speed_m_s);
  for (std::uint32_t n = 0; n < kModes; ++n) {
    mode_m_s[n] = held_within(speed_m_s[n] + half_m_s[n], model.most_speed_m_s);
  }
}

void accelerate_strands(const Model& model, float step_s, State& state, const Scratch& scratch) {
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    with_modes(model.strand[s].modes,
               [&](auto modes) { accelerate_modes<modes()>(model, s, step_s, state, scratch); });
  }
}

// Spring, damper, oil and weight of the arm, and the pull of both strands on it.
float arm_moment_N_m(const Model& model, const etl::array<Polynomial, 2>& path, State& state,
                     Scratch& scratch) {
  const ReducedArm& arm = model.arm;
  const std::uint32_t s = model.arm_sprocket;
  const Polynomial spring = value_at(arm.spring_m, state.arm_angle_rad);
  const float lengthening_m_s = spring.slope * state.arm_speed_rad_s;
  float spring_N = arm.spring_drawn_N + arm.spring_stiffness_N_m * spring.value +
                   arm.spring_damping_N_s_m * lengthening_m_s;
  if (arm.has_hydraulic_unit) {
    const float travel_m = tightener::travel_m(arm.unit, spring.value);
    tightener::step(arm.unit, travel_m, state.unit);
    spring_N -= arm.unit.sense *
                (tightener::push_N(arm.unit, state.unit, travel_m) +
                 tightener::stop_damping_N(arm.unit, travel_m, arm.unit.sense * lengthening_m_s));
  }
  scratch.spring_N = spring_N;
  return value_at(arm.weight_N_m, state.arm_angle_rad).value - spring_N * spring.slope -
         scratch.arriving_N[s] * path[0].slope - scratch.leaving_N[s] * path[1].slope;
}

// Losses at each sprocket: of rollers that meet it, of joints, of its bearing.
void compute_drags(const Model& model, const State& state, Scratch& scratch) {
  const AtSpeed measured = measured_at(model, state.chain_m_s);
  const float sign = contact::smooth_sign(model.friction, state.chain_m_s);
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedSprocket& sprocket = model.sprocket[s];
    const float pull_N = 0.5F * (scratch.leaving_N[s] + scratch.arriving_N[s]);
    const float pressed_N = pull_N > 0 ? pull_N : 0.0F;
    // Energy of a seat goes with the power 5/3 of the force on it; 3/2 needs a root only.
    scratch.seat_drag_N[s] =
        measured.seats * sign * sprocket.loss_1_sqrt_N * pressed_N * math::sqrt(pressed_N);
    scratch.joint_drag_N[s] = measured.joints * sprocket.joint_N_s_m * state.chain_m_s;
    scratch.rubbing_drag_N[s] *= measured.rubbing;
    scratch.drag_N[s] = sprocket.load_N + scratch.rubbing_drag_N[s] + scratch.seat_drag_N[s] +
                        scratch.joint_drag_N[s] + sprocket.bearing_N_s_m * state.chain_m_s;
  }
}

void accelerate(const Model& model, const etl::array<Polynomial, 2>& path, float step_s,
                State& state, Scratch& scratch) {
  PerSprocket<float> force;
  for (std::uint32_t s = 1; s < model.sprockets; ++s) {
    force[s - 1] = scratch.total_N[s] - 0.5F * scratch.bar_drag_N[s] - scratch.total_N[s - 1] -
                   0.5F * scratch.bar_drag_N[s - 1] - scratch.drag_N[s];
  }
  const bool has_arm = model.arm_sprocket != kNoArm;
  const std::uint32_t arm = model.sprockets - 1;
  if (has_arm) {
    force[arm] = arm_moment_N_m(model, path, state, scratch);
  }
  const std::uint32_t count = has_arm ? arm + 1 : arm;
  const float most_m_s = model.most_speed_m_s;
  for (std::uint32_t i = 0; i < count; ++i) {
    float sum = -model.follows_crank[i] * scratch.crank_m_s2;
    for (std::uint32_t j = 0; j < count; ++j) {
      sum += model.mobility[i][j] * force[j];
    }
    scratch.acceleration_m_s2[i] = sum;
    float& speed = i < arm ? state.ahead_m_s[i + 1] : state.arm_speed_rad_s;
    speed = held_within(speed + step_s * sum, most_m_s);
  }
}

// Forces and tensions at the places where all is now.
void evaluate(const Model& model, float step_s, State& state, Scratch& scratch,
              etl::array<Polynomial, 2>& path) {
  compute_stretches(model, state, scratch, path);
  solve_tensions(model, state, scratch);
  add_damping(model, state, step_s, scratch);
  press_on_bars(model, step_s, state, scratch);
  compute_drags(model, state, scratch);
}

}  // namespace

void init(const Model& model, float crank_rad_s, State& state, Scratch& scratch) {
  state = model.rest;
  scratch = {};
  state.chain_m_s = crank_rad_s * model.sprocket[0].pitch_line_radius_m;
  etl::array<Polynomial, 2> path{};
  scratch.travel_pitches = travel_pitches(model, state);
  evaluate(model, kStep_s, state, scratch, path);
}

void evaluate_rates(const Model& model, const State& state, Scratch& scratch) {
  etl::array<Polynomial, 2> path{};
  State copy = state;
  scratch.travel_pitches = travel_pitches(model, state);
  evaluate(model, kStep_s, copy, scratch, path);
}

void step(const Model& model, const crank::Motion<float>& crank, float step_s, State& state,
          Scratch& scratch) {
  etl::array<Polynomial, 2> path{};
  state.health = 0;
  follow_crank(model, crank, step_s, state, scratch);
  move(model, step_s, state);
  follow_waves(model, step_s, state);
  evaluate(model, step_s, state, scratch, path);
  accelerate(model, path, step_s, state, scratch);
  accelerate_strands(model, step_s, state, scratch);
  constexpr float kMostWear = 0.0005F;
  const float worn = math::magnitude(state.elongation - model.elongation);
  state.health |= worn <= kMostWear ? 0U : kReduceAgain;
  ++state.steps;
}

void step(const Model& model, const crank::Motion<float>& crank, State& state, Scratch& scratch) {
  step(model, crank, kStep_s, state, scratch);
}

std::uint64_t hash_of(const Model& model, const State& state) {
  math::Hash64 hash;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    hash.add(state.ahead_m[s]);
    hash.add(state.ahead_m_s[s]);
    hash.add(state.tension_N[s]);
    hash.add(state.wave_m[s]);
    const ReducedStrand& strand = model.strand[s];
    for (std::uint32_t i = strand.first_mode; i < strand.first_mode + strand.modes; ++i) {
      hash.add(state.mode_m[i]);
      hash.add(state.mode_m_s[i]);
    }
  }
  for (std::uint32_t b = 0; b < model.bars; ++b) {
    const ReducedBar& bar = model.bar[b];
    for (std::uint32_t j = bar.first_point; j < bar.first_point + bar.points; ++j) {
      hash.add(state.bar_m[j]);
      hash.add(state.inverse_first_touch_speed_s_m[j]);
    }
  }
  hash.add(state.arm_angle_rad);
  hash.add(state.arm_speed_rad_s);
  hash.add(state.unit.oil_m3);
  hash.add(state.chain_m_s);
  hash.add(state.crank_angle_rad);
  hash.add(state.elongation);
  hash.add(state.turns);
  hash.add(state.health);
  hash.add(state.bad_commands);
  hash.add(state.steps);
  return hash.value();
}

}  // namespace taut::reduced_chain
