// Spectra, filters and statistics of the slow loop, computed by CMSIS-DSP behind this header; where
// CMSIS-DSP was not found at configuration, by the slow reference in tests/reference/dsp_plain.h.
// No heap, no statics: safe from any one context at a time per object. Not for the tick.
#pragma once

#include <cstddef>
#include <type_traits>

#include <etl/array.h>
#include <etl/span.h>

#include "sim_core/dsp/biquad.h"
#include "sim_core/dsp/spectrum.h"

namespace taut::dsp {

// Hann, w[n] = (1 - cos(2 pi n / N)) / 2. Coherent gain 1/2, equivalent noise bandwidth 1.5 bins,
// both exact for this periodic form. Configuration only: N cosines.
template <std::size_t N>
void fill_hann(Window<N>& window);

// out[n] = weight[n] in[n]; in and out may be the same array.
template <std::size_t N>
void apply(const Window<N>& window, std::type_identity_t<etl::span<const float, N>> in,
           etl::array<float, N>& out);

// Real FFT, unscaled (spectrum.h). The samples are used as work space: garbage afterwards.
// Error against the exact DFT, in the 2-norm: below 7 log2(N) 2^-24 of the spectrum's norm
// (Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2, for radix 2; on noise of
// 256 to 4096 points CMSIS-DSP 1.10.3 was measured at 0.9e-7 to 1.3e-7, on PC and Cortex-M).
template <std::size_t N>
void rfft(etl::array<float, N>& samples, Spectrum<N>& spectrum);

// Single-sided peak amplitudes in the unit of the signal: 2 |X[k]| / (N gain), without the 2 at DC
// and Nyquist. A sine of amplitude A on bin k gives A there. NaN stays NaN. |X|^2 must fit a float.
template <std::size_t N>
void amplitudes(const Spectrum<N>& spectrum, float coherent_gain,
                etl::array<float, N / 2 + 1>& amplitude);

// Arithmetic mean and root of the mean square; 0 for no samples, NaN if any sample is NaN.
// Plain float sums: error at most size * 2^-24 times the mean of |x|, or times the RMS.
[[nodiscard]] float mean(etl::span<const float> samples);
[[nodiscard]] float rms(etl::span<const float> samples);

namespace detail {
void filter(etl::span<const float> packed, etl::span<float> delay, const float* in, float* out,
            std::size_t count);
}

// Filters the first min(in.size(), out.size()) samples; in and out may be the same memory.
// The result does not depend on how a signal is cut into blocks.
template <std::size_t kMaxSections>
void filter(const BiquadModel<kMaxSections>& model, BiquadState<kMaxSections>& state,
            std::type_identity_t<etl::span<const float>> in,
            std::type_identity_t<etl::span<float>> out) {
  const std::size_t count = in.size() < out.size() ? in.size() : out.size();
  detail::filter({model.packed.data(), 5 * model.sections},
                 {state.delay.data(), 2 * model.sections}, in.data(), out.data(), count);
}

}  // namespace taut::dsp
