// One tick of a twin: a frame of measurements in, a prediction out, in bounded work and with the
// same bits on every target. The chain is a template argument (chains.h).
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/crank/observer.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"
#include "sim_core/twin/calibration.h"
#include "sim_core/twin/chain_model.h"
#include "sim_core/twin/comparison.h"
#include "sim_core/twin/follower.h"
#include "sim_core/twin/health.h"

namespace taut::twin {

template <ChainModel Chain>
struct TwinModel {
  crank::ObserverModel observer;
  typename Chain::Model chain;
  std::uint32_t steps_a_tick;
  std::uint32_t links;
  std::uint32_t crank_teeth;
  std::uint32_t loop_turns;  // of the crank, after which every link is in its place again
  std::uint32_t sprockets;
  monitor::MonitorModel monitor;
  float tightener_lever_m;  // from the arm's pivot to the place that its sensors measure
};

template <ChainModel Chain>
struct TwinState {
  crank::ObserverState observer;
  Follower follower;
  typename Chain::State chain;
  Calibration calibration;
  ComparisonState comparison;
  std::uint32_t next_tick;
  std::uint32_t edges_lost;  // as the last frame counted them
  std::uint32_t ticks_to_settle;
  float held_rad_s;             // mean speed of the crank, of when it was last to be trusted
  std::uint32_t running_ticks;  // since the chain was started at the crank's speed, held at its end
  std::uint32_t lost_ticks;     // since the crank's angle was known, held at its end
  std::uint32_t restarts;       // of a chain whose results were no numbers; stays at its end
  std::uint32_t latched;
  bool is_first;
  bool has_place;                // the chain's, by the crank's angle
  bool place_is_lost;            // it had one, and has been given none since
  signal::ChainOutputs outputs;  // the last that were finite
};

// Until a chain has forgotten most of how it was started: 4 s. Strands swing on for longer.
inline constexpr std::uint32_t kSettlingTicks = 8000;
// A chain is started at the crank's speed, and only then told by and by how unevenly it turns:
// where two responses belong to one motion, as with a chain near its resonance, a jolt would lead
// to the one that engines do not show.
inline constexpr std::uint32_t kFadeTicks = 2000;
// So long an angle may be unknown before whole turns are: a bias of 0.05 rad/s^2 makes 0.4 rad.
inline constexpr std::uint32_t kPlaceLostTicks = 8000;
// After the crank's motion was replaced by another, or rough, a chain needs so long to forget that.
inline constexpr std::uint32_t kForgettingTicks = 2000;
// Share of a tick in the mean speed: over half a second.
inline constexpr float kMeanSpeed = 1.0F / 1024;
// A chain that is still farther behind than half a pitch has not settled.
inline constexpr float kFarBehind_rad = 0.05F;

// At rest, and waiting for the crank.
template <ChainModel Chain>
void init(const TwinModel<Chain>& model, const Calibration& calibration, TwinState<Chain>& state,
          typename Chain::Scratch& scratch) {
  state = {};
  crank::init(state.observer);
  Chain::init(model.chain, 0, state.chain, scratch);
  state.calibration = calibration;
  state.ticks_to_settle = kSettlingTicks;
  state.is_first = true;
}

namespace detail {

// What the frame says of itself.
template <ChainModel Chain>
std::uint32_t health_of(const signal::SensorFrame& frame, TwinState<Chain>& state) {
  std::uint32_t health = 0;
  health |= is_bad(frame.crank_acceleration_rad_s2) ? signal::kBadAcceleration : 0;
  health |= is_bad(frame.link_force_N) ? signal::kBadLinkForce : 0;
  health |= is_bad(frame.tightener_acceleration_m_s2) ? signal::kBadTightenerAcceleration : 0;
  health |= is_bad(frame.tightener_position_m) ? signal::kBadTightenerPosition : 0;
  if (!state.is_first) {
    health |= frame.tick != state.next_tick ? signal::kStaleFrame : 0;
    health |= frame.edges_lost != state.edges_lost ? signal::kEdgesLost : 0;
  }
  state.is_first = false;
  state.next_tick = frame.tick + 1;
  state.edges_lost = frame.edges_lost;
  return health;
}

template <ChainModel Chain>
void move_chain(const TwinModel<Chain>& model, const Follower& before, TwinState<Chain>& state,
                typename Chain::Scratch& scratch) {
  using Real = typename Chain::Real;
  const Real part = Real(1) / static_cast<Real>(model.steps_a_tick);
  for (std::uint32_t i = 1; i <= model.steps_a_tick; ++i) {
    const auto motion = motion_within<Real>(before, state.follower, part * static_cast<Real>(i));
    Chain::step(model.chain, motion, state.chain, scratch);
  }
}

template <ChainModel Chain>
bool is_finite(const TwinModel<Chain>& model, const signal::ChainOutputs& outputs) {
  // A number that is not finite stays so in a sum of differences with itself.
  const auto none = [](float value) { return value - value; };
  float sum = none(outputs.tagged_link_N) + none(outputs.tagged_roller_contact_N) +
              none(outputs.arm_angle_rad) + none(outputs.arm_speed_rad_s);
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    sum += none(outputs.strand_mean_N[s]) + none(outputs.strand_middle_N[s]) +
           none(outputs.strand_middle_m[s]);
  }
  return sum == 0;
}

// Results that are no numbers are not told: the last ones stay, and the chain starts again.
template <ChainModel Chain>
std::uint32_t predict_chain(const TwinModel<Chain>& model, TwinState<Chain>& state,
                            typename Chain::Scratch& scratch) {
  const signal::Tags tags{state.calibration.tagged_link, state.calibration.tagged_roller};
  signal::ChainOutputs outputs = state.outputs;
  Chain::predict(model.chain, state.chain, scratch, tags, outputs);
  if (is_finite(model, outputs)) {
    state.outputs = outputs;
    return Chain::health(state.chain);
  }
  Chain::init(model.chain, static_cast<typename Chain::Real>(state.follower.speed_rad_s),
              state.chain, scratch);
  place_as_drawn(state.follower);
  state.restarts += state.restarts + 1 != 0 ? 1 : 0;
  state.ticks_to_settle = kSettlingTicks;
  return signal::kFaultyModel;
}

[[nodiscard]] inline bool knows_place(crank::Sync sync) {
  return sync == crank::Sync::kSynced || sync == crank::Sync::kCoasting;
}

// Where the crank's angle is known for the first time, or again after whole turns may have been
// missed, the chain starts; a shorter loss is made up for.
template <ChainModel Chain>
void place_chain(const TwinModel<Chain>& model, TwinState<Chain>& state,
                 typename Chain::Scratch& scratch) {
  const auto count = [](std::uint32_t& ticks, std::uint32_t most) {
    ticks += ticks < most ? 1 : 0;
  };
  count(state.running_ticks, kFadeTicks);
  if (!knows_place(state.observer.sync)) {
    count(state.lost_ticks, kPlaceLostTicks);
    if (state.has_place && state.lost_ticks == kPlaceLostTicks) {
      state.has_place = false;
      state.place_is_lost = true;
      state.calibration.gauge_is_placed = 0;
    }
    return;
  }
  state.lost_ticks = 0;
  if (!state.has_place) {
    state.has_place = true;
    state.running_ticks = 0;
    state.held_rad_s = state.observer.track.speed_rad_s;
    start_at(state.observer.angle, state.observer.track.speed_rad_s, state.follower);
    Chain::init(model.chain, static_cast<typename Chain::Real>(state.follower.speed_rad_s),
                state.chain, scratch);
  }
}

[[nodiscard]] inline bool is_trusted(const crank::ObserverState& observer) {
  return knows_place(observer.sync) && !observer.trouble.edges_are_bad;
}

// Speed for the chain: the crank's, without what is uneven in it at first. While that is not known
// an engine goes on as it did; a chain that is jolted would not find back for long.
template <ChainModel Chain>
float speed_for_chain_rad_s(TwinState<Chain>& state) {
  const crank::ObserverState& observer = state.observer;
  const float speed_rad_s = observer.motion.speed_rad_s;
  if (!state.has_place) {
    return speed_rad_s;
  }
  if (!is_trusted(observer)) {
    state.running_ticks = 0;
    return state.held_rad_s;
  }
  const float smooth_rad_s = observer.track.speed_rad_s;
  if (observer.trouble.amiss < crank::kNoTrouble) {
    state.held_rad_s += kMeanSpeed * (smooth_rad_s - state.held_rad_s);
  }
  const float u = static_cast<float>(state.running_ticks) * (1.0F / kFadeTicks);
  return smooth_rad_s + u * u * (3 - 2 * u) * (speed_rad_s - smooth_rad_s);
}

// Whether what is predicted can be held against sensors: all that it follows from is right, and the
// chain has settled or is about to.
template <ChainModel Chain>
bool is_comparable(std::uint32_t health, bool is_behind, const TwinState<Chain>& state) {
  constexpr std::uint32_t kIrrelevant =
      signal::kModelOutside | signal::kReduceAgain | signal::kNotSettled;
  return judge(health & ~kIrrelevant) == signal::Trust::kValid && !is_behind &&
         state.ticks_to_settle <= kHearingTicks;
}

template <ChainModel Chain>
float travel_pitches(const TwinModel<Chain>& model, const Follower& follower) {
  const std::uint32_t whole = follower.turns * model.crank_teeth % model.links;
  const float pitches = static_cast<float>(whole) + crank::to_rad(follower.angle) *
                                                        static_cast<float>(model.crank_teeth) *
                                                        (1 / math::kTwoPi<float>);
  const auto links = static_cast<float>(model.links);
  return pitches < links ? pitches : pitches - links;
}

}  // namespace detail

