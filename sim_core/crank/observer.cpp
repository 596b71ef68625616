#include "sim_core/crank/observer.h"

#include "sim_core/math/clamp.h"
#include "sim_core/math/round.h"

namespace taut::crank {

namespace {

constexpr std::uint32_t kNoMark = 0x8000'0000U;  // far more teeth than any wheel has
// Edges in step and none at its tooth: by so many it is the place that is wrong. Noise is not in
// step for so long.
constexpr std::uint32_t kShifted_edges = 8;

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

void count_stray(ObserverState& state) {
  ++state.counts.stray_edges;
  add_amiss(1, state.trouble);
}

// With the speed as corrected by it.
void take(ObserverState& state, const Passing& passing) {
  state.has_edge = true;
  state.edge_moment = passing.moment;
  state.edge_ticks = 0;
  state.edge_rad = passing.before_end_s * state.speed_rad_s;
  state.in_gap = false;
  state.strays_in_step = 0;
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
  state.by_edges = {};
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
                                            bool usable, const signal::Sample& sample,
                                            float time_s) {
  if (usable) {
    const bool anew = runs_on_edges_alone(state) && !state.trial.is_doubted;
    const float behind_rad_s2 = sample.value - state.smoothed_rad_s2;
    state.smoothed_rad_s2 =
        anew ? sample.value : state.smoothed_rad_s2 + model.delay_smoothing * behind_rad_s2;
    const float now_rad_s2 = sample.value + (sample.value - state.smoothed_rad_s2);
    if (!state.trial.is_doubted) {
      state.blind_ticks = 0;
      return now_rad_s2 - state.bias_rad_s2;
    }
    advance(model.trial, now_rad_s2, time_s, state.trial);
  }
  state.blind_ticks += state.blind_ticks <= kHeld_ticks ? 1 : 0;
  if (knows_place(state)) {
    return state.by_edges.acceleration_rad_s2;
  }
  // It swings about zero, the best guess after a while.
  return runs_on_edges_alone(state) ? 0 : state.acceleration_rad_s2;
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

void correct(const ObserverModel& model, const PlacedEdge& edge, float error_rad,
             ObserverState& state) {
  const Gains by = growing_gains(edge.settled, edge.time_s, model.memory_s, state.memory_s);
  const float more_rad_s = by.speed * error_rad / edge.time_s;
  state.angle += to_turns(by.angle * error_rad + edge.before_end_s * more_rad_s);
  state.speed_rad_s = math::clamp(state.speed_rad_s + more_rad_s, model.max_speed_rad_s);
  if (!runs_on_edges_alone(state) && !state.trouble.edges_are_bad) {
    const float before_rad_s2 = state.bias_rad_s2;
    state.bias_rad_s2 =
        math::clamp(before_rad_s2 - by.acceleration * error_rad / (edge.time_s * edge.time_s),
                    model.max_bias_rad_s2);
    state.acceleration_rad_s2 += before_rad_s2 - state.bias_rad_s2;
  }
}

// Without the sensor the motion is that of the track.
void adopt_track(ObserverState& state) {
  state.angle = state.by_edges.angle;
  state.speed_rad_s = state.by_edges.speed_rad_s;
  state.acceleration_rad_s2 = state.by_edges.acceleration_rad_s2;
}

[[nodiscard]] std::uint32_t angle_at(const ObserverState& state, const Passing& passing) {
  return angle_before({state.angle, state.speed_rad_s, state.acceleration_rad_s2},
                      passing.before_end_s);
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
    add_amiss(static_cast<float>(travelled_pitches - without_tooth), state.trouble);
  }
}

// As it was while it was tried. What edges alone tell of the motion is rougher, and beginning from
// there the sensor would soon be doubted again.
void believe_sensor(const ObserverModel& model, ObserverState& state) {
  SensorTrial& trial = state.trial;
  trial.is_doubted = false;
  state.blind_ticks = 0;
  state.angle = trial.angle;
  state.speed_rad_s = trial.speed_rad_s;
  state.acceleration_rad_s2 = trial.acceleration_rad_s2;
  state.bias_rad_s2 = trial.bias_rad_s2;
  state.memory_s = model.memory_s;
}

// With errors of one edge, by the observer and by edges alone. One false edge spoils the next ones
// for both, and an index alone tells of no order: nothing is said then. True where they were
// compared.
bool try_sensor(const ObserverModel& model, ObserverState& state, const PlacedEdge& edge,
                float error_rad, float track_error_rad) {
  SensorTrial& trial = state.trial;
  const bool is_tried = trial.is_doubted || !runs_on_edges_alone(state);
  const bool tells = is_tried && state.trouble.amiss < kNoTrouble / 2 && model.track.orders > 0;
  if (trial.is_doubted) {
    const float trial_error_rad = correct(model.trial, edge, state.by_edges.speed_rad_s, trial);
    if (tells) {
      compare_fits(model.trial, trial_error_rad, track_error_rad, trial);
      trial.calm_edges = fits(model.trial, kBelieved, trial) ? trial.calm_edges + 1 : 0;
    }
    if (trial.calm_edges > kCalm_edges) {
      believe_sensor(model, state);
    }
  } else if (tells) {
    compare_fits(model.trial, error_rad, track_error_rad, trial);
    if (!fits(model.trial, 1, trial)) {
      doubt(state.by_edges, state.bias_rad_s2, trial);
    }
  }
  return tells;
}

struct Place {
  std::uint32_t tooth;
  std::uint32_t angle;  // of the tooth, in 2^-32 turns
  float error_rad;      // of the angle: what it lacks to the tooth
  bool at_tooth;
};

[[nodiscard]] Place place_near(const ObserverModel& model, std::uint32_t angle) {
  const std::uint32_t tooth = nearest_tooth(model.wheel, angle);
  const std::uint32_t place = place_of(model.wheel, tooth);
  const float error_rad = to_signed_rad(place - angle);
  return {tooth, place, error_rad, math::magnitude(error_rad) <= model.window_rad};
}

// Where the sensor has led astray, edges alone may still know; bad ones do not.
[[nodiscard]] Place find_place(const ObserverModel& model, ObserverState& state,
                               const Passing& passing) {
  const Place place = place_near(model, angle_at(state, passing));
  const bool again = passing.travelled_rad > 1.5F * model.pitch_rad;  // one stray is a stray
  if (place.at_tooth || runs_on_edges_alone(state) || !again || state.trouble.edges_are_bad) {
    return place;
  }
  const Place other = place_near(model, angle_before(state.by_edges, passing.before_end_s));
  if (!other.at_tooth || other.tooth >= model.edges_a_turn) {
    return place;
  }
  doubt(state.by_edges, state.bias_rad_s2, state.trial);
  state.blind_ticks = kHeld_ticks + 1;
  adopt_track(state);
  return other;
}

// An edge at no tooth. The wheel may be there all the same, and elsewhere.
void pass_beside(const ObserverModel& model, ObserverState& state, const Passing& passing) {
  const std::uint32_t angle = angle_at(state, passing);
  const float since_rad = to_signed_rad(angle - state.stray_angle);
  const bool in_step = math::magnitude(since_rad - model.pitch_rad) <= model.window_rad;
  state.stray_angle = angle;
  state.strays_in_step = in_step ? state.strays_in_step + 1 : 1;
  if (state.strays_in_step == kShifted_edges) {
    lose(state);
  }
}

void follow_tooth(const ObserverModel& model, ObserverState& state, const Passing& passing) {
  const auto [tooth, place, error_rad, at_tooth] = find_place(model, state, passing);
  const bool in_gap = tooth >= model.edges_a_turn;
  const bool too_soon = passing.travelled_rad < 0.5F * model.pitch_rad;
  if (!at_tooth || in_gap || too_soon) {
    count_stray(state);
    state.in_gap |= at_tooth && in_gap;
    if (!at_tooth) {
      pass_beside(model, state, passing);
    }
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
  const float time_s = interval_s(model, state, passing);
  const PlacedEdge edge = {.place = place,
                           .before_end_s = passing.before_end_s,
                           .time_s = time_s,
                           .settled = gains(time_s, model.memory_s),
                           .teaches = !state.trouble.edges_are_bad};
  const float track_error_rad = correct(model.track, edge, state.track, state.by_edges);
  correct(model, edge, error_rad, state);
  if (try_sensor(model, state, edge, error_rad, track_error_rad)) {
    pass_misfit(least_misfit_rad2(state.trial), edge.settled.root, model.trial.noise_rad,
                state.trouble);
  }
  take(state, passing);
  forget_some(state.trouble);
  state.sync = Sync::kSynced;
}

// Beside a gap it tells whether gap and index are where they were; in its place it is as good a
// mark as the gap, which is not seen where the tooth before it or behind it gives no edge.
void compare_index(const ObserverModel& model, ObserverState& state, const Passing& passing) {
  const float error_rad = to_signed_rad(model.wheel.index - angle_at(state, passing));
  const bool in_place = math::magnitude(error_rad) <= model.index_window_rad;
  pass_index(in_place, state.trouble);
  if (in_place) {
    confirm(state);
  }
}

void follow_index(const ObserverModel& model, ObserverState& state, const Passing& passing) {
  const float error_rad = to_signed_rad(model.wheel.index - angle_at(state, passing));
  if (math::magnitude(error_rad) > model.window_rad) {
    count_stray(state);
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
    state.trouble = {};  // a turn with every tooth in it
    start(state.angle, state.speed_rad_s, state.track);
    state.by_edges = at_end_of_tick(model.track, state.track);
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
  // None follows upon another: that one was none, or every pitch now looks like three.
  const bool is_gap = has_gap(model.wheel) && ratio > model.gap_ratio_low &&
                      ratio < model.gap_ratio_high && state.mark_edges != 0;
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
  const bool confirms = is_index && model.index_window_rad > 0;
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
    } else if (confirms) {
      compare_index(model, state, passing);
    }
  }
}

void pass_edges(const ObserverModel& model, ObserverState& state,
                const signal::SensorFrame& frame) {
  const std::uint32_t given = frame.edges;
  const std::uint32_t edges = given < signal::kMaxEdges ? given : signal::kMaxEdges;
  state.counts.stray_edges += given - edges;
  add_amiss(static_cast<float>(given > edges ? 1 : 0), state.trouble);
  std::uint32_t last_moment = 0;
  for (std::uint32_t i = 0; i < edges; ++i) {
    const signal::Edge& edge = frame.edge[i];
    if (edge.moment < last_moment) {
      count_stray(state);
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
  const float time_s = static_cast<float>(ticks) * model.tick_s;
  if (knows_place(state)) {
    advance(model.track, time_s, state.track);
    state.by_edges = at_end_of_tick(model.track, state.track);
  }
  const float end_rad_s2 = end_acceleration_rad_s2(model, state, usable, sample, time_s);
  predict(model, state, end_rad_s2, time_s);
  state.edge_ticks += state.edge_ticks <= kLongestInterval_ticks ? ticks : 0;
  if (in_order && frame.edges != 0) {
    pass_edges(model, state, frame);
  }
  if (knows_place(state) && runs_on_edges_alone(state)) {
    adopt_track(state);
  }
  watch(model, state);
  judge(model.index_window_rad > 0 && knows_place(state), time_s * state.speed_rad_s,
        state.trouble);
  state.motion = {to_rad(state.angle), state.speed_rad_s, state.acceleration_rad_s2};
}

}  // namespace taut::crank
