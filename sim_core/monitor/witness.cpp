#include "sim_core/monitor/witness.h"

#include "sim_core/math/sqrt.h"

namespace taut::monitor {
namespace {

float slowed(float value, etl::array<float, 2>& poles) {
  poles[0] += kSlowing * (value - poles[0]);
  poles[1] += kSlowing * (poles[0] - poles[1]);
  return poles[1];
}

void average(float value, float weight, Mean& mean) {
  mean.value += weight * (value - mean.value);
  mean.square += weight * (value * value - mean.square);
}

float deviation(const Mean& mean) {
  const float variance = mean.square - mean.value * mean.value;
  return variance > 0 ? math::sqrt(variance) : 0.0F;
}

// 1 at the limit.
float disagreement(const WitnessModel& model, const WitnessState& state) {
  const float bias = state.apart.value < 0 ? -state.apart.value : state.apart.value;
  const float biased = bias / (model.bias_floor + kBiasPart * math::sqrt(state.told.square));
  // By the lesser of the two: a model that swings too far is not to excuse itself by that.
  const float told = deviation(state.told);
  const float measured = deviation(state.measured);
  const float swings = deviation(state.apart) /
                       (model.swing_floor + kSwingPart * (told < measured ? told : measured));
  return biased > swings ? biased : swings;
}

void judge(const WitnessModel& model, WitnessState& state) {
  const float found = disagreement(model, state);
  state.calm_ticks = found < kBack ? state.calm_ticks + 1 : 0;
  if (found > 1) {
    state.disagrees = true;
  } else if (state.calm_ticks > kCalm_ticks) {
    state.calm_ticks = kCalm_ticks;
    state.disagrees = false;
  }
}

}  // namespace

void watch(const WitnessModel& model, float expected, bool is_trusted,
           const signal::Sample& measured, WitnessState& state) {
  if (!model.is_fitted) {
    return;
  }
  if (!is_trusted) {
    state = {};
    return;
  }
  state.newest = state.newest < kMostLate_ticks ? state.newest + 1 : 0;
  state.expected[state.newest] = expected;
  state.filled += state.filled <= kMostLate_ticks ? 1 : 0;
  const bool is_told = state.filled > model.late_ticks;  // what is measured was predicted before
  if (!is_told || measured.quality != signal::Quality::kGood) {
    return;
  }
  const std::uint32_t then = state.newest >= model.late_ticks
                                 ? state.newest - model.late_ticks
                                 : state.newest + kMostLate_ticks + 1 - model.late_ticks;
  const float told = state.expected[then];
  const float apart = measured.value - told;
  if (state.ticks == 0) {
    state.slow_expected.fill(told);
    state.slow_apart.fill(apart);
  }
  state.ticks += state.ticks < kMean_ticks ? 1 : 0;
  const float weight = 1 / static_cast<float>(state.ticks);
  const float slow_told = slowed(told, state.slow_expected);
  const float slow_apart = slowed(apart, state.slow_apart);
  average(slow_told, weight, state.told);
  average(slow_apart, weight, state.apart);
  average(slow_told + slow_apart, weight, state.measured);
  if (has_opinion(state)) {
    judge(model, state);
  }
}

}  // namespace taut::monitor
