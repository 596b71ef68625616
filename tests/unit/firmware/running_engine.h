// The application over fakes, with the reduced chain of 6S90MC-C and an engine that turns evenly:
// what tests of the firmware share. Integers make the edges, so that all targets see the same.
#pragma once

#include <cstdint>

#include "firmware/application.h"
#include "hal/fakes/fake_clock.h"
#include "hal/fakes/fake_output_sink.h"
#include "hal/fakes/fake_sensor_source.h"
#include "hal/fakes/fake_watchdog.h"
#include "sim_core/twin/chains.h"
#include "tests/unit/reduced_chain/block.h"

namespace taut::firmware_test {

using Chain = twin::ReducedChain;

inline constexpr std::uint32_t kTeeth = 60;
inline constexpr std::uint32_t kMissing = 2;

// A source that may be held up: the timer fires so many times before it answers.
struct EngineSource {
  void read(hal::RawReadings& readings) {
    for (; stalls > 0; --stalls) {
      on_stall();
    }
    sensors.read(readings);
  }
  void take_edges(signal::SensorFrame& frame) { sensors.take_edges(frame); }

  // What sensors see during a tick.
  void turn() {
    const std::uint64_t before = turns * kTeeth >> 32;
    turns += a_tick;
    const std::uint64_t after = turns * kTeeth >> 32;
    if (has_edges && after != before && after % kTeeth < kTeeth - kMissing) {
      const std::uint64_t beyond = turns - ((after << 32) + kTeeth - 1) / kTeeth;
      sensors.pass_edge(
          {static_cast<std::uint16_t>(65535 - beyond * 65535 / a_tick), signal::EdgeKind::kTooth});
    }
    if (has_accelerometer) {
      sensors.measure(&hal::RawReadings::crank_acceleration, 0);
    }
    sensors.measure(&hal::RawReadings::link_force, 60e3F);
    sensors.measure(&hal::RawReadings::tightener_acceleration, 0);
    sensors.measure(&hal::RawReadings::tightener_position, 0);
  }

  hal::fakes::FakeSensorSource sensors;
  std::uint64_t turns = 0;         // in 2^-32
  std::uint64_t a_tick = 2720000;  // 76 rpm: 0.0005 * 76 / 60 turns
  bool has_edges = true;
  bool has_accelerometer = true;
  std::uint32_t stalls = 0;
  void (*on_stall)() = nullptr;
};

// Keeps the last frame and counts.
struct LastFrame {
  bool write(const signal::OutputFrame& frame) {
    last = frame;
    ++written;
    return true;
  }
  signal::OutputFrame last{};
  std::uint32_t written = 0;
};

// Says before the next tick that the gauge is where it was.
struct GaugePlacer {
  void before_tick(twin::Calibration& calibration) {
    calibration.gauge_is_placed = places_gauge ? 1 : calibration.gauge_is_placed;
    places_gauge = false;
  }
  void after_tick(const signal::SensorFrame& /*frame*/, const signal::Prediction& /*prediction*/) {}

  bool places_gauge = false;
};

using EnginePorts = firmware::Ports<EngineSource, LastFrame, hal::fakes::FakeClock,
                                    hal::fakes::FakeWatchdog, GaugePlacer>;
using EngineApplication = firmware::Application<Chain, EnginePorts>;

// Large: one a program, made anew for every test.
struct Board {
  Board(const firmware::ApplicationSpec& spec, const twin::TwinModel<Chain>& model)
      : application(spec, model, {source, sink, clock, watchdog, listener}) {}

  EngineSource source;
  LastFrame sink;
  hal::fakes::FakeClock clock{0xFFFFFF00U, 1'000'000};
  hal::fakes::FakeWatchdog watchdog;
  GaugePlacer listener;
  EngineApplication application;
};

inline twin::TwinModel<Chain> model;

// False: the packed block is not of this version.
[[nodiscard]] inline bool make_model() {
  if (!reduced_test::unpack(model.chain)) {
    return false;
  }
  model.observer = crank::make_observer({});
  model.steps_a_tick = 1;
  model.links = model.chain.links;
  model.crank_teeth = static_cast<std::uint32_t>(model.chain.crank_teeth);
  model.loop_turns = model.chain.loop_turns;
  model.sprockets = model.chain.sprockets;
  model.tightener_lever_m = 1;
  return true;
}

[[nodiscard]] inline firmware::ApplicationSpec usual_spec() {
  firmware::ApplicationSpec spec{};
  static_cast<void>(
      hal::make_channel(hal::kCrankAcceleration_rad_s2, spec.channels.crank_acceleration));
  static_cast<void>(hal::make_channel(hal::kLinkForce_N, spec.channels.link_force));
  static_cast<void>(
      hal::make_channel(hal::kTightenerAcceleration_m_s2, spec.channels.tightener_acceleration));
  static_cast<void>(hal::make_channel(hal::kTightenerPosition_m, spec.channels.tightener_position));
  spec.calibration.elongation = model.chain.elongation;
  return spec;
}

// One tick of engine and board: sensors see it, then its border begins the tick that reads them.
inline void advance(Board& board) {
  board.source.turn();
  board.clock.pass(500);
  if (board.application.pass_border_from_interrupt()) {
    board.application.run_tick();
  }
  board.application.serve();
}

inline void advance(Board& board, std::uint32_t ticks) {
  for (std::uint32_t i = 0; i < ticks; ++i) {
    advance(board);
  }
}

inline constexpr std::uint32_t kUntilTracked = 12000;  // settled, two turns to sync, 2 s

}  // namespace taut::firmware_test
