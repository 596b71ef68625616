// What computes behind dsp.h: CMSIS-DSP, or the plain reference where it was not found. The one
// file that sees the CMSIS headers, so that their macros reach nobody else.
#include "sim_core/dsp/dsp.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#if TAUT_HAVE_CMSIS_DSP

#include <dsp/basic_math_functions.h>
#include <dsp/filtering_functions.h>
#include <dsp/statistics_functions.h>
#include <dsp/transform_functions.h>
#include <dsp/window_functions.h>

// Sizes were checked by the types; nothing here can fail.
namespace taut::dsp_cmsis {

using dsp::Spectrum;
using dsp::Window;

// The init function of one length, by name: the general one would link the tables of all lengths.
template <std::size_t N>
void init(arm_rfft_fast_instance_f32& plan) {
  if constexpr (N == 256) {
    (void)arm_rfft_fast_init_256_f32(&plan);
  } else if constexpr (N == 512) {
    (void)arm_rfft_fast_init_512_f32(&plan);
  } else if constexpr (N == 1024) {
    (void)arm_rfft_fast_init_1024_f32(&plan);
  } else if constexpr (N == 2048) {
    (void)arm_rfft_fast_init_2048_f32(&plan);
  } else {
    static_assert(N == 4096);
    (void)arm_rfft_fast_init_4096_f32(&plan);
  }
}

template <std::size_t N>
void fill_hann(Window<N>& window) {
  arm_hanning_f32(window.weight.data(), N);
  window.coherent_gain = 0.5F;
  window.noise_bandwidth_bins = 1.5F;
}

template <std::size_t N>
void apply(const Window<N>& window, etl::span<const float, N> in, etl::array<float, N>& out) {
  arm_mult_f32(in.data(), window.weight.data(), out.data(), N);
}

template <std::size_t N>
void rfft(etl::array<float, N>& samples, Spectrum<N>& spectrum) {
  arm_rfft_fast_instance_f32 plan;  // a few pointers to const tables, cheaper to make than to keep
  init<N>(plan);
  auto& bins = spectrum.interleaved;
  arm_rfft_fast_f32(&plan, samples.data(), bins.data(), 0);
  bins[N] = bins[1];  // CMSIS-DSP packs Nyquist into the imaginary part of DC
  bins[N + 1] = 0.0F;
  bins[1] = 0.0F;
}

// Not arm_cmplx_mag_f32: its square root answers 0 for NaN, and a spectrum must not hide one.
template <std::size_t N>
void amplitudes(const Spectrum<N>& spectrum, float coherent_gain,
                etl::array<float, N / 2 + 1>& amplitude) {
  const float edge_scale = 1.0F / (static_cast<float>(N) * coherent_gain);
  for (std::size_t k = 0; k <= N / 2; ++k) {
    const float scale = k == 0 || k == N / 2 ? edge_scale : 2.0F * edge_scale;
    const float x = re(spectrum, k);
    const float y = im(spectrum, k);
    amplitude[k] = scale * std::sqrt(x * x + y * y);
  }
}

inline float mean(etl::span<const float> samples) {
  float result = 0.0F;
  if (!samples.empty()) {
    arm_mean_f32(samples.data(), static_cast<std::uint32_t>(samples.size()), &result);
  }
  return result;
}

// Not arm_rms_f32, for the same reason as in amplitudes().
inline float rms(etl::span<const float> samples) {
  float energy = 0.0F;
  if (samples.empty()) {
    return energy;
  }
  arm_power_f32(samples.data(), static_cast<std::uint32_t>(samples.size()), &energy);
  return std::sqrt(energy / static_cast<float>(samples.size()));
}

// The CMSIS instance only ties pointers together; made here, model and state stay apart outside.
inline void filter(etl::span<const float> packed, etl::span<float> delay, const float* in,
                   float* out, std::size_t count) {
  const arm_biquad_cascade_df2T_instance_f32 cascade{static_cast<std::uint8_t>(delay.size() / 2),
                                                     delay.data(), packed.data()};
  arm_biquad_cascade_df2T_f32(&cascade, in, out, static_cast<std::uint32_t>(count));
}

}  // namespace taut::dsp_cmsis

namespace backend = taut::dsp_cmsis;

#else

#include "tests/reference/dsp_plain.h"

namespace backend = taut::dsp_plain;

#endif

namespace taut::dsp {

template <std::size_t N>
void fill_hann(Window<N>& window) {
  backend::fill_hann<N>(window);
}

template <std::size_t N>
void apply(const Window<N>& window, std::type_identity_t<etl::span<const float, N>> in,
           etl::array<float, N>& out) {
  backend::apply<N>(window, in, out);
}

template <std::size_t N>
void rfft(etl::array<float, N>& samples, Spectrum<N>& spectrum) {
  backend::rfft<N>(samples, spectrum);
}

template <std::size_t N>
void amplitudes(const Spectrum<N>& spectrum, float coherent_gain,
                etl::array<float, N / 2 + 1>& amplitude) {
  backend::amplitudes<N>(spectrum, coherent_gain, amplitude);
}

float mean(etl::span<const float> samples) {
  return backend::mean(samples);
}

float rms(etl::span<const float> samples) {
  return backend::rms(samples);
}

// A model without sections passes the signal through; CMSIS-DSP would count its stages from 255.
void detail::filter(etl::span<const float> packed, etl::span<float> delay, const float* in,
                    float* out, std::size_t count) {
  if (delay.empty()) {
    for (std::size_t n = 0; n < count; ++n) {
      out[n] = in[n];
    }
    return;
  }
  backend::filter(packed, delay, in, out, count);
}

#define TAUT_DSP_LENGTH(N)                                                                    \
  template void fill_hann<N>(Window<N>&);                                                     \
  template void apply<N>(const Window<N>&, etl::span<const float, N>, etl::array<float, N>&); \
  template void rfft<N>(etl::array<float, N>&, Spectrum<N>&);                                 \
  template void amplitudes<N>(const Spectrum<N>&, float, etl::array<float, (N) / 2 + 1>&);

TAUT_DSP_LENGTH(256)
TAUT_DSP_LENGTH(512)
TAUT_DSP_LENGTH(1024)
TAUT_DSP_LENGTH(2048)
TAUT_DSP_LENGTH(4096)

}  // namespace taut::dsp
