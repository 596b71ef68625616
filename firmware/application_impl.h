// The body of application.h. Not to be included by anyone else.
#pragma once

#include "firmware/application.h"

namespace taut::firmware {

template <twin::ChainModel Chain, typename PortsT>
SelfTest Application<Chain, PortsT>::test_itself(SelfTest model_check) {
  static_assert(sizeof(state_) % sizeof(std::uint32_t) == 0);
  auto* const words = reinterpret_cast<volatile std::uint32_t*>(&state_);
  const SelfTest results[] = {
      model_check, check_numbers<float>(), check_numbers<typename Chain::Real>(),
      check_memory({words, sizeof(state_) / sizeof(std::uint32_t)}),
      is_valid(spec_.outputs) ? SelfTest::kPassed : SelfTest::kWrongOutputs};
  for (const SelfTest result : results) {
    if (result != SelfTest::kPassed) {
      return result;
    }
  }
  return SelfTest::kPassed;
}

template <twin::ChainModel Chain, typename PortsT>
void Application<Chain, PortsT>::start(SelfTest model_check) {
  self_test_ = test_itself(model_check);
  const bool passed = self_test_ == SelfTest::kPassed;
  hal::init(channel_states_);
  state_ = {};
  if (passed) {
    twin::init(model_, spec_.calibration, state_, scratch_);
  }
  fail(spec_.outputs, signal::kNotRunning, sent_);
  made_ = sent_;
  const bool is_watched = ports_.watchdog.start(spec_.watchdog_ms);
  mode_.store(next(Mode::kBoot, passed && is_watched ? Event::kPassed : Event::kFailed));
}

template <twin::ChainModel Chain, typename PortsT>
bool Application<Chain, PortsT>::pass_border_from_interrupt() {
  const auto count = [](Count& counter, bool what) {
    counter.store(counter.load() + (what ? 1 : 0));
  };
  const Border border = gate_.pass_border_from_interrupt();
  const bool begins = begins_tick(border);
  count(overruns_, border == Border::kOverrun);
  count(skipped_, !begins);
  if (border == Border::kResult) {
    sent_ = made_;
  } else {
    fail(spec_.outputs, signal::kLateTick, sent_);
  }
  sent_.overruns = overruns_.load();
  count(frames_lost_, !ports_.sink.write(sent_));
  tick_ = begins ? borders_.load() : tick_;
  count(borders_, true);
  return begins;
}

template <twin::ChainModel Chain, typename PortsT>
void Application<Chain, PortsT>::run_tick() {
  const std::uint32_t begin = ports_.clock.now();
  hal::RawReadings readings{};
  twin::Calibration calibration = state_.calibration;
  ports_.listener.before_tick(calibration);
  twin::calibrate(calibration, state_);
  frame_.tick = tick_;
  ports_.source.read(readings);
  ports_.source.take_edges(frame_);
  hal::condition(spec_.channels, channel_states_, readings, prediction_, frame_);
  watch_sensors();
  mode_.store(next(mode_.load(), run_twin()));
  ports_.listener.after_tick(frame_, prediction_);
  fill_output(ports_.clock.now() - begin);
  ticks_.store(ticks_.load() + 1);
  static_cast<void>(gate_.end_tick());
}

// Anything new of the crank that can be believed: an edge, or a good acceleration.
template <twin::ChainModel Chain, typename PortsT>
void Application<Chain, PortsT>::watch_sensors() {
  const signal::Sample& sample = frame_.crank_acceleration_rad_s2;
  const bool is_new = sample.quality == signal::Quality::kGood && sample.age_ticks == 0;
  if (is_new || frame_.edges > 0) {
    quiet_ticks_ = 0;
  } else if (quiet_ticks_ < spec_.sensor_loss_ticks) {
    ++quiet_ticks_;
  }
}

template <twin::ChainModel Chain, typename PortsT>
Event Application<Chain, PortsT>::run_twin() {
  switch (mode_.load()) {
    case Mode::kBoot:
    case Mode::kFault:
      prediction_.tick = frame_.tick;
      prediction_.health = static_cast<std::uint32_t>(signal::Trust::kInvalid);
      return Event::kInvalid;
    case Mode::kSettle:
      prediction_ = twin::tick(model_, standstill(frame_), state_, scratch_);
      add(prediction_, settling_);
      if (!is_over(settling_)) {
        return Event::kInvalid;
      }
      return has_passed(settling_, state_.latched) ? Event::kPassed : Event::kFailed;
    case Mode::kWaitForCrank:
    case Mode::kTrack:
    case Mode::kDegraded:
      break;
  }
  prediction_ = twin::tick(model_, frame_, state_, scratch_);
  return judge();
}

template <twin::ChainModel Chain, typename PortsT>
Event Application<Chain, PortsT>::judge() const {
  if (state_.restarts > spec_.most_restarts) {
    return Event::kFailed;
  }
  const signal::Trust trust = signal::trust_of(prediction_.health);
  if (has_lost_sensors() || trust == signal::Trust::kInvalid) {
    return Event::kInvalid;
  }
  return trust == signal::Trust::kValid ? Event::kValid : Event::kDegraded;
}

template <twin::ChainModel Chain, typename PortsT>
void Application<Chain, PortsT>::fill_output(std::uint32_t cost) {
  const Mode mode = mode_.load();
  if (shows_predictions(mode)) {
    show(spec_.outputs, prediction_, made_);
  } else {
    made_.prediction.tick = prediction_.tick;
    made_.prediction.latched = prediction_.latched;
    fail(spec_.outputs,
         prediction_.health | (mode == Mode::kWaitForCrank ? 0 : signal::kNotRunning) |
             (has_lost_sensors() ? signal::kSensorsLost : 0),
         made_);
  }
  worst_cost_ = cost > worst_cost_ ? cost : worst_cost_;
  made_.tick_cost = cost;
  made_.worst_tick_cost = worst_cost_;
}

// Fed where ticks go on; a tick that stands still, or a timer that does, is a reset.
template <twin::ChainModel Chain, typename PortsT>
void Application<Chain, PortsT>::serve() {
  const std::uint32_t ticks = ticks_.load();
  const bool waits = spec_.is_lock_step && !gate_.is_running();
  if (ticks != served_ticks_ || waits) {
    served_ticks_ = ticks;
    ports_.watchdog.feed();
  }
}

}  // namespace taut::firmware
