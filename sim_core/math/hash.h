// A streaming 64-bit hash of numbers (FNV-1a), to compare results and replayed states between
// targets. Bytes are taken by shifting, low byte first, so that endianness does not matter; every
// NaN counts as one and the same, since x86 and ARM differ in its sign. Not for security, nor for
// hash tables.
#pragma once

#include <cstdint>

#include "sim_core/math/float_bits.h"

namespace taut::math {

class Hash64 {
 public:
  constexpr void add(std::uint32_t word) { add_bytes(word, 4); }
  constexpr void add(std::uint64_t word) { add_bytes(word, 8); }
  constexpr void add(float x) { add(canonical_bits(x)); }
  constexpr void add(double x) { add(canonical_bits(x)); }

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

 private:
  template <BinaryFloat Real>
  [[nodiscard]] static constexpr UintOf<Real> canonical_bits(Real x) {
    constexpr UintOf<Real> kQuietBit = (kFractionMask<Real> + 1U) >> 1;
    return is_nan(x) ? kInfinityBits<Real> | kQuietBit : to_bits(x);
  }

  constexpr void add_bytes(std::uint64_t word, int count) {
    for (int i = 0; i < count; ++i) {
      value_ = (value_ ^ (word & 0xffU)) * kPrime;
      word >>= 8;
    }
  }

  // Offset basis and prime of the 64-bit FNV-1a (Fowler, Noll, Vo; RFC 9923).
  static constexpr std::uint64_t kPrime = 0x100000001b3U;
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace taut::math
