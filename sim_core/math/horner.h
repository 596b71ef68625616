// A polynomial c[0] + c[1] z + c[2] z^2 + ... by Horner's scheme, in one fixed order of operations.
// Unrolled by a fold, so that small compilers and -O0 keep the coefficients as literals.
// Not for long series: the error bound of the callers assumes |z| <= 1 and falling coefficients.
#pragma once

#include <cstddef>
#include <utility>

#include "sim_core/math/float_bits.h"

namespace taut::math::detail {

template <BinaryFloat Real, std::size_t N>
[[nodiscard]] constexpr Real horner(Real z, const Real (&c)[N]) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    Real sum = c[N - 1];
    ((sum = sum * z + c[N - 2 - I]), ...);
    return sum;
  }
  (std::make_index_sequence<N - 1>{});
}

}  // namespace taut::math::detail
