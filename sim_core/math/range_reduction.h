// An angle split into quarter turns and a remainder in [-pi/4, pi/4], for every finite input.
// Payne and Hanek (SIGNUM 1983): the mantissa times just those bits of 2/pi that matter, in
// integers; for doubles of a few turns, quicker, in two subtractions.
// Not for turn counting: only the number of quarter turns modulo 4 comes out.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/round.h"
#include "sim_core/math/wide_multiply.h"

namespace taut::math {

template <typename Real>
struct ReducedAngle {
  Real remainder;          // [rad] within [-pi/4, pi/4], right to 0.51 ulp
  std::uint32_t quadrant;  // quarter turns modulo 4
};

namespace detail {

// 2/pi in 32-bit words, most significant first, behind 64 zero bits so that angles near one need no
// special case. Four double words from bit 1034, where the window of infinity starts, just fit.
// Sollya: prec = 1400; display = hexadecimal; 2/pi; (the words are these digits, one bit further)
inline constexpr int kTwoOverPiZeroBits = 64;
inline constexpr std::uint32_t kTwoOverPi[] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

// One word per type carries the whole scheme: 32 bits for float, 64 for double. The window is three
// words. Dropping the rest of 2/pi errs by 2^-70 (float) and 2^-137 (double) of a quarter turn, and
// no float or double comes nearer to a multiple of pi/2 than 2^-29.9 and 2^-61.6 of one.
[[nodiscard]] constexpr std::uint32_t two_over_pi_word(std::uint32_t, std::size_t index) {
  return kTwoOverPi[index];
}
[[nodiscard]] constexpr std::uint64_t two_over_pi_word(std::uint64_t, std::size_t index) {
  return (std::uint64_t{kTwoOverPi[2 * index]} << 32) | kTwoOverPi[2 * index + 1];
}

// pi/2 with one bit before the point.
[[nodiscard]] constexpr std::uint32_t half_pi_fixed(std::uint32_t) {
  return 0xc90fdaa2U;
}
[[nodiscard]] constexpr std::uint64_t half_pi_fixed(std::uint64_t) {
  return 0xc90fdaa22168c235U;
}

// Upper word of (high, low) shifted left by 0 <= shift < width.
template <typename Word>
[[nodiscard]] constexpr Word shifted_left(Word high, Word low, int shift, int width) {
  return static_cast<Word>((high << shift) | ((low >> 1) >> (width - 1 - shift)));
}

// Quarter turns in an angle above pi/4. Infinity and NaN give some number: the caller masks it.
template <BinaryFloat Real>
[[nodiscard]] constexpr ReducedAngle<Real> reduce_large_angle(Real angle) {
  using Bits = FloatBits<Real>;
  using Word = UintOf<Real>;
  constexpr int kWidth = Bits::kWidth;

  const Word bits = to_bits(angle);
  const Word mantissa = (bits & kFractionMask<Real>) | (kFractionMask<Real> + 1U);
  const int exponent =
      static_cast<int>(bits >> Bits::kFractionBits) - Bits::kBias - Bits::kFractionBits;

  // First bit of 2/pi whose product with 2^exponent is below four quarter turns: bit exponent - 1
  // after the point, counting from one.
  const auto first_bit = static_cast<unsigned>(exponent - 2 + kTwoOverPiZeroBits);
  const unsigned first = first_bit / static_cast<unsigned>(kWidth);
  const int shift = static_cast<int>(first_bit % static_cast<unsigned>(kWidth));
  const Word w0 = two_over_pi_word(Word{}, first);
  const Word w1 = two_over_pi_word(Word{}, first + 1);
  const Word w2 = two_over_pi_word(Word{}, first + 2);
  const Word w3 = two_over_pi_word(Word{}, first + 3);

  // Low three words of the product: two bits of whole quarter turns, the rest is fraction.
  const auto low = multiply_wide(mantissa, shifted_left(w2, w3, shift, kWidth));
  const auto middle = multiply_wide(mantissa, shifted_left(w1, w2, shift, kWidth));
  const Word product1 = middle.low + low.high;
  const Word carry = product1 < low.high ? 1U : 0U;
  const Word product0 = mantissa * shifted_left(w0, w1, shift, kWidth) + middle.high + carry;

  // Round to the nearest quarter turn; the fraction becomes a signed number in [-1/2, 1/2). Its
  // one's complement serves as magnitude: the missing last unit is far below the rounding.
  const Word fraction = shifted_left(product0, product1, 2, kWidth);
  const Word negative = Word{0} - (fraction >> (kWidth - 1));
  const Word fraction0 = fraction ^ negative;
  const Word fraction1 = shifted_left(product1, low.low, 2, kWidth) ^ negative;
  const int zeros = std::countl_zero(static_cast<Word>(fraction0 | 1U));
  const Word normal = shifted_left(fraction0, fraction1, zeros, kWidth);

  const auto scaled = static_cast<Real>(multiply_wide(normal, half_pi_fixed(Word{})).high);
  const Real remainder = scaled * power_of_two<Real>(-(kWidth - 1 + zeros));
  const Word rounding_up = (product0 >> (kWidth - 3)) + 1U;
  return {flip_sign(remainder, negative & kSignMask<Real>),
          static_cast<std::uint32_t>(rounding_up >> 1) & 3U};
}

// Cody and Waite (1980): pi/2 in two parts, the first so short that its multiples are exact. The
// second part's rounding is 2^-80 at most, 2^-8 ulp of the smallest remainder that counts; nearer
// to a multiple of pi/2 the quick way is not good enough.
inline constexpr double kTwoPartsUntil = 100;

struct QuickReduction {
  ReducedAngle<double> reduced;
  bool remainder_counts;
};

[[nodiscard]] constexpr QuickReduction reduce_by_two_parts(double angle) {
  constexpr double kTwoOverPiRounded = 0x1.45f306dc9c883p-1;
  constexpr double kFirst = 0x1.921fb544p+0;
  constexpr double kSecond = 0x1.0b4611a626331p-34;
  constexpr double kLeastRemainder = 0x1p-20;
  const double held = angle < kTwoPartsUntil ? angle : 0;  // to fit an integer
  const double quarters = round(held * kTwoOverPiRounded);
  const double remainder = (held - quarters * kFirst) - quarters * kSecond;
  return {{remainder, static_cast<std::uint32_t>(quarters) & 3U},
          magnitude(remainder) > kLeastRemainder};
}

}  // namespace detail

// angle >= 0. Below pi/4 the angle is its own remainder, with no rounding at all.
template <BinaryFloat Real>
[[nodiscard]] constexpr ReducedAngle<Real> reduce_to_quarter_turns(Real angle) {
  if (angle <= kQuarterPi<Real>) {
    return {angle, 0U};
  }
  if constexpr (sizeof(Real) == sizeof(double)) {
    const auto quick = detail::reduce_by_two_parts(angle);
    if (quick.remainder_counts) {
      return quick.reduced;
    }
  }
  return detail::reduce_large_angle(angle);
}

}  // namespace taut::math
