// Eigen as Taut uses it: fixed sizes, scalar code with the same bits everywhere,
// no heap, our own assert. Include this, never Eigen itself.
#pragma once

#include "sim_core/assert.h"

#if defined(EIGEN_CORE_H) || defined(EIGEN_CORE_MODULE_H)
#error "include sim_core/math/linear_algebra.h instead of Eigen"
#endif
#define EIGEN_DONT_VECTORIZE
#ifndef TAUT_HOST_ONLY  // a definition of the target sim_core_host
#define EIGEN_NO_MALLOC
#endif
#define eigen_assert(condition) TAUT_ASSERT(condition, 0)

#include <Eigen/Core>

namespace taut::math {

template <typename Real>
using Vector2 = Eigen::Matrix<Real, 2, 1>;

// A quarter turn counter-clockwise: hat(a) = (-a_y, a_x).
template <typename Real>
[[nodiscard]] Vector2<Real> hat(const Vector2<Real>& a) {
  return {-a.y(), a.x()};
}

}  // namespace taut::math
