#include "host_tools/rig/analog_sensor.h"

#include <algorithm>
#include <cmath>

#include "sim_core/math/round.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::rig {

AnalogSensor::AnalogSensor(const AnalogSpec& spec, std::uint64_t seed, Stream stream)
    : spec_(spec),
      random_(seed, stream),
      zero_(random_.within(spec.zero_error)),
      gain_(1 + random_.within(spec.gain_error)) {}

// Before there is a past, the first truth stands for it.
double AnalogSensor::delayed(double truth) {
  if (spec_.delay_ticks == 0) {
    return truth;
  }
  if (past_.empty()) {
    past_.assign(spec_.delay_ticks, truth);
  }
  const double then = past_[oldest_];
  past_[oldest_] = truth;
  oldest_ = (oldest_ + 1) % past_.size();
  return then;
}

RawReading AnalogSensor::measure(double truth) {
  drift_ += spec_.drift_sd_1_s * std::sqrt(roller_chain::kTick_s) * random_.normal();
  const double noise = spec_.noise_sd * random_.normal();
  const bool lost = random_.uniform() < spec_.dropout;
  const double exact = gain_ * delayed(truth) + zero_ + drift_ + noise;
  const double in_range = std::clamp(exact, -spec_.full_scale, spec_.full_scale);
  const double value =
      spec_.quantum > 0 ? spec_.quantum * math::round(in_range / spec_.quantum) : in_range;
  if (!lost) {
    reading_.value = static_cast<float>(value);
    ++reading_.sequence;
  }
  return reading_;
}

}  // namespace taut::rig
