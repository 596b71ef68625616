#include "sim_core/crank/observer.h"

#include "sim_core/math/clamp.h"
#include "sim_core/math/exp.h"

namespace taut::crank {

namespace {

constexpr std::uint32_t kNoMark = 0x8000'0000U;  // far more teeth than any wheel has

// An edge as it stands within the estimates.
struct Passing {
  std::uint32_t moment;  // in 1/65536 ticks; wraps
  float before_end_s;    // of the tick
  float travelled_rad;   // since the last edge taken
};

[[nodiscard]] bool knows_place(const ObserverState& state) {
  return state.sync == Sync::kSynced || state.sync == Sync::kCoasting;
}

[[nodiscard]] bool runs_on_edges_alone(const ObserverState& state) {
  return state.blind_ticks > kHeld_ticks;
}

[[nodiscard]] float interval_s(const ObserverModel& model, const ObserverState& state,
                               const Passing& passing) {
  return static_cast<float>(passing.moment - state.edge_moment) * model.moment_s;
}

// With the speed as corrected by it.
void take(ObserverState& state, const Passing& passing) {
  state.has_edge = true;
  state.edge_moment = passing.moment;
  state.edge_ticks = 0;
  state.edge_rad = passing.before_end_s * state.speed_rad_s;
  state.in_gap = false;
  state.from_rest = false;
}

void lose(ObserverState& state) {
  state.sync = Sync::kLost;
  ++state.counts.losses;
  state.has_edge = false;
  state.mark_edges = kNoMark;
  state.interval_s = 0;
  state.edge_rad = 0;
  state.from_rest = false;
}

// -- Acceleration

[[nodiscard]] bool is_usable(const ObserverModel& model, ObserverState& state,
                             const signal::Sample& sample) {
  if (sample.quality != signal::Quality::kGood) {
    return false;
  }
  // A NaN fails the comparison.
  const bool plausible = math::magnitude(sample.value) <= model.max_acceleration_rad_s2 &&
                         sample.age_ticks <= kMaxTicksApart;
  state.counts.bad_accelerations += plausible ? 0 : 1;
  return plausible;
}

// The acceleration at the end of the tick. A sensor that is late by d shows a(t - d), to which d
// times its slope is added: what a first-order smoothing of time d stays behind by.
[[nodiscard]] float end_acceleration_rad_s2(const ObserverModel& model, ObserverState& state,
                                            bool usable, const signal::Sample& sample) {
  const bool anew = runs_on_edges_alone(state);
  if (!usable) {
    state.blind_ticks += state.blind_ticks <= kHeld_ticks ? 1 : 0;
    // Held while edges correct it. It swings about zero, the best guess where none do.
    const bool held = state.sync == Sync::kSynced || !runs_on_edges_alone(state);
    return held ? state.acceleration_rad_s2 : 0;
  }
  state.blind_ticks = 0;
  const float behind_rad_s2 = sample.value - state.smoothed_rad_s2;
  state.smoothed_rad_s2 =
      anew ? sample.value : state.smoothed_rad_s2 + model.delay_smoothing * behind_rad_s2;
  return sample.value + (sample.value - state.smoothed_rad_s2) - state.bias_rad_s2;
}

// The acceleration is a straight line over the tick.
void predict(const ObserverModel& model, ObserverState& state, float end_rad_s2, float time_s) {
  const float begin_rad_s2 = state.acceleration_rad_s2;
  const float travel_rad =
      time_s * (state.speed_rad_s + time_s * (2 * begin_rad_s2 + end_rad_s2) * (1.0F / 6));
  state.angle += to_turns(travel_rad);
  state.speed_rad_s = math::clamp(state.speed_rad_s + 0.5F * time_s * (begin_rad_s2 + end_rad_s2),
                                  model.max_speed_rad_s);
  state.acceleration_rad_s2 = end_rad_s2;
  const float distance_rad = math::magnitude(travel_rad);
  state.edge_rad += travel_rad;
  state.mark_rad += distance_rad;
  state.coast_rad += distance_rad;
  state.coast_s += time_s;
}

// -- Edges, while the place is known

// How fast errors are to die out. What was begun a time t ago cannot remember longer: 3/t is what
// the expanding-memory filter of second degree comes to (Morrison; gains below).
[[nodiscard]] float bandwidth_1_s(const ObserverModel& model, ObserverState& state, float time_s) {
  state.memory_s = runs_on_edges_alone(state)
                       ? model.blind_memory_s
                       : math::clamp(state.memory_s + time_s, model.memory_s);
  return kMemory / state.memory_s;
}

// Gains of the fading-memory filter of second degree: a constant acceleration is followed without
// error, and errors die out with three equal roots exp(-bandwidth interval) (Morrison, Introduction
// to Sequential Smoothing and Prediction, 1969; Brookner, Tracking and Kalman Filtering Made Easy,
// 1998, ch. 1: the critically damped g-h-k filter).
void correct(const ObserverModel& model, ObserverState& state, const Passing& passing,
             float error_rad) {
  const float time_s = interval_s(model, state, passing);
  const float root = math::exp(-bandwidth_1_s(model, state, time_s) * time_s);
  const float rest = 1 - root;
  const float speed_rad_s = 1.5F * rest * rest * (1 + root) * error_rad / time_s;
  const float acceleration_rad_s2 = rest * rest * rest * error_rad / (time_s * time_s);
  state.angle +=
      to_turns(rest * (1 + root + root * root) * error_rad + passing.before_end_s * speed_rad_s);
  state.speed_rad_s = math::clamp(state.speed_rad_s + speed_rad_s, model.max_speed_rad_s);
  if (runs_on_edges_alone(state)) {
    state.acceleration_rad_s2 =
        math::clamp(state.acceleration_rad_s2 + acceleration_rad_s2, model.max_acceleration_rad_s2);
  } else {
    const float before_rad_s2 = state.bias_rad_s2;
    state.bias_rad_s2 = math::clamp(before_rad_s2 - acceleration_rad_s2, model.max_bias_rad_s2);
    state.acceleration_rad_s2 += before_rad_s2 - state.bias_rad_s2;
  }
}

[[nodiscard]] std::uint32_t angle_at(const ObserverState& state, const Passing& passing) {
  const float back_s = passing.before_end_s;
  return state.angle -
         to_turns(back_s * (state.speed_rad_s - 0.5F * back_s * state.acceleration_rad_s2));
}

void confirm(ObserverState& state) {
  state.mark_rad = 0;
}

// Of pitches travelled since the last edge, those of the gap have no teeth to be missed.
void count_missed(const Wheel& wheel, ObserverState& state, std::uint32_t tooth,
                  std::uint32_t travelled_pitches) {
  const std::uint32_t without_tooth = 1 + (travelled_pitches > tooth ? wheel.missing : 0);
  if (travelled_pitches > without_tooth) {
    state.counts.missed_edges += travelled_pitches - without_tooth;
  }
}

void follow_tooth(const ObserverModel& model, ObserverState& state, const Passing& passing) {
  const std::uint32_t angle = angle_at(state, passing);
  const std::uint32_t tooth = nearest_tooth(model.wheel, angle);
  const float error_rad = to_signed_rad(place_of(model.wheel, tooth) - angle);
  const bool at_tooth = math::magnitude(error_rad) <= model.window_rad;
  const bool in_gap = tooth >= model.edges_a_turn;
  const bool too_soon = passing.travelled_rad < 0.5F * model.pitch_rad;
  if (!at_tooth || in_gap || too_soon) {
    ++state.counts.stray_edges;
    state.in_gap |= at_tooth && in_gap;
    return;
  }
  // Small: nobody coasts farther than a few turns.
  const auto travelled_pitches =
      static_cast<std::uint32_t>(math::round(passing.travelled_rad / model.pitch_rad));
  count_missed(model.wheel, state, tooth, travelled_pitches);
  const bool over_gap = has_gap(model.wheel) && tooth == 0 && !state.in_gap &&
                        travelled_pitches == model.wheel.missing + 1;
  if (over_gap || model.wheel.index_only) {
    confirm(state);
  }
  correct(model, state, passing, error_rad);
  take(state, passing);
  state.sync = Sync::kSynced;
}

void follow_index(const ObserverModel& model, ObserverState& state, const Passing& passing) {
  const float error_rad = to_signed_rad(model.wheel.index - angle_at(state, passing));
  if (math::magnitude(error_rad) > model.window_rad) {
    ++state.counts.stray_edges;
  } else {
    confirm(state);
  }
}

// -- Edges, while the place is not known

// The second mark with the right number of teeth since the first, ahead and fast enough.
void pass_mark(const ObserverModel& model, ObserverState& state, const Passing& passing,
               std::uint32_t place, std::uint32_t edges_amiss) {
  const bool ahead = state.speed_rad_s >= model.slow_rad_s;
  if (ahead && edges_amiss == 0) {
    state.angle = place;
    state.angle += place - angle_at(state, passing);
    state.sync = Sync::kSynced;
    state.mark_rad = 0;
    state.memory_s = 0;
  }
  state.mark_edges = ahead ? 0 : kNoMark;
}

void search_index(const ObserverModel& model, ObserverState& state, const Passing& passing) {
  // A tooth at the same place may come just before or just after.
  const std::uint32_t slack = 1;
  const bool right = state.mark_edges + slack >= model.edges_a_turn &&
                     state.mark_edges <= model.edges_a_turn + slack;
  pass_mark(model, state, passing, model.wheel.index, right ? 0 : 1);
}

void search_tooth(const ObserverModel& model, ObserverState& state, const Passing& passing) {
  if (!state.has_edge || state.edge_ticks > kLongestInterval_ticks) {
    take(state, passing);
    state.mark_edges = kNoMark;
    state.interval_s = 0;
    return;
  }
  const float time_s = interval_s(model, state, passing);
  if (time_s < model.shortest_interval_s) {
    ++state.counts.stray_edges;
    return;
  }
  const float ratio = state.interval_s > 0 ? time_s / state.interval_s : 0;
  const bool is_gap =
      has_gap(model.wheel) && ratio > model.gap_ratio_low && ratio < model.gap_ratio_high;
  const float pitches = is_gap ? model.gap_pitches : 1;
  // Astern if the measured acceleration has brought it so far; unless it has, ahead.
  const bool astern = passing.travelled_rad < -0.5F * model.pitch_rad;
  const float passed_rad = (astern ? -pitches : pitches) * model.pitch_rad;
  state.speed_rad_s = math::clamp(state.speed_rad_s + (passed_rad - passing.travelled_rad) / time_s,
                                  model.max_speed_rad_s);
  state.interval_s = time_s / pitches;
  state.sync = Sync::kSearching;
  state.mark_edges += state.mark_edges + 1 != 0 ? 1 : 0;
  take(state, passing);
  if (is_gap || model.wheel.index_only) {
    const std::uint32_t amiss = state.mark_edges - model.edges_a_turn;
    pass_mark(model, state, passing, model.wheel.first_tooth, amiss);
  }
}

void pass_edge(const ObserverModel& model, ObserverState& state, signal::EdgeKind kind,
               const Passing& passing) {
  const bool is_tooth =
      kind == (model.wheel.index_only ? signal::EdgeKind::kIndex : signal::EdgeKind::kTooth);
  const bool is_index = kind == signal::EdgeKind::kIndex;
  const bool is_mark = is_index && !has_gap(model.wheel);
  if (!is_tooth && !is_index) {
    ++state.counts.stray_edges;
  } else if (!knows_place(state)) {
    if (is_tooth) {
      search_tooth(model, state, passing);
    } else if (is_mark) {
      search_index(model, state, passing);
    }
  } else if (state.speed_rad_s >= model.slow_rad_s) {
    if (is_tooth) {
      follow_tooth(model, state, passing);
    } else if (is_mark) {
      follow_index(model, state, passing);
    }
  }
}

void pass_edges(const ObserverModel& model, ObserverState& state,
                const signal::SensorFrame& frame) {
  const std::uint32_t given = frame.edges;
  const std::uint32_t edges = given < signal::kMaxEdges ? given : signal::kMaxEdges;
  state.counts.stray_edges += given - edges;
  std::uint32_t last_moment = 0;
  for (std::uint32_t i = 0; i < edges; ++i) {
    const signal::Edge& edge = frame.edge[i];
    if (edge.moment < last_moment) {
      ++state.counts.stray_edges;
      continue;
    }
    last_moment = edge.moment;
    const float before_end_s = static_cast<float>(kMomentsATick - edge.moment) * model.moment_s;
    pass_edge(model, state, edge.kind,
              {.moment = (frame.tick * kMomentsATick) + edge.moment,
               .before_end_s = before_end_s,
               .travelled_rad = state.edge_rad - before_end_s * state.speed_rad_s});
  }
}

// -- What has not happened

// No edge where one had to come: it stands still. If it stood still before, what speed has come
// together since is the sensor's bias.
void stand(const ObserverModel& model, ObserverState& state) {
  if (state.from_rest && !runs_on_edges_alone(state)) {
    const float still_s = static_cast<float>(state.edge_ticks) * model.tick_s;
    state.bias_rad_s2 =
        math::clamp(state.bias_rad_s2 + state.speed_rad_s / still_s, model.max_bias_rad_s2);
  }
  state.speed_rad_s = 0;
  state.edge_rad = 0;
  state.edge_ticks = 0;
  state.has_edge = false;
  state.from_rest = true;
}

void watch(const ObserverModel& model, ObserverState& state) {
  if (!knows_place(state)) {
    if (math::magnitude(state.edge_rad) > model.overdue_rad) {
      stand(model, state);
    }
    return;
  }
  const bool unsure = state.edge_rad > model.overdue_rad || state.speed_rad_s < model.slow_rad_s;
  if (state.sync == Sync::kSynced) {
    state.coast_s = 0;
    state.coast_rad = 0;
    state.sync = unsure ? Sync::kCoasting : Sync::kSynced;
  }
  const float longest_s = runs_on_edges_alone(state) ? model.blind_coast_s : model.coast_s;
  if (state.coast_s > longest_s || state.coast_rad > model.coast_rad ||
      state.mark_rad > model.max_rad_without_mark) {
    lose(state);
  }
}

}  // namespace

void init(ObserverState& state) {
  state = {};
  state.mark_edges = kNoMark;
  state.blind_ticks = kHeld_ticks + 1;  // until the first good sample
}

void observe(const ObserverModel& model, ObserverState& state, const signal::SensorFrame& frame) {
  const std::uint32_t apart = state.started ? frame.tick - state.tick : 1;
  const bool in_order = apart != 0 && apart <= kMaxTicksApart;
  const std::uint32_t ticks = in_order ? apart : 1;
  state.counts.stale_frames += apart == 1 ? 0 : 1;
  state.started = true;
  state.tick = frame.tick;
  state.edge_moment += (apart - ticks) * kMomentsATick;  // to the frames' new count of ticks

  const signal::Sample& sample = frame.crank_acceleration_rad_s2;
  const bool usable = in_order && is_usable(model, state, sample);
  const float end_rad_s2 = end_acceleration_rad_s2(model, state, usable, sample);
  predict(model, state, end_rad_s2, static_cast<float>(ticks) * model.tick_s);
  state.edge_ticks += state.edge_ticks <= kLongestInterval_ticks ? ticks : 0;
  if (in_order) {
    pass_edges(model, state, frame);
  }
  watch(model, state);
  state.motion = {to_rad(state.angle), state.speed_rad_s, state.acceleration_rad_s2};
}

}  // namespace taut::crank
