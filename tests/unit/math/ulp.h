// Distance between a result and its exact value in units of the result's last place.
// The exact value comes in a wider type where there is one; its binade sets the unit, subnormals
// and overflow included. Not for signs of zero: those are edge tests.
#pragma once

#include <limits>

#include "sim_core/math/float_bits.h"

namespace taut::math::test {

inline constexpr double kHopeless = 1e9;  // a NaN where there should be none, or the reverse

template <typename Real, typename Wide>
[[nodiscard]] double ulp_error(Real result, Wide exact) {
  using Bits = FloatBits<Real>;
  const bool exact_is_nan = !(exact == exact);
  if (exact_is_nan || is_nan(result)) {
    return exact_is_nan && is_nan(result) ? 0.0 : kHopeless;
  }
  const Wide size = exact < Wide(0) ? -exact : exact;
  const Wide signed_result = exact < Wide(0) ? -Wide(result) : Wide(result);
  constexpr Real kMax = std::numeric_limits<Real>::max();
  constexpr Real kTopUlp = std::numeric_limits<Real>::epsilon() *
                           (kMax / (Real(2) - std::numeric_limits<Real>::epsilon()));

  // Infinity counts as the number that would follow the largest one.
  const bool exact_overflows = !is_finite(static_cast<Real>(size));
  if (exact_overflows || !is_finite(result)) {
    if (exact_overflows && signed_result > Wide(kMax)) {
      return 0.0;
    }
    const Wide finite = exact_overflows ? signed_result : size;
    return signed_result < Wide(0)
               ? kHopeless
               : 1.0 + static_cast<double>((Wide(kMax) - finite) / Wide(kTopUlp));
  }

  // Rounding the exact value up may have entered the next binade: step back to its own.
  auto bits = to_bits(static_cast<Real>(size));
  bits -= static_cast<Wide>(from_bits<Real>(bits)) > size ? 1U : 0U;
  const auto field = bits >> Bits::kFractionBits;
  const auto exponent = static_cast<IntOf<Real>>(field != 0U ? field - 1U : 0U);
  // 2^exponent times the smallest subnormal, in two factors: the field alone exceeds the bias.
  const IntOf<Real> half = exponent >> 1;
  const Wide ulp = Wide(std::numeric_limits<Real>::denorm_min()) * Wide(power_of_two<Real>(half)) *
                   Wide(power_of_two<Real>(exponent - half));
  const Wide distance = signed_result < size ? size - signed_result : signed_result - size;
  return static_cast<double>(distance / ulp);
}

}  // namespace taut::math::test
