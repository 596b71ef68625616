// What the fuzzers of XCP share: a slave over the twin's table, and what must hold whatever comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <etl/queue_spsc_atomic.h>
#include <etl/span.h>

#include "hal/xcp/slave.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"
#include "sim_core/twin/calibration.h"
#include "sim_core/twin/table.h"

namespace taut::fuzz {

namespace xcp = hal::xcp;

inline void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

template <typename Struct>
[[nodiscard]] etl::span<std::uint8_t> bytes_of(Struct& members) {
  return {reinterpret_cast<std::uint8_t*>(&members), sizeof members};
}

// Seed and key that an input may hold: 16 and 32 times the same byte.
[[nodiscard]] inline xcp::Challenge known_challenge() {
  xcp::Challenge challenge{};
  challenge.key.fill('k');
  return challenge;
}

class FuzzBench {
 public:
  FuzzBench() { xcp::init(model, images, state); }

  void handle(etl::span<const std::uint8_t> packet) {
    static_cast<void>(challenges.push(known_challenge()));
    const bool was_unlocked = (state.unlocked & xcp::kResourceCalibration) != 0;
    const auto before = state.calibration;
    xcp::Packet response{};
    if (xcp::handle(model, state, images, packet, queues, response)) {
      require(response.size >= 1 && response.size <= xcp::kMaxCto);
      require(response.bytes[0] == xcp::kPidResponse || response.bytes[0] == xcp::kPidError);
    }
    require(before == state.calibration || was_unlocked);
    check_calibration();
    xcp::WriteRecord record{};
    while (log.pop(record)) {
    }
  }

  // Data packets have to be of this slave's form.
  void tick() {
    const signal::SensorFrame before = frame;
    const bool took = xcp::take_stimulus(state, images);
    require(took || std::memcmp(&before, &frame, sizeof frame) == 0);
    check(model.table.inputs, bytes_of(frame));
    xcp::commit_calibration(state, images);
    ++ticks;
    xcp::sample_daq(state, images, ticks, queues);
    xcp::Packet packet{};
    while (out.pop(packet)) {
      require(packet.size >= 1 && packet.size <= xcp::kMaxDto && packet.bytes[0] < xcp::kMaxOdts);
    }
  }

 private:
  // Every value within its range: what a master wrote, too.
  static void check(etl::span<const signal::Entry> entries, etl::span<const std::uint8_t> image) {
    for (const signal::Entry& entry : entries) {
      require(xcp::is_in_range(entry, image.subspan(entry.offset, xcp::size_of(entry))));
    }
  }
  void check_calibration() {
    check(model.table.calibrations, {state.calibration.data(), sizeof calibration});
  }

 public:
  // Each alone in memory, so that the sanitizer sees whoever reads or writes past one.
  std::unique_ptr<signal::SensorFrame> own_frame = std::make_unique<signal::SensorFrame>();
  std::unique_ptr<signal::Prediction> own_prediction = std::make_unique<signal::Prediction>();
  std::unique_ptr<twin::Calibration> own_calibration = std::make_unique<twin::Calibration>();
  signal::SensorFrame& frame = *own_frame;
  signal::Prediction& prediction = *own_prediction;
  twin::Calibration& calibration = *own_calibration;
  xcp::SlaveModel model{"taut",
                        {twin::entries(twin::Part::kInput), twin::entries(twin::Part::kMeasurement),
                         twin::entries(twin::Part::kCalibration)},
                        true};
  xcp::Images images{bytes_of(frame), bytes_of(prediction), bytes_of(calibration)};
  xcp::SlaveState state{};
  xcp::PacketQueueOf<8> in;
  xcp::PacketQueueOf<64> out;
  etl::queue_spsc_atomic<xcp::WriteRecord, 64> log;
  etl::queue_spsc_atomic<xcp::Challenge, 1> challenges;
  xcp::SlaveQueues queues{in, out, log, challenges};
  std::uint32_t ticks = 0;
};

}  // namespace taut::fuzz
