// The application's side of an XCP slave: sees every tick, brings calibrations to its border, and
// is the sensor source where frames come by XCP. A transport moves packets in and out of its
// queues.
//
// As a source it gives what the master wrote into the sensor frame as raw readings: value and
// sequence of each sample and the edges. The channels judge them as they do a wire's; ages and
// qualities that the master writes mean nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/string_view.h>

#include "hal/channels.h"
#include "hal/xcp/slave.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"
#include "sim_core/twin/calibration.h"

namespace taut::firmware {

class XcpPort {
 public:
  static constexpr std::size_t kQueued = 16;

  XcpPort(etl::string_view identification, const twin::Calibration& calibration,
          bool is_source_of_inputs);

  // hal::SensorSource
  void read(hal::RawReadings& readings) const;
  void take_edges(signal::SensorFrame& frame) const;

  // TickListener
  void before_tick(twin::Calibration& calibration);
  void after_tick(const signal::SensorFrame& frame, const signal::Prediction& prediction);

  // A few packets that arrived; in or between ticks, by whoever runs them. Returns how many.
  std::size_t serve() { return hal::xcp::serve(model_, state_, images_, queues_); }

  // Lock-step: a frame has come, and waits for its tick.
  [[nodiscard]] bool has_stimulus() const { return hal::xcp::has_stimulus(state_); }

  // As it will be from the next border of ticks on.
  [[nodiscard]] twin::Calibration next_calibration() const;

  [[nodiscard]] hal::xcp::PacketQueue& in() { return in_; }
  [[nodiscard]] hal::xcp::PacketQueue& out() { return out_; }
  [[nodiscard]] etl::iqueue_spsc_atomic<hal::xcp::WriteRecord>& log() { return log_; }
  [[nodiscard]] etl::iqueue_spsc_atomic<hal::xcp::Challenge>& challenges() { return challenges_; }
  [[nodiscard]] hal::xcp::SlaveState& state() { return state_; }

 private:
  hal::xcp::SlaveModel model_;
  signal::SensorFrame inputs_{};
  signal::Prediction prediction_{};
  twin::Calibration calibration_;
  hal::xcp::Images images_;
  hal::xcp::SlaveState state_{};
  hal::xcp::PacketQueueOf<kQueued> in_;
  hal::xcp::PacketQueueOf<kQueued> out_;
  etl::queue_spsc_atomic<hal::xcp::WriteRecord, 32> log_;
  etl::queue_spsc_atomic<hal::xcp::Challenge, 1> challenges_;
  hal::xcp::SlaveQueues queues_{in_, out_, log_, challenges_};
};

}  // namespace taut::firmware
