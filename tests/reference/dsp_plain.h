// The functions of sim_core/dsp/dsp.h written the obvious way, in double, to test against.
// Also stands in for CMSIS-DSP where that is missing: no heap, no arrays on the stack, any target.
// Slow on purpose: the transform costs N^2 steps, seconds at 4096 points on a Cortex-M4.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

#include <etl/array.h>
#include <etl/span.h>

#include "sim_core/dsp/biquad.h"
#include "sim_core/dsp/spectrum.h"

namespace taut::dsp_plain {

using dsp::Spectrum;
using dsp::Window;

inline constexpr double kTwoPi = 6.283185307179586;

struct Bin {
  double re, im;  // unit of the signal, unscaled sums
};

// One bin of the DFT by its definition. The unit phasor is turned sample by sample, which costs
// about N 2^-53 of accuracy: nothing beside the 2^-24 of the result.
inline Bin dft_bin(etl::span<const float> samples, std::size_t bin) {
  const double angle = kTwoPi * static_cast<double>(bin) / static_cast<double>(samples.size());
  const Bin turn{std::cos(angle), -std::sin(angle)};
  Bin phasor{1.0, 0.0};
  Bin sum{0.0, 0.0};
  for (const float sample : samples) {
    const auto x = static_cast<double>(sample);
    sum.re += x * phasor.re;
    sum.im += x * phasor.im;
    phasor = {phasor.re * turn.re - phasor.im * turn.im, phasor.re * turn.im + phasor.im * turn.re};
  }
  return sum;
}

template <std::size_t N>
void fill_hann(Window<N>& window) {
  double sum = 0.0;
  double sum_of_squares = 0.0;
  for (std::size_t n = 0; n < N; ++n) {
    const double turns = static_cast<double>(n) / static_cast<double>(N);
    const double w = 0.5 * (1.0 - std::cos(kTwoPi * turns));
    window.weight[n] = static_cast<float>(w);
    sum += w;
    sum_of_squares += w * w;
  }
  window.coherent_gain = static_cast<float>(sum / static_cast<double>(N));
  window.noise_bandwidth_bins =
      static_cast<float>(static_cast<double>(N) * sum_of_squares / (sum * sum));
}

template <std::size_t N>
void apply(const Window<N>& window, std::type_identity_t<etl::span<const float, N>> in,
           etl::array<float, N>& out) {
  for (std::size_t n = 0; n < N; ++n) {
    out[n] = window.weight[n] * in[n];
  }
}

template <std::size_t N>
void rfft(etl::array<float, N>& samples, Spectrum<N>& spectrum) {
  for (std::size_t k = 0; k <= N / 2; ++k) {
    const Bin bin = dft_bin(samples, k);
    spectrum.interleaved[2 * k] = static_cast<float>(bin.re);
    spectrum.interleaved[2 * k + 1] = k == 0 || k == N / 2 ? 0.0F : static_cast<float>(bin.im);
  }
}

template <std::size_t N>
void amplitudes(const Spectrum<N>& spectrum, float coherent_gain,
                etl::array<float, N / 2 + 1>& amplitude) {
  for (std::size_t k = 0; k <= N / 2; ++k) {
    const double sides = k == 0 || k == N / 2 ? 1.0 : 2.0;
    const auto x = static_cast<double>(re(spectrum, k));
    const auto y = static_cast<double>(im(spectrum, k));
    const double magnitude = std::sqrt(x * x + y * y);
    amplitude[k] = static_cast<float>(
        sides * magnitude / (static_cast<double>(N) * static_cast<double>(coherent_gain)));
  }
}

inline float mean(etl::span<const float> samples) {
  double sum = 0.0;
  for (const float sample : samples) {
    sum += static_cast<double>(sample);
  }
  return samples.empty() ? 0.0F : static_cast<float>(sum / static_cast<double>(samples.size()));
}

inline float rms(etl::span<const float> samples) {
  double sum = 0.0;
  for (const float sample : samples) {
    sum += static_cast<double>(sample) * static_cast<double>(sample);
  }
  return samples.empty() ? 0.0F
                         : static_cast<float>(std::sqrt(sum / static_cast<double>(samples.size())));
}

// Layouts of packed and delay: biquad.h. The state is rounded to float at every sample, not at the
// end of a block, so that here too the result does not depend on the cutting into blocks.
inline void filter(etl::span<const float> packed, etl::span<float> delay, const float* in,
                   float* out, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) {
    auto x = static_cast<double>(in[n]);
    for (std::size_t s = 0; s < delay.size() / 2; ++s) {
      const float* c = &packed[5 * s];
      float* d = &delay[2 * s];
      const double y = static_cast<double>(c[0]) * x + static_cast<double>(d[0]);
      d[0] = static_cast<float>(static_cast<double>(c[1]) * x + static_cast<double>(c[3]) * y +
                                static_cast<double>(d[1]));
      d[1] = static_cast<float>(static_cast<double>(c[2]) * x + static_cast<double>(c[4]) * y);
      x = y;
    }
    out[n] = static_cast<float>(x);
  }
}

template <std::size_t kMaxSections>
void filter(const dsp::BiquadModel<kMaxSections>& model, dsp::BiquadState<kMaxSections>& state,
            etl::span<const float> in, etl::span<float> out) {
  const std::size_t count = in.size() < out.size() ? in.size() : out.size();
  filter({model.packed.data(), 5 * model.sections}, {state.delay.data(), 2 * model.sections},
         in.data(), out.data(), count);
}

}  // namespace taut::dsp_plain
