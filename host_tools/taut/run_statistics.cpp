#include "host_tools/taut/run_statistics.h"

#include <algorithm>
#include <cmath>

#include "host_tools/taut/spectrum_peaks.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::tool {
namespace {

// About one sample a tick, 2 kHz.
int steps_a_slow_sample(double step_s) {
  return std::max(1, static_cast<int>(std::lround(roller_chain::kTick_s / step_s)));
}

}  // namespace

void Moments::add(double value) {
  max_ = count_ == 0 ? value : std::max(max_, value);
  count_ += 1;
  const double off = value - mean_;
  mean_ += off / count_;
  squares_ += off * (value - mean_);
}

double Moments::sd() const {
  return count_ > 0 ? std::sqrt(squares_ / count_) : 0;
}

void ForceSamples::add(float force_N) {
  moments_.add(static_cast<double>(force_N));
  samples_N_.push_back(force_N);
}

ForceStatistics ForceSamples::statistics() const {
  constexpr double kPart = 0.999;
  std::vector<float> sorted = samples_N_;
  const double rank = std::ceil(kPart * static_cast<double>(sorted.size()));
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(sorted.begin(), at, sorted.end());
  return {moments_.mean(), moments_.sd(), moments_.max(), static_cast<double>(*at)};
}

void SlowSamples::add(double value) {
  sum_ += value;
  if (++steps_ == steps_a_sample_) {
    samples_.push_back(sum_ / steps_a_sample_);
    sum_ = 0;
    steps_ = 0;
  }
}

std::vector<double> SlowSamples::peaks_Hz(double step_s) const {
  std::vector<double> found;
  for (const SpectrumPeak& peak : spectrum_peaks(samples_, 1 / (step_s * steps_a_sample_))) {
    found.push_back(peak.frequency_Hz);
  }
  return found;
}

void WindowCollector::add(const roller_chain::Outputs& outputs) {
  for (std::size_t s = 0; s < strands_N_.size(); ++s) {
    strands_N_[s].add(outputs.strand_middle_N[s]);
  }
  driver_W_.add(static_cast<double>(outputs.driver_W));
}

WindowStatistics WindowCollector::statistics() const {
  WindowStatistics found{{}, driver_W_.mean()};
  for (const ForceSamples& strand_N : strands_N_) {
    found.strands.push_back(strand_N.statistics());
  }
  return found;
}

StatisticsCollector::StatisticsCollector(std::size_t strands, double step_s, std::uint64_t steps)
    : step_s_(step_s), arm_mass_centre_y_m_(steps_a_slow_sample(step_s)) {
  const SlowSamples slow(steps_a_slow_sample(step_s));
  strands_.resize(strands, Strand{{}, slow, {}, {}, slow});
  for (Strand& strand : strands_) {
    strand.middle_N.reserve(steps);
  }
  bearings_.resize(strands);  // as many as sprockets
  tagged_link_N_.reserve(steps);
}

void StatisticsCollector::add(const roller_chain::Outputs& outputs, double link_max_N,
                              double crank_rad_s) {
  for (std::size_t s = 0; s < strands_.size(); ++s) {
    Strand& strand = strands_[s];
    strand.middle_N.add(outputs.strand_middle_N[s]);
    strand.slow_middle_N.add(static_cast<double>(outputs.strand_middle_N[s]));
    strand.mean_N.add(static_cast<double>(outputs.strand_mean_N[s]));
    strand.middle_m.add(static_cast<double>(outputs.strand_middle_m[s]));
    strand.slow_middle_m.add(static_cast<double>(outputs.strand_middle_m[s]));
  }
  for (std::size_t s = 0; s < bearings_.size(); ++s) {
    const auto x_N = static_cast<double>(outputs.bearing_x_N[s]);
    const auto y_N = static_cast<double>(outputs.bearing_y_N[s]);
    bearings_[s].x_N.add(x_N);
    bearings_[s].y_N.add(y_N);
    bearings_[s].size_N.add(std::hypot(x_N, y_N));
    bearings_[s].offset_m.add(std::hypot(static_cast<double>(outputs.offset_x_m[s]),
                                         static_cast<double>(outputs.offset_y_m[s])));
  }
  tagged_link_N_.add(outputs.tagged_link_N);
  tagged_roller_N_.add(static_cast<double>(outputs.tagged_roller_contact_N));
  link_max_N_.add(link_max_N);
  contact_max_N_.add(static_cast<double>(outputs.contact_max_N));
  tightener_x_m_.add(static_cast<double>(outputs.tightener_x_m));
  tightener_y_m_.add(static_cast<double>(outputs.tightener_y_m));
  arm_angle_rad_.add(static_cast<double>(outputs.arm_angle_rad));
  arm_mass_centre_y_m_.add(static_cast<double>(outputs.arm_mass_centre_y_m));
  tightener_N_.add(static_cast<double>(outputs.tightener_force_N));
  piston_m_.add(static_cast<double>(outputs.piston_travel_m));
  chamber_Pa_.add(static_cast<double>(outputs.chamber_pressure_Pa));
  valve_m3_s_.add(static_cast<double>(outputs.valve_flow_m3_s));
  for (std::size_t i = 0; i < kPowerColumns.size(); ++i) {
    power_W_[i].add(static_cast<double>(outputs.*kPowerColumns[i].member));
  }
  crank_rad_s_.add(crank_rad_s);
}

StrandStatistics StatisticsCollector::statistics_of(const Strand& strand) const {
  return {
      strand.middle_N.statistics(), strand.mean_N.mean(), strand.slow_middle_N.peaks_Hz(step_s_),
      strand.middle_m.mean(),       strand.middle_m.sd(), strand.slow_middle_m.peaks_Hz(step_s_)};
}

RunStatistics StatisticsCollector::statistics() const {
  RunStatistics found{};
  for (const Strand& strand : strands_) {
    found.strands.push_back(statistics_of(strand));
  }
  for (const Bearing& bearing : bearings_) {
    found.bearings.push_back(
        {bearing.x_N.mean(), bearing.y_N.mean(), bearing.size_N.max(), bearing.offset_m.max()});
  }
  found.tagged_link = tagged_link_N_.statistics();
  found.tagged_roller_mean_N = tagged_roller_N_.mean();
  found.tagged_roller_max_N = tagged_roller_N_.max();
  found.link_max_N = link_max_N_.max();
  found.contact_max_N = contact_max_N_.max();
  found.tightener = {tightener_x_m_.mean(),
                     tightener_y_m_.mean(),
                     arm_angle_rad_.mean(),
                     arm_angle_rad_.sd(),
                     arm_mass_centre_y_m_.peaks_Hz(step_s_),
                     tightener_N_.mean(),
                     piston_m_.mean(),
                     chamber_Pa_.mean(),
                     chamber_Pa_.max(),
                     valve_m3_s_.mean()};
  for (std::size_t i = 0; i < kPowerColumns.size(); ++i) {
    found.power_W[i] = power_W_[i].mean();
  }
  found.crank_mean_rad_s = crank_rad_s_.mean();
  return found;
}

}  // namespace taut::tool