// Values are taken at the border of two ticks: by the next one. A place that was lost is found with
// the gauge's.
template <ChainModel Chain>
void calibrate(const Calibration& calibration, TwinState<Chain>& state) {
  state.calibration = calibration;
  state.place_is_lost &= calibration.gauge_is_placed == 0;
}

template <ChainModel Chain>
[[nodiscard]] signal::Prediction tick(const TwinModel<Chain>& model,
                                      const signal::SensorFrame& frame, TwinState<Chain>& state,
                                      typename Chain::Scratch& scratch) {
  std::uint32_t health = detail::health_of(frame, state);
  crank::observe(model.observer, state.observer, frame);
  const crank::Sync sync = state.observer.sync;
  health |= detail::health_of(state.observer);
  const bool was_settled = state.ticks_to_settle == 0;

  detail::place_chain(model, state, scratch);
  const Follower before = state.follower;
  const float arm_before_rad_s = state.outputs.arm_speed_rad_s;
  const bool angle_is_known = sync == crank::Sync::kSynced && detail::is_trusted(state.observer);
  const float lag_rad = follow(state.observer.angle, detail::speed_for_chain_rad_s(state),
                               angle_is_known, model.loop_turns, state.follower);
  Chain::set_elongation(state.calibration.elongation, state.chain);
  detail::move_chain(model, before, state, scratch);
  health |= detail::predict_chain(model, state, scratch);

  if (!detail::is_trusted(state.observer)) {
    state.ticks_to_settle = kSettlingTicks;
  } else if (!was_settled) {
    --state.ticks_to_settle;
  }
  const bool is_disturbed = state.observer.blind_ticks > crank::kHeld_ticks ||
                            sync == crank::Sync::kCoasting || state.observer.trouble.edges_scatter;
  if (is_disturbed && state.ticks_to_settle < kForgettingTicks) {
    state.ticks_to_settle = kForgettingTicks;
  }
  const bool is_behind = math::magnitude(lag_rad) > kFarBehind_rad;
  health |= state.ticks_to_settle > 0 || is_behind ? signal::kNotSettled : 0;
  health |= state.place_is_lost ? signal::kPlaceLost : 0;

  const signal::ChainOutputs& outputs = state.outputs;
  signal::Prediction prediction{};
  prediction.tick = frame.tick;
  prediction.crank_angle_rad = state.observer.motion.angle_rad;
  prediction.crank_speed_rad_s = state.observer.motion.speed_rad_s;
  prediction.crank_acceleration_rad_s2 = state.observer.motion.acceleration_rad_s2;
  prediction.edges_acceleration_rad_s2 = state.observer.by_edges.acceleration_rad_s2;
  prediction.chain_pitches = detail::travel_pitches(model, state.follower);
  prediction.tagged_link_N = outputs.tagged_link_N;
  prediction.tagged_roller_contact_N = outputs.tagged_roller_contact_N;
  prediction.strand_mean_N = outputs.strand_mean_N;
  prediction.strand_middle_N = outputs.strand_middle_N;
  prediction.strand_middle_m = outputs.strand_middle_m;
  prediction.arm_angle_rad = outputs.arm_angle_rad;
  prediction.arm_speed_rad_s = outputs.arm_speed_rad_s;
  prediction.arm_acceleration_rad_s2 = (outputs.arm_speed_rad_s - arm_before_rad_s) / kTick_s;
  prediction.tightener_position_m = model.tightener_lever_m * prediction.arm_angle_rad;
  prediction.tightener_speed_m_s = model.tightener_lever_m * prediction.arm_speed_rad_s;
  prediction.tightener_acceleration_m_s2 =
      model.tightener_lever_m * prediction.arm_acceleration_rad_s2;
  health |=
      compare(model.monitor, frame, prediction, detail::is_comparable(health, is_behind, state),
              state.calibration.gauge_is_placed != 0, state.comparison);
  state.latched |= health;
  prediction.health = health | static_cast<std::uint32_t>(detail::judge(health));
  prediction.latched = state.latched;
  return prediction;
}

}  // namespace taut::twin
