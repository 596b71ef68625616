// A sensor that sends one reading a tick: late, with errors that stay, errors that wander and
// noise, within its range, in whole quanta, now and then not at all. Errors of gain and zero are
// drawn once; all others are drawn every tick, whatever their size.
#pragma once

#include <cstdint>
#include <vector>

#include "host_tools/rig/random.h"
#include "host_tools/rig/raw_frame.h"

namespace taut::rig {

// In the unit of what is measured.
struct AnalogSpec {
  double full_scale = 0;    // readings end there, on either side
  double quantum = 0;       // 0: as fine as a float
  double noise_sd = 0;      // white
  double zero_error = 0;    // at most, either way
  double gain_error = 0;    // at most, either way, as a part
  double drift_sd_1_s = 0;  // a random walk: standard deviation after a second
  double dropout = 0;       // part of the readings that never arrive
  std::uint32_t delay_ticks = 0;
};

class AnalogSensor {
 public:
  AnalogSensor(const AnalogSpec& spec, std::uint64_t seed, Stream stream);

  // Once a tick. Without a new reading the last one stays, its sequence number too.
  RawReading measure(double truth);

  [[nodiscard]] double zero() const { return zero_; }
  [[nodiscard]] double gain() const { return gain_; }

 private:
  [[nodiscard]] double delayed(double truth);

  AnalogSpec spec_;
  Random random_;
  double zero_;
  double gain_;
  double drift_ = 0;
  std::vector<double> past_;  // as many truths as the delay has ticks, a ring
  std::size_t oldest_ = 0;
  RawReading reading_{};
};

}  // namespace taut::rig
