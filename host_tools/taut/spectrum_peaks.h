// The frequencies that stand out of a signal: amplitude spectrum under a Hann window, local
// maxima refined by a parabola through log amplitudes. For reports; not for a running twin.
#pragma once

#include <cstddef>
#include <vector>

namespace taut::tool {

struct SpectrumPeak {
  double frequency_Hz;
  double amplitude;  // of a sine there, in the signal's unit
};

inline constexpr double kLowestPeak_Hz = 0.3;
inline constexpr double kHighestPeak_Hz = 400;
inline constexpr std::size_t kMostPeaks = 5;

// Largest first. A peak has at least a tenth of the largest amplitude and stands out of the
// noise; nearer to zero than three periods in the record nothing is told from drift.
[[nodiscard]] std::vector<SpectrumPeak> spectrum_peaks(const std::vector<double>& samples,
                                                       double rate_Hz);

}  // namespace taut::tool
