// The nearest integer, halves to the even one, as a Real. By adding and taking away a
// number that has no room for fractions; beyond it every Real is an integer already.
#pragma once

#include "sim_core/math/float_bits.h"

namespace taut::math {

template <BinaryFloat Real>
[[nodiscard]] constexpr Real round(Real x) {
  constexpr Real kNoFractions =
      static_cast<Real>(UintOf<Real>{1} << FloatBits<Real>::kFractionBits);
  const Real size = magnitude(x);
  // A NaN fails the comparison and is returned as it is.
  const Real rounded = size < kNoFractions ? (size + kNoFractions) - kNoFractions : size;
  return flip_sign(rounded, sign_bit(x));
}

}  // namespace taut::math
