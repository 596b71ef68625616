#include "firmware/xcp_port.h"

#include <cstring>

#include "sim_core/twin/table.h"

namespace taut::firmware {
namespace {

template <typename Struct>
etl::span<std::uint8_t> bytes_of(Struct& members) {
  return {reinterpret_cast<std::uint8_t*>(&members), sizeof members};
}

hal::RawReading raw(const signal::Sample& sample) {
  return {sample.value, sample.sequence};
}

}  // namespace

XcpPort::XcpPort(etl::string_view identification, const twin::Calibration& calibration,
                 bool is_source_of_inputs)
    : model_{identification,
             {twin::entries(twin::Part::kInput), twin::entries(twin::Part::kMeasurement),
              twin::entries(twin::Part::kCalibration)},
             is_source_of_inputs},
      calibration_(calibration),
      images_{bytes_of(inputs_), bytes_of(prediction_), bytes_of(calibration_)} {
  hal::xcp::init(model_, images_, state_);
}

void XcpPort::read(hal::RawReadings& readings) const {
  readings = {raw(inputs_.crank_acceleration_rad_s2), raw(inputs_.link_force_N),
              raw(inputs_.tightener_acceleration_m_s2), raw(inputs_.tightener_position_m)};
}

void XcpPort::take_edges(signal::SensorFrame& frame) const {
  frame.edges = inputs_.edges;
  frame.edge = inputs_.edge;
  frame.edges_lost = inputs_.edges_lost;
}

// A tick without a new frame has no edges; its readings are those of the last one, and stale.
void XcpPort::before_tick(twin::Calibration& calibration) {
  if (model_.is_source_of_inputs && !hal::xcp::take_stimulus(state_, images_)) {
    inputs_.edges = 0;
  }
  if (hal::xcp::commit_calibration(state_, images_)) {
    calibration = calibration_;
  }
}

void XcpPort::after_tick(const signal::SensorFrame& frame, const signal::Prediction& prediction) {
  prediction_ = prediction;
  if (!model_.is_source_of_inputs) {
    inputs_ = frame;
  }
  hal::xcp::sample_daq(state_, images_, prediction.tick, queues_);
}

twin::Calibration XcpPort::next_calibration() const {
  twin::Calibration calibration{};
  std::memcpy(&calibration, state_.calibration.data(), sizeof calibration);
  return calibration;
}

}  // namespace taut::firmware
