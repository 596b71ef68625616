#include "hal/channel.h"

#include <bit>
#include <limits>

namespace taut::hal {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr std::uint32_t kEndless = std::numeric_limits<std::uint32_t>::max();

// A tick that is late by less than its length sees two measurements.
constexpr std::uint32_t kLargestAdvance = 2;
// Over 64 measurements, 32 ms: long beside a single knock, short beside kLongestBridge_ticks.
constexpr float kNoiseWeight = 1.0F / 64;
// Far beyond any sensor, and far from where differences of floats overflow.
constexpr double kLargestLimit = 1e12;

bool is_finite(float x) {
  return x >= -kLargest && x <= kLargest;
}

float magnitude(float x) {
  return x < 0 ? -x : x;
}

void count(std::uint32_t& counter) {
  counter += counter < kEndless ? 1 : 0;
}

void begin_window(ChannelState& state) {
  state.same_ticks = 0;
  state.model_lowest = kLargest;
  state.model_highest = -kLargest;
}

// Range, jump and noise. A value out of range says nothing of the next one's jump, and a jump is
// not noise: both begin the course anew.
std::uint32_t course_faults(const ChannelModel& model, ChannelState& state, float value) {
  if (!(value >= model.lowest && value <= model.highest)) {
    state.known = 0;
    return bit_of(Fault::kOutOfRange);
  }
  const float step = value - state.value;
  const bool has_jumped = state.known >= 1 && magnitude(step) > model.largest_jump;
  if (state.known == 2 && !has_jumped) {
    state.noise += kNoiseWeight * (magnitude(step - state.step) - state.noise);
  }
  state.known = state.known == 0 || has_jumped ? 1 : 2;
  state.value = value;
  state.step = step;
  return (has_jumped ? bit_of(Fault::kJump) : 0) |
         (state.noise > model.largest_noise ? bit_of(Fault::kNoise) : 0);
}

// Window by window, so that a model that creeps for hours (oil that leaks, a chain that wears)
// does not add up to a motion. Once stuck, only other bits end it.
std::uint32_t stuck_fault(const ChannelModel& model, ChannelState& state, float reading,
                          float modelled) {
  const auto bits = std::bit_cast<std::uint32_t>(reading);
  if (bits != state.reading_bits) {
    state.reading_bits = bits;
    state.is_stuck = false;
    begin_window(state);
  }
  if (is_finite(modelled)) {
    state.model_lowest = modelled < state.model_lowest ? modelled : state.model_lowest;
    state.model_highest = modelled > state.model_highest ? modelled : state.model_highest;
  }
  ++state.same_ticks;
  if (state.same_ticks > model.stuck_ticks) {
    state.is_stuck |= state.model_highest - state.model_lowest > model.stuck_model_moves;
    begin_window(state);
  }
  return state.is_stuck ? bit_of(Fault::kStuck) : 0;
}

std::uint32_t measurement_faults(const ChannelModel& model, ChannelState& state, float reading,
                                 float modelled) {
  const float value = model.gain * reading + model.offset;
  if (!is_finite(value)) {
    state.known = 0;
    return bit_of(Fault::kNotFinite);
  }
  return course_faults(model, state, value) | stuck_fault(model, state, reading, modelled);
}

struct Arrival {
  bool is_new;
  std::uint32_t faults;
};

// Whether there is a new measurement. After a gap the last value is no neighbour of the next.
Arrival arrival_of(const ChannelModel& model, ChannelState& state, std::uint32_t sequence) {
  const std::uint32_t advance = sequence - state.sequence;
  const bool is_first = !state.has_read;
  state.has_read = true;
  state.sequence = sequence;
  if (advance == 0 && !is_first) {
    count(state.unchanged_ticks);
    const bool is_stale = state.unchanged_ticks > model.stale_ticks;
    state.known = is_stale ? 0 : state.known;
    return {false, is_stale ? bit_of(Fault::kStale) : 0};
  }
  state.unchanged_ticks = 0;
  if (advance > kLargestAdvance && !is_first) {
    state.known = 0;
    return {true, bit_of(Fault::kSkipped)};
  }
  return {true, 0};
}

void report(ChannelState& state, std::uint32_t faults) {
  state.faults = faults;
  state.latched |= faults;
  for (std::size_t i = 0; faults >> i != 0; ++i) {
    if ((faults >> i & 1U) != 0) {
      count(state.counts[i]);
    }
  }
}

void follow_spell(const ChannelModel& model, ChannelState& state, bool is_new) {
  if (state.faults != 0) {
    state.good_in_a_row = 0;
    if (!state.in_spell) {
      state.in_spell = true;
      state.spell_ticks = 0;
      count(state.spells);
    }
  } else if (is_new && state.in_spell) {
    count(state.good_in_a_row);
    state.in_spell = state.good_in_a_row < model.recover_ticks;
  }
}

constexpr signal::Sample kMissing = {0, kEndless, 0, signal::Quality::kMissing};

signal::Sample substitute(const ChannelModel& model, ChannelState& state, float modelled) {
  if (!state.was_ever_good) {
    return kMissing;
  }
  count(state.spell_ticks);
  const bool use_model = state.spell_ticks > model.hold_ticks && is_finite(modelled);
  return {use_model ? modelled : state.good_value, state.good_age_ticks, state.good_sequence,
          use_model ? signal::Quality::kModelled : signal::Quality::kHeld};
}

ChannelProblem problem_of(const ChannelSpec& spec) {
  const auto is_limit = [](double x) { return x >= -kLargestLimit && x <= kLargestLimit; };
  const auto is_size = [](double x) { return x >= 1 / kLargestLimit && x <= kLargestLimit; };
  if (!is_size(spec.gain) && !is_size(-spec.gain)) {
    return {"gain", spec.gain, "of magnitude 1e-12 to 1e12"};
  }
  if (!is_limit(spec.offset)) {
    return {"offset", spec.offset, "-1e12 to 1e12"};
  }
  if (!is_limit(spec.lowest)) {
    return {"lowest", spec.lowest, "-1e12 to 1e12"};
  }
  if (!(spec.highest > spec.lowest && is_limit(spec.highest))) {
    return {"highest", spec.highest, "above lowest, up to 1e12"};
  }
  if (!is_size(spec.largest_jump)) {
    return {"largest_jump", spec.largest_jump, "1e-12 to 1e12"};
  }
  if (!is_size(spec.largest_noise)) {
    return {"largest_noise", spec.largest_noise, "1e-12 to 1e12"};
  }
  if (!is_size(spec.stuck_model_moves)) {
    return {"stuck_model_moves", spec.stuck_model_moves, "1e-12 to 1e12"};
  }
  if (spec.stuck_ticks < 1) {
    return {"stuck_ticks", static_cast<double>(spec.stuck_ticks), "1 or more"};
  }
  if (spec.stale_ticks > kLongestBridge_ticks) {
    return {"stale_ticks", static_cast<double>(spec.stale_ticks), "0 to 79"};
  }
  if (spec.hold_ticks > kLongestBridge_ticks - spec.stale_ticks) {
    return {"hold_ticks", static_cast<double>(spec.hold_ticks), "0 to 79 with stale_ticks"};
  }
  if (spec.recover_ticks < 1) {
    return {"recover_ticks", static_cast<double>(spec.recover_ticks), "1 or more"};
  }
  return {nullptr, 0, nullptr};
}

}  // namespace

