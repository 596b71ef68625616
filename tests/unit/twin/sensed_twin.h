// A twin with the reduced chain of 6S90MC-C behind its channels, for tests and benches on every
// board: raw readings and edges in, a prediction out. Sensors of link and tightener measure what
// the twin predicted a tick before, and some noise, so that they agree with it.
#pragma once

#include <cstdint>
#include <cstring>

#include "hal/channels.h"
#include "sim_core/math/hash.h"
#include "sim_core/twin/chains.h"
#include "sim_core/twin/table.h"
#include "sim_core/twin/twin.h"
#include "tests/unit/crank/sensed_crank.h"
#include "tests/unit/reduced_chain/block.h"

namespace taut::twin_test {

using Chain = twin::ReducedChain;

// What the crank's sensors give in a tick.
struct CrankReadings {
  float acceleration_rad_s2 = 0;
  std::uint32_t edges = 0;
  etl::array<signal::Edge, signal::kMaxEdges> edge{};
};

struct SensedTwin {
  twin::TwinModel<Chain> model;
  hal::ChannelModels channels;

  twin::TwinState<Chain> state;
  Chain::Scratch scratch;
  hal::ChannelStates channel_states;
  hal::RawReadings readings;
  signal::SensorFrame frame;
  signal::Prediction prediction;
  std::uint32_t noise_seed;
};

// False if the packed block is not of this program's size.
[[nodiscard]] inline bool make(const crank::ObserverSpec& observer, SensedTwin& sensed) {
  twin::TwinModel<Chain>& model = sensed.model;
  hal::ChannelModels& channels = sensed.channels;
  if (!reduced_test::unpack(model.chain)) {
    return false;
  }
  model.observer = crank::make_observer(observer);
  model.steps_a_tick = 1;
  model.links = model.chain.links;
  model.crank_teeth = static_cast<std::uint32_t>(model.chain.crank_teeth);
  model.loop_turns = model.chain.loop_turns;
  model.sprockets = model.chain.sprockets;
  model.tightener_lever_m = 1;
  const auto fits = [](const hal::ChannelSpec& spec, hal::ChannelModel& channel) {
    return hal::make_channel(spec, channel).member == nullptr;
  };
  return fits(hal::kCrankAcceleration_rad_s2, channels.crank_acceleration) &&
         fits(hal::kLinkForce_N, channels.link_force) &&
         fits(hal::kTightenerAcceleration_m_s2, channels.tightener_acceleration) &&
         fits(hal::kTightenerPosition_m, channels.tightener_position);
}

// At rest. Before the first tick counters may be set: frame.tick is that of the last frame.
inline void start(SensedTwin& sensed) {
  twin::Calibration calibration{};
  calibration.elongation = sensed.model.chain.elongation;
  twin::init(sensed.model, calibration, sensed.state, sensed.scratch);
  hal::init(sensed.channel_states);
  sensed.readings = {};
  sensed.frame = {};
  sensed.frame.tick = 0xFFFFFFFFU;
  sensed.prediction = {};
  sensed.noise_seed = 1;
}

// A tick in three parts. What sensors and clock give:
inline void measure(SensedTwin& sensed, const CrankReadings& crank) {
  const signal::Prediction& before = sensed.prediction;
  const auto noise = static_cast<float>(crank_test::noise(sensed.noise_seed));
  const auto read = [](float value, hal::RawReading& reading) {
    reading = {value, reading.sequence + 1};
  };
  read(crank.acceleration_rad_s2, sensed.readings.crank_acceleration);
  read(before.tagged_link_N + 500 * noise, sensed.readings.link_force);
  read(before.tightener_acceleration_m_s2 + 0.1F * noise, sensed.readings.tightener_acceleration);
  read(before.tightener_position_m + 1e-5F * noise, sensed.readings.tightener_position);
  ++sensed.frame.tick;
  sensed.frame.edges = crank.edges;
  sensed.frame.edge = crank.edge;
}

inline void condition(SensedTwin& sensed) {
  hal::condition(sensed.channels, sensed.channel_states, sensed.readings, sensed.prediction,
                 sensed.frame);
}

inline void predict(SensedTwin& sensed) {
  sensed.prediction = twin::tick(sensed.model, sensed.frame, sensed.state, sensed.scratch);
}

inline void tick(SensedTwin& sensed, const CrankReadings& crank) {
  measure(sensed, crank);
  condition(sensed);
  predict(sensed);
}

// Every quantity of a prediction but the number of its tick.
inline void add_to(math::Hash64& hash, const signal::Prediction& prediction,
                   std::size_t sprockets) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&prediction);
  for (const signal::Entry& entry : twin::entries(twin::Part::kMeasurement)) {
    if (entry.offset == offsetof(signal::Prediction, tick)) {
      continue;
    }
    for (std::size_t i = 0; i < signal::times(entry.repeat, sprockets); ++i) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes + entry.offset + i * sizeof word, sizeof word);
      hash.add(word);
    }
  }
}

}  // namespace taut::twin_test
