// Reproducible pseudo-random numbers (xorshift64*, Marsaglia 2003, Vigna 2016) as test inputs.
// Integer steps and exact conversions only, so that every target draws the same numbers.
// Not for statistics.
#pragma once

#include <cstdint>

#include "sim_core/math/float_bits.h"

namespace taut::math::test {

class Inputs {
 public:
  explicit constexpr Inputs(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1dU;
  }

  // Any bit pattern: all exponents alike, now and then an infinity or a NaN.
  template <BinaryFloat Real>
  constexpr Real any_bits() {
    return from_bits<Real>(static_cast<UintOf<Real>>(next() >> (64 - FloatBits<Real>::kWidth)));
  }

  template <BinaryFloat Real>
  constexpr Real uniform(Real low, Real high) {
    // A fraction of 24 bits is exact in both types; two of them fill a double.
    const std::uint64_t draw = next();
    const auto high_part = static_cast<Real>(static_cast<std::uint32_t>(draw >> 40));
    const auto low_part = static_cast<Real>(static_cast<std::uint32_t>(draw >> 16) & 0xffffffU);
    const Real fraction = (high_part + low_part * Real(0x1p-24F)) * Real(0x1p-24F);
    return low + (high - low) * fraction;
  }

 private:
  std::uint64_t state_;
};

}  // namespace taut::math::test
