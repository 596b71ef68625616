// The application: sensors to outputs, tick by tick, on whatever models the hal concepts.
//
// Three levels, each interrupting the next: the tick timer's interrupt (pass_border), the tick
// (run_tick), the slow loop (serve). The interrupt sends what the tick before has made, so that
// outputs are late by one tick, always; where that is not done it sends fail values by itself. A
// tick that is late is counted once, and its result does not leave.
#pragma once

#include <concepts>
#include <cstdint>

#include <etl/atomic.h>

#include "firmware/mode.h"
#include "firmware/outputs.h"
#include "firmware/self_test.h"
#include "firmware/settling.h"
#include "firmware/tick_gate.h"
#include "hal/channels.h"
#include "hal/clock.h"
#include "hal/output_sink.h"
#include "hal/sensor_source.h"
#include "hal/watchdog.h"
#include "sim_core/twin/twin.h"

namespace taut::firmware {

struct ApplicationSpec {
  hal::ChannelModels channels;
  twin::Calibration calibration;
  OutputSpec outputs = default_outputs();
  std::uint32_t sensor_loss_ticks = 200;  // without anything of the crank to believe: 100 ms
  std::uint32_t most_restarts = 3;        // of a chain that predicted no numbers; then a fault
  std::uint32_t watchdog_ms = 100;
  bool is_lock_step = false;  // ticks come when frames do: a quiet line is no stall
};

// All wrap.
struct Counters {
  std::uint32_t borders;      // of ticks, since the start
  std::uint32_t ticks;        // that ran
  std::uint32_t overruns;     // ticks that were not done when the next was due
  std::uint32_t skipped;      // borders at which no tick could begin
  std::uint32_t frames_lost;  // that the sink did not take
};

// Who takes part in every tick beside the twin: a measurement protocol. Neither may block.
// before_tick: may change calibrations. after_tick: what the tick was told and what it said.
template <typename T>
concept TickListener = requires(T& listener, twin::Calibration& calibration,
                                const signal::SensorFrame& frame,
                                const signal::Prediction& prediction) {
  { listener.before_tick(calibration) } -> std::same_as<void>;
  { listener.after_tick(frame, prediction) } -> std::same_as<void>;
};

struct NoListener {
  void before_tick(twin::Calibration& /*calibration*/) {}
  void after_tick(const signal::SensorFrame& /*frame*/, const signal::Prediction& /*prediction*/) {}
};

template <hal::SensorSource Source, hal::OutputSink Sink, hal::Clock Clock, hal::Watchdog Watchdog,
          TickListener Listener>
struct Ports {
  Source& source;
  Sink& sink;
  const Clock& clock;
  Watchdog& watchdog;
  Listener& listener;
};

template <twin::ChainModel Chain, typename PortsT>
class Application {
 public:
  using Model = twin::TwinModel<Chain>;

  Application(const ApplicationSpec& spec, const Model& model, PortsT ports)
      : spec_(spec), model_(model), ports_(ports) {}

  // Once, before the timer runs. `model_check` is what whoever loaded the model found; a board
  // that fails goes on and says so, with fail values.
  void start(SelfTest model_check);

  // From the timer's interrupt, and from no other. Whether run_tick() is to be called now, at a
  // priority below.
  [[nodiscard]] bool pass_border_from_interrupt();
  void run_tick();

  // The slow loop's part; again and again, more often than the watchdog wants.
  void serve();

  // From anywhere.
  [[nodiscard]] Mode mode() const { return mode_.load(); }
  [[nodiscard]] Counters counters() const {
    return {borders_.load(), ticks_.load(), overruns_.load(), skipped_.load(), frames_lost_.load()};
  }
  // Between ticks.
  [[nodiscard]] SelfTest self_test() const { return self_test_; }
  [[nodiscard]] const signal::SensorFrame& frame() const { return frame_; }
  [[nodiscard]] const signal::Prediction& prediction() const { return prediction_; }
  [[nodiscard]] const twin::TwinState<Chain>& twin_state() const { return state_; }
  [[nodiscard]] const Settling& settling() const { return settling_; }

 private:
  [[nodiscard]] SelfTest test_itself(SelfTest model_check);
  [[nodiscard]] Event run_twin();
  [[nodiscard]] Event judge() const;
  [[nodiscard]] bool has_lost_sensors() const { return quiet_ticks_ >= spec_.sensor_loss_ticks; }
  void watch_sensors();
  void fill_output(std::uint32_t cost);

  ApplicationSpec spec_;
  const Model& model_;
  PortsT ports_;

  using Count = etl::atomic<std::uint32_t>;  // written at one level only

  // of the tick
  etl::atomic<Mode> mode_{Mode::kBoot};
  Count ticks_{0};
  SelfTest self_test_ = SelfTest::kPassed;
  Settling settling_{};
  hal::ChannelStates channel_states_{};
  std::uint32_t quiet_ticks_ = 0;  // without anything of the crank to believe
  signal::SensorFrame frame_{};
  signal::Prediction prediction_{};
  twin::TwinState<Chain> state_{};
  typename Chain::Scratch scratch_{};
  std::uint32_t worst_cost_ = 0;
  signal::OutputFrame made_{};  // read by the interrupt when the gate says so

  // of the interrupt
  TickGate gate_;
  Count borders_{0};
  Count overruns_{0};
  Count skipped_{0};
  Count frames_lost_{0};
  std::uint32_t tick_ = 0;  // that has begun; read by it
  signal::OutputFrame sent_{};

  // of the slow loop
  std::uint32_t served_ticks_ = 0;
};

}  // namespace taut::firmware

#include "firmware/application_impl.h"