ChannelProblem make_channel(const ChannelSpec& spec, ChannelModel& model) {
  const ChannelProblem problem = problem_of(spec);
  if (problem.member == nullptr) {
    model = {.is_fitted = spec.is_fitted,
             .gain = static_cast<float>(spec.gain),
             .offset = static_cast<float>(spec.offset),
             .lowest = static_cast<float>(spec.lowest),
             .highest = static_cast<float>(spec.highest),
             .largest_jump = static_cast<float>(spec.largest_jump),
             .largest_noise = static_cast<float>(spec.largest_noise),
             .stuck_model_moves = static_cast<float>(spec.stuck_model_moves),
             .stuck_ticks = spec.stuck_ticks,
             .stale_ticks = spec.stale_ticks,
             .hold_ticks = spec.hold_ticks,
             .recover_ticks = spec.recover_ticks};
  }
  return problem;
}

void init(ChannelState& state) {
  state = {};
  state.in_spell = true;
  begin_window(state);
}

signal::Sample condition(const ChannelModel& model, ChannelState& state, RawReading reading,
                         float modelled) {
  if (!model.is_fitted) {
    return kMissing;
  }
  Arrival arrival = arrival_of(model, state, reading.sequence);
  if (arrival.is_new) {
    arrival.faults |= measurement_faults(model, state, reading.value, modelled);
  }
  report(state, arrival.faults);
  follow_spell(model, state, arrival.is_new);
  count(state.good_age_ticks);
  if (state.in_spell) {
    return substitute(model, state, modelled);
  }
  if (arrival.is_new) {
    state.was_ever_good = true;
    state.good_value = state.value;
    state.good_sequence = reading.sequence;
    state.good_age_ticks = 0;
  }
  return {state.good_value, state.good_age_ticks, state.good_sequence, signal::Quality::kGood};
}

void reset_latched(ChannelState& state) {
  state.latched = 0;
}

}  // namespace taut::hal
