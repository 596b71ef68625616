// A channel that is fed one measurement a tick, for tests.
#pragma once

#include <cstdint>

#include "hal/channel.h"
#include "sim_core/assert.h"

namespace taut::hal_test {

struct FedChannel {
  explicit FedChannel(const hal::ChannelSpec& spec) {
    const hal::ChannelProblem problem = make_channel(spec, model);
    TAUT_ASSERT(problem.member == nullptr, problem.value);
    init(state);
  }

  signal::Sample feed(float reading, float modelled = 0) {
    ++sequence;
    return condition(model, state, {reading, sequence}, modelled);
  }

  // The same measurement, seen again.
  signal::Sample feed_nothing(float modelled = 0) {
    return condition(model, state, {0, sequence}, modelled);
  }

  signal::Sample feed_times(std::uint32_t ticks, float reading, float modelled = 0) {
    signal::Sample sample{};
    for (std::uint32_t i = 0; i < ticks; ++i) {
      sample = feed(reading, modelled);
    }
    return sample;
  }

  [[nodiscard]] std::uint32_t count_of(hal::Fault fault) const {
    return state.counts[static_cast<std::size_t>(fault)];
  }

  hal::ChannelModel model{};
  hal::ChannelState state{};
  std::uint32_t sequence = 0;
};

// Round numbers.
inline constexpr hal::ChannelSpec kPlainSpec = {.lowest = -100,
                                                .highest = 200,
                                                .largest_jump = 20,
                                                .largest_noise = 8,
                                                .stuck_model_moves = 5,
                                                .stuck_ticks = 50,
                                                .stale_ticks = 2,
                                                .hold_ticks = 4,
                                                .recover_ticks = 10};

// Has been good for long enough to be believed.
inline FedChannel running_channel(const hal::ChannelSpec& spec = kPlainSpec, float reading = 0) {
  FedChannel channel(spec);
  static_cast<void>(channel.feed_times(spec.recover_ticks, reading));
  return channel;
}

}  // namespace taut::hal_test
