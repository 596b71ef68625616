// Plain data of the spectral functions in dsp.h: a window and the spectrum of a real signal.
// Definitions: DFT X[k] = sum_n x[n] exp(-2 pi i k n / N), no scaling in the forward direction.
// Not for same-bits quantities: spectra agree between targets to float accuracy only.
#pragma once

#include <cstddef>

#include <etl/array.h>

namespace taut::dsp {

// Lengths the slow loop may choose. Each has its own tables, so a length nobody uses costs nothing.
template <std::size_t N>
concept FftLength = N == 256 || N == 512 || N == 1024 || N == 2048 || N == 4096;

// Const during a run, filled once at configuration. Multiply, transform, then divide by the gain.
template <std::size_t N>
requires FftLength<N>
struct Window {
  etl::array<float, N> weight;  // 1, [N], periodic ("DFT-even"): weight[0] starts the next period
  float coherent_gain;         // 1, mean of the weights: what the peak of an on-bin sine shrinks by
  float noise_bandwidth_bins;  // bins, N sum(w^2) / (sum w)^2: white-noise power seen by one bin
};

inline constexpr float kNoWindowGain = 1.0F;  // coherent gain when no window was applied

// Bins 0..N/2 as re, im, re, im...; bin k lies at k * sample_rate / N. Bin 0 is DC, bin N/2 is
// Nyquist, both with im = 0. The other half of a real signal's DFT is the conjugate and is not
// kept.
template <std::size_t N>
requires FftLength<N>
struct Spectrum {
  static constexpr std::size_t kBins = N / 2 + 1;
  etl::array<float, 2 * kBins> interleaved;  // unit of the signal, [N + 2], unscaled sums over N
};

template <std::size_t N>
[[nodiscard]] float re(const Spectrum<N>& spectrum, std::size_t bin) {
  return spectrum.interleaved[2 * bin];
}

template <std::size_t N>
[[nodiscard]] float im(const Spectrum<N>& spectrum, std::size_t bin) {
  return spectrum.interleaved[2 * bin + 1];
}

}  // namespace taut::dsp
