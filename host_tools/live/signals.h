// The quantities that the page plots, as rows of the twin's table (sim_core/twin/table.h), and
// their values over a few ticks as one row. Names, units and ranges are the table's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim_core/signal/entry.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"
#include "sim_core/twin/table.h"

namespace taut::live {

struct Signal {
  std::string key;  // "measured.link_force_N", "predicted.strand_mean_N[2]", as CSV files have it
  twin::Part part;
  const signal::Entry* entry;
  std::size_t element;  // of an entry that repeats
};

// For a drive with so many sprockets. A measured one has no value while its quality is not good.
[[nodiscard]] std::vector<Signal> plotted_signals(std::size_t sprockets);

// The four sensors with a quality and an age: rows of the table, without their unit.
struct SensorRow {
  std::string name;
  const signal::Entry* value;
  std::size_t offset;  // of the Sample
};
[[nodiscard]] const std::vector<SensorRow>& sensor_rows();
[[nodiscard]] const signal::Sample& sample_of(const SensorRow& row,
                                              const signal::SensorFrame& frame);

// Means over `ticks` ticks: what is faster than a row would be taken for something slower.
class RowMaker {
 public:
  RowMaker(std::vector<Signal> signals, std::size_t ticks);

  // True where it completes a row.
  bool add(const signal::SensorFrame& frame, const signal::Prediction& prediction);
  [[nodiscard]] const std::vector<float>& row() const { return row_; }  // NaN: no value
  [[nodiscard]] const std::vector<Signal>& signals() const { return signals_; }
  [[nodiscard]] std::size_t index_of(const std::string& key) const;

 private:
  std::vector<Signal> signals_;
  std::size_t ticks_;
  std::size_t in_row_ = 0;
  std::vector<double> sum_;
  std::vector<std::size_t> count_;
  std::vector<float> row_;
};

}  // namespace taut::live
