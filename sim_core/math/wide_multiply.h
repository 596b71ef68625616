// The full product of two words as a high and a low word; exact, hence the same everywhere.
// 64-bit words are multiplied by school rule in 32-bit halves where the compiler has no 128-bit
// type. Not for signed words.
#pragma once

#include <cstdint>

namespace taut::math::detail {

template <typename Word>
struct WideProduct {
  Word high;
  Word low;
};

[[nodiscard]] constexpr WideProduct<std::uint32_t> multiply_wide(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t product = std::uint64_t{a} * b;
  return {static_cast<std::uint32_t>(product >> 32), static_cast<std::uint32_t>(product)};
}

[[nodiscard]] constexpr WideProduct<std::uint64_t> multiply_wide_by_halves(std::uint64_t a,
                                                                           std::uint64_t b) {
  constexpr std::uint64_t kLowHalf = 0xffffffffU;
  const std::uint64_t low_low = (a & kLowHalf) * (b & kLowHalf);
  const std::uint64_t high_low = (a >> 32) * (b & kLowHalf);
  const std::uint64_t low_high = (a & kLowHalf) * (b >> 32);
  const std::uint64_t high_high = (a >> 32) * (b >> 32);
  // Three numbers below 2^32 or so: the middle column cannot overflow 64 bits.
  const std::uint64_t middle = (low_low >> 32) + (high_low & kLowHalf) + low_high;
  return {high_high + (high_low >> 32) + (middle >> 32), (middle << 32) | (low_low & kLowHalf)};
}

[[nodiscard]] constexpr WideProduct<std::uint64_t> multiply_wide(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#else
  return multiply_wide_by_halves(a, b);
#endif
}

}  // namespace taut::math::detail
