#include "host_tools/taut/spectrum_peaks.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

// Our settings of Eigen come first.
// clang-format off
#include "sim_core/math/dynamic_linear_algebra.h"
#include <unsupported/Eigen/FFT>
// clang-format on

namespace taut::tool {
namespace {

constexpr std::size_t kFewestSamples = 16;
constexpr double kOfLargest = 0.1;  // the Hann window's own side lobes are at 0.03
// The highest of some thousand bins of pure noise is about 3.6 times their median.
constexpr double kOfNoise = 5;
constexpr double kResolution = 1e-7;  // of the signal's size: what a float still tells
constexpr double kFewestPeriods = 3;
constexpr double kMainLobe = 2;  // half width, in bins of the record's own length
constexpr double kOfNyquist = 0.9;

double mean_of(const std::vector<double>& samples) {
  double sum = 0;
  for (const double sample : samples) {
    sum += sample;
  }
  return sum / static_cast<double>(samples.size());
}

// Padded with zeros to a power of two: lengths with large prime factors are slow, and closer
// bins make the parabola true.
std::size_t transform_length(std::size_t samples) {
  std::size_t length = 1;
  while (length < 2 * samples) {
    length *= 2;
  }
  return length;
}

std::vector<double> amplitudes(const std::vector<double>& samples, std::size_t length) {
  const double mean = mean_of(samples);
  std::vector<double> windowed(length, 0.0);
  double window_sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double phase =
        2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(samples.size());
    const double hann = 0.5 - 0.5 * std::cos(phase);
    windowed[i] = hann * (samples[i] - mean);
    window_sum += hann;
  }
  Eigen::FFT<double> transform;
  transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> bins;
  transform.fwd(bins, windowed);
  std::vector<double> found;
  found.reserve(bins.size());
  for (const std::complex<double>& bin : bins) {
    found.push_back(2 * std::abs(bin) / window_sum);
  }
  return found;
}

struct Band {
  std::size_t first;
  std::size_t last;  // included
};

double median(const std::vector<double>& values, const Band& band) {
  std::vector<double> sorted(values.begin() + static_cast<std::ptrdiff_t>(band.first),
                             values.begin() + static_cast<std::ptrdiff_t>(band.last) + 1);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

// Whether no other bin of the main lobe around it is higher.
bool is_summit(const std::vector<double>& values, std::size_t at, std::size_t reach) {
  const std::size_t begin = at - std::min(at, reach);
  const std::size_t end = std::min(at + reach + 1, values.size());
  for (std::size_t i = begin; i < end; ++i) {
    if (values[i] > values[at] || (i < at && values[i] == values[at])) {
      return false;
    }
  }
  return true;
}

// Vertex of the parabola through the logarithms of a bin and its neighbours.
SpectrumPeak refined(const std::vector<double>& values, std::size_t at, double bin_Hz) {
  const double before = std::log(values[at - 1]);
  const double here = std::log(values[at]);
  const double after = std::log(values[at + 1]);
  const double curvature = before - 2 * here + after;
  const bool curved = std::isfinite(curvature) && curvature < 0;
  const double shift = curved ? 0.5 * (before - after) / curvature : 0;
  const double log_amplitude = here - (curved ? 0.25 * (before - after) * shift : 0);
  return {(static_cast<double>(at) + shift) * bin_Hz, std::exp(log_amplitude)};
}

double size_of(const std::vector<double>& samples) {
  double largest = 0;
  for (const double sample : samples) {
    largest = std::max(largest, std::abs(sample));
  }
  return largest;
}

}  // namespace

std::vector<SpectrumPeak> spectrum_peaks(const std::vector<double>& samples, double rate_Hz) {
  std::vector<SpectrumPeak> peaks;
  if (samples.size() < kFewestSamples) {
    return peaks;
  }
  const std::size_t length = transform_length(samples.size());
  const double bin_Hz = rate_Hz / static_cast<double>(length);
  const double record_s = static_cast<double>(samples.size()) / rate_Hz;
  const double low_Hz = std::max(kLowestPeak_Hz, kFewestPeriods / record_s);
  const double high_Hz = std::min(kHighestPeak_Hz, kOfNyquist * rate_Hz / 2);
  const Band band{static_cast<std::size_t>(std::ceil(low_Hz / bin_Hz)),
                  static_cast<std::size_t>(high_Hz / bin_Hz)};
  if (band.first < 1 || band.last < band.first) {
    return peaks;
  }
  const std::vector<double> values = amplitudes(samples, length);
  const double largest =
      *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(band.first),
                        values.begin() + static_cast<std::ptrdiff_t>(band.last) + 1);
  const double threshold = std::max(
      {kOfLargest * largest, kOfNoise * median(values, band), kResolution * size_of(samples)});
  const auto reach = static_cast<std::size_t>(kMainLobe / (record_s * bin_Hz));
  for (std::size_t i = band.first; i <= band.last; ++i) {
    if (values[i] > threshold && is_summit(values, i, reach)) {
      peaks.push_back(refined(values, i, bin_Hz));
    }
  }
  std::sort(peaks.begin(), peaks.end(),
            [](const SpectrumPeak& a, const SpectrumPeak& b) { return a.amplitude > b.amplitude; });
  peaks.resize(std::min(peaks.size(), kMostPeaks));
  return peaks;
}

}  // namespace taut::tool
