// A cubic spline through samples equally spaced over one period, closed so that value, slope and
// curvature run on over the seam; solved by two recursions (Unser, Aldroubi and Eden, IEEE Trans.
// Signal Processing 41, 1993). Not for noise: it passes every sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>
#include <etl/span.h>

#include "sim_core/assert.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/round.h"

namespace taut::math {

inline constexpr std::size_t kMinSplineSamples = 4;
inline constexpr std::size_t kMaxSplineSamples = 1024;

template <BinaryFloat Real, std::size_t kCapacity = kMaxSplineSamples>
struct PeriodicSpline {
  static_assert(kCapacity >= kMinSplineSamples);
  std::size_t samples;
  Real samples_real;  // the same number, so that a step converts nothing
  Real inverse_period;
  etl::array<Real, kCapacity> value;  // unit of the samples
  etl::array<Real, kCapacity> bend;   // second derivative times spacing^2 / 6, unit of the samples
};
static_assert(std::is_trivially_copyable_v<PeriodicSpline<double>>);

namespace detail {

// A continuous slope asks for b[i-1] + 4 b[i] + b[i+1] = y[i-1] - 2 y[i] + y[i+1], round the
// period. With S the shift by one sample and z + 1/z = -4 the left side is -1/z (1 - z S) (1 - z/S)
// b: a recursion forth and one back. Each goes round twice: from zero it ends at some e, and from
// e / (1 - z^n) it ends where it began. Carried in double; a float only rounds what it stores.
template <BinaryFloat Real>
void solve_bends(etl::span<const double> samples, etl::span<Real> bend) {
  constexpr double kPole = -0x1.126145e9ecd56p-2;  // sqrt(3) - 2
  const std::size_t n = samples.size();
  const auto second_difference = [&](std::size_t i) {
    return (samples[i == 0 ? n - 1 : i - 1] - samples[i]) +
           (samples[i + 1 == n ? 0 : i + 1] - samples[i]);
  };

  double end = 0;
  double z_to_the_n = 1;  // long periods underflow to zero, rightly
  for (std::size_t i = 0; i < n; ++i) {
    end = second_difference(i) + kPole * end;
    z_to_the_n *= kPole;
  }
  double forth = end / (1 - z_to_the_n);
  for (std::size_t i = 0; i < n; ++i) {
    forth = second_difference(i) + kPole * forth;
    bend[i] = static_cast<Real>(forth);
  }

  end = 0;
  for (std::size_t i = n; i-- > 0;) {
    end = static_cast<double>(bend[i]) + kPole * end;
  }
  double back = end / (1 - z_to_the_n);
  for (std::size_t i = n; i-- > 0;) {
    back = static_cast<double>(bend[i]) + kPole * back;
    bend[i] = static_cast<Real>(-kPole * back);
  }
}

}  // namespace detail

// Configuration only. The first sample is that at zero; the one at `period` is not repeated.
template <BinaryFloat Real, std::size_t kCapacity>
void make_periodic_spline(etl::span<const double> samples, double period,
                          PeriodicSpline<Real, kCapacity>& spline) {
  TAUT_ASSERT(samples.size() >= kMinSplineSamples && samples.size() <= kCapacity, samples.size());
  spline.samples = samples.size();
  spline.samples_real = static_cast<Real>(samples.size());
  spline.inverse_period = static_cast<Real>(1 / period);
  TAUT_ASSERT(spline.inverse_period > 0 && is_finite(spline.inverse_period), period);
  spline.value.fill(Real(0));  // unused ends too: equal splines have equal bytes
  spline.bend.fill(Real(0));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    spline.value[i] = static_cast<Real>(samples[i]);
    TAUT_ASSERT(is_finite(spline.value[i]), i);
  }
  detail::solve_bends(samples, etl::span<Real>(spline.bend.data(), samples.size()));
}

// At any finite argument. An infinity, a NaN, and an argument whose number of periods is infinite
// give NaN.
template <BinaryFloat Real, std::size_t kCapacity>
[[nodiscard]] Real value_at(const PeriodicSpline<Real, kCapacity>& spline, Real x) {
  const Real periods = x * spline.inverse_period;
  const Real from_nearest = periods - round(periods);  // exact, within [-1/2, 1/2]
  const Real fraction = from_nearest < 0 ? from_nearest + Real(1) : from_nearest;
  const Real position = fraction * spline.samples_real;

  // Just below zero the fraction rounds to one, which is the seam; a NaN goes there as well.
  const bool inside = position >= 0 && position < spline.samples_real;
  const std::size_t i = inside ? static_cast<std::uint32_t>(position) : 0;
  const std::size_t next = i + 1 == spline.samples ? 0 : i + 1;
  const Real on_seam = position - position;  // zero, or the NaN again
  const Real u = inside ? position - static_cast<Real>(i) : on_seam;
  const Real v = Real(1) - u;
  return (v * spline.value[i] + u * spline.value[next]) -
         u * v * ((Real(1) + v) * spline.bend[i] + (Real(1) + u) * spline.bend[next]);
}

// Of the curve, which is that of the samples: the bends add up to zero, as their right sides do.
template <BinaryFloat Real, std::size_t kCapacity>
[[nodiscard]] double mean(const PeriodicSpline<Real, kCapacity>& spline) {
  double sum = 0;
  for (std::size_t i = 0; i < spline.samples; ++i) {
    sum += static_cast<double>(spline.value[i]);
  }
  return sum / static_cast<double>(spline.samples);
}

// Configuration only; returns what was removed. Bends do not feel it. What stays is of rounding
// size.
template <BinaryFloat Real, std::size_t kCapacity>
double remove_mean(PeriodicSpline<Real, kCapacity>& spline) {
  const double removed = mean(spline);
  for (std::size_t i = 0; i < spline.samples; ++i) {
    spline.value[i] = static_cast<Real>(static_cast<double>(spline.value[i]) - removed);
  }
  return removed;
}

}  // namespace taut::math
