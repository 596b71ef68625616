#include "host_tools/live/signals.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "sim_core/assert.h"

namespace taut::live {
namespace {

const signal::Entry& entry_of(twin::Part part, const std::string& name) {
  for (const signal::Entry& entry : twin::entries(part)) {
    if (entry.name == name) {
      return entry;
    }
  }
  TAUT_ASSERT(false, part);
  return twin::entries(part)[0];
}

void add_all(twin::Part part, const std::string& name, std::size_t sprockets,
             std::vector<Signal>& signals) {
  const signal::Entry& entry = entry_of(part, name);
  const std::string key = (part == twin::Part::kInput ? "measured." : "predicted.") + name;
  const std::size_t times = signal::times(entry.repeat, sprockets);
  for (std::size_t i = 0; i < times; ++i) {
    signals.push_back(
        {times == 1 ? key : key + "[" + std::to_string(i + 1) + "]", part, &entry, i});
  }
}

// Where samples lie, by the rows of their values: the first member of a sample.
const signal::Sample& sample_at(std::size_t offset, const signal::SensorFrame& frame) {
  static_assert(offsetof(signal::Sample, value) == 0);
  const auto* bytes = reinterpret_cast<const std::byte*>(&frame);
  return *reinterpret_cast<const signal::Sample*>(bytes + offset);
}

float value_of(const Signal& signal, const signal::SensorFrame& frame,
               const signal::Prediction& prediction) {
  if (signal.part == twin::Part::kInput) {
    const signal::Sample& sample = sample_at(signal.entry->offset, frame);
    return sample.quality == signal::Quality::kGood ? sample.value
                                                    : std::numeric_limits<float>::quiet_NaN();
  }
  float value = 0;
  const auto* bytes = reinterpret_cast<const std::byte*>(&prediction);
  std::memcpy(&value, bytes + signal.entry->offset + signal.element * sizeof value, sizeof value);
  return value;
}

}  // namespace

std::vector<Signal> plotted_signals(std::size_t sprockets) {
  std::vector<Signal> signals;
  for (const char* name : {"link_force_N", "tightener_position_m", "tightener_acceleration_m_s2"}) {
    add_all(twin::Part::kInput, name, sprockets, signals);
  }
  for (const char* name : {"tagged_link_N", "tightener_position_m", "tightener_acceleration_m_s2",
                           "strand_mean_N", "crank_speed_rad_s"}) {
    add_all(twin::Part::kMeasurement, name, sprockets, signals);
  }
  return signals;
}

const std::vector<SensorRow>& sensor_rows() {
  static const std::vector<SensorRow> kRows = [] {
    std::vector<SensorRow> rows;
    for (const char* name : {"crank_acceleration_rad_s2", "link_force_N",
                             "tightener_acceleration_m_s2", "tightener_position_m"}) {
      const signal::Entry& entry = entry_of(twin::Part::kInput, name);
      rows.push_back({name, &entry, entry.offset});
    }
    return rows;
  }();
  return kRows;
}

const signal::Sample& sample_of(const SensorRow& row, const signal::SensorFrame& frame) {
  return sample_at(row.offset, frame);
}

RowMaker::RowMaker(std::vector<Signal> signals, std::size_t ticks)
    : signals_(std::move(signals)),
      ticks_(ticks),
      sum_(signals_.size()),
      count_(signals_.size()),
      row_(signals_.size()) {}

std::size_t RowMaker::index_of(const std::string& key) const {
  std::size_t i = 0;
  while (i < signals_.size() && signals_[i].key != key) {
    ++i;
  }
  TAUT_ASSERT(i < signals_.size(), i);
  return i;
}

bool RowMaker::add(const signal::SensorFrame& frame, const signal::Prediction& prediction) {
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const float value = value_of(signals_[i], frame, prediction);
    const bool is_number = std::isfinite(value);
    sum_[i] += is_number ? static_cast<double>(value) : 0;
    count_[i] += is_number ? 1 : 0;
  }
  if (++in_row_ < ticks_) {
    return false;
  }
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    row_[i] = count_[i] > 0 ? static_cast<float>(sum_[i] / static_cast<double>(count_[i]))
                            : std::numeric_limits<float>::quiet_NaN();
    sum_[i] = 0;
    count_[i] = 0;
  }
  in_row_ = 0;
  return true;
}

}  // namespace taut::live
