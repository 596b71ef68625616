// Held within limits on both sides of zero; a NaN stays one.
#pragma once

namespace taut::math {

template <typename Real>
[[nodiscard]] constexpr Real clamp(Real value, Real limit) {
  return value > limit ? limit : value < -limit ? -limit : value;
}

}  // namespace taut::math
