// Signals and the rounding unit shared by the tests of this folder.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <etl/span.h>

namespace taut::dsp_test {

inline constexpr float kU = 5.9604645e-8F;  // 2^-24
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

inline constexpr double kTwoPi = 6.283185307179586;

inline std::uint32_t noise_state;

inline void restart_noise() {
  noise_state = 2463534242U;
}

// Uniform in [-1, 1), xorshift: the same signal on every target.
inline float noise() {
  noise_state ^= noise_state << 13;
  noise_state ^= noise_state >> 17;
  noise_state ^= noise_state << 5;
  return static_cast<float>(static_cast<std::int32_t>(noise_state) >> 8) / 8388608.0F;
}

inline void fill_noise(etl::span<float> signal) {
  for (float& x : signal) {
    x = noise();
  }
}

// amplitude * cos(2 pi bin n / N - phase_rad), with the phase reduced in integers.
inline void fill_cosine(etl::span<float> signal, std::size_t bin, double amplitude,
                        double phase_rad) {
  const std::size_t size = signal.size();
  for (std::size_t n = 0; n < size; ++n) {
    const double turns = static_cast<double>(bin * n % size) / static_cast<double>(size);
    signal[n] = static_cast<float>(amplitude * std::cos(kTwoPi * turns - phase_rad));
  }
}

inline constexpr double kQuarterTurn_rad = 1.5707963267948966;  // cosine minus this is a sine

}  // namespace taut::dsp_test
