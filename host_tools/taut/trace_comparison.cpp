#include "host_tools/taut/trace_comparison.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim_core/assert.h"
#include "sim_core/dsp/dsp.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::tool {
namespace {

constexpr double kSlow_Hz = 20;
constexpr int kMostDelay_ticks = 100;

// Butterworth's low-pass of second order by the bilinear transform.
dsp::BiquadModel<1> slow_part() {
  const double tangent = std::tan(std::numbers::pi * kSlow_Hz * roller_chain::kTick_s);
  const double scale = 1 / (1 + std::numbers::sqrt2 * tangent + tangent * tangent);
  const auto gain = static_cast<float>(tangent * tangent * scale);
  const dsp::BiquadSection section{
      gain, 2 * gain, gain, static_cast<float>(2 * (tangent * tangent - 1) * scale),
      static_cast<float>((1 - std::numbers::sqrt2 * tangent + tangent * tangent) * scale)};
  dsp::BiquadModel<1> model;
  TAUT_ASSERT(dsp::make_biquad({&section, 1}, model) == dsp::BiquadStatus::kOk, kSlow_Hz);
  return model;
}

struct PairSums {
  double count = 0, told = 0, truth = 0, told2 = 0, truth2 = 0, product = 0;
  void add(double a, double b) {
    count += 1;
    told += a;
    truth += b;
    told2 += a * a;
    truth2 += b * b;
    product += a * b;
  }
  [[nodiscard]] double truth_variance() const {
    return std::max(0.0, truth2 / count - truth * truth / (count * count));
  }
  [[nodiscard]] double correlation() const {
    const double told_variance = told2 / count - told * told / (count * count);
    const double both = product / count - told * truth / (count * count);
    const double size = std::sqrt(std::max(0.0, told_variance) * truth_variance());
    return size > 0 ? both / size : 0;
  }
};

// Of the true trace so many ticks later.
PairSums moments(const std::vector<float>& told, const std::vector<float>& truth, std::size_t begin,
                 int later) {
  PairSums sums;
  for (std::size_t i = begin; i < told.size(); ++i) {
    const auto j = static_cast<std::ptrdiff_t>(i) + later;
    if (j < static_cast<std::ptrdiff_t>(begin) || j >= static_cast<std::ptrdiff_t>(truth.size())) {
      continue;
    }
    const float other = truth[static_cast<std::size_t>(j)];
    if (std::isfinite(told[i]) && std::isfinite(other)) {
      sums.add(static_cast<double>(told[i]), static_cast<double>(other));
    }
  }
  return sums;
}

double best_delay_s(const std::vector<float>& told, const std::vector<float>& truth,
                    std::size_t begin) {
  double best = -2;
  int at = 0;
  for (int later = -kMostDelay_ticks; later <= kMostDelay_ticks; ++later) {
    const PairSums sums = moments(told, truth, begin, later);
    const double correlation = sums.count > 1 ? sums.correlation() : -2;
    if (correlation > best) {
      best = correlation;
      at = later;
    }
  }
  return at * roller_chain::kTick_s;
}

}  // namespace

TraceComparison compare(const std::vector<float>& told, const std::vector<float>& truth,
                        std::size_t begin) {
  TraceComparison found;
  const PairSums sums = moments(told, truth, begin, 0);
  if (sums.count < 2) {
    return found;
  }
  std::vector<float> differences;
  differences.reserve(told.size() - begin);
  for (std::size_t i = begin; i < told.size(); ++i) {
    if (std::isfinite(told[i]) && std::isfinite(truth[i])) {
      differences.push_back(told[i] - truth[i]);
    }
  }
  found.rms = static_cast<double>(dsp::rms({differences.data(), differences.size()}));
  dsp::BiquadState<1> at_rest;
  dsp::filter(slow_part(), at_rest, {differences.data(), differences.size()},
              {differences.data(), differences.size()});
  found.slow_rms = static_cast<double>(dsp::rms({differences.data(), differences.size()}));
  found.ticks = static_cast<std::size_t>(sums.count);
  found.mean = sums.truth / sums.count;
  found.sd = std::sqrt(sums.truth_variance());
  found.bias = (sums.told - sums.truth) / sums.count;
  found.correlation = sums.correlation();
  found.delay_s = best_delay_s(told, truth, begin);
  return found;
}

}  // namespace taut::tool
