// Circle constants in float and double, each the nearest representable value of its own type.
// Written as hexadecimal literals: a float rounded from a double literal may differ in its last
// bit. Not for reducing angles: subtracting a rounded 2 pi loses bits, range_reduction.h does not.
#pragma once

namespace taut::math {

template <typename Real>
inline constexpr Real kPi = Real(0);
template <>
inline constexpr float kPi<float> = 0x1.921fb6p+1F;
template <>
inline constexpr double kPi<double> = 0x1.921fb54442d18p+1;

// Powers of two times pi, hence exact copies of its rounding.
template <typename Real>
inline constexpr Real kTwoPi = Real(2) * kPi<Real>;
template <typename Real>
inline constexpr Real kHalfPi = Real(0.5) * kPi<Real>;
template <typename Real>
inline constexpr Real kQuarterPi = Real(0.25) * kPi<Real>;

}  // namespace taut::math
