// How a roller touches a surface: depth, direction, curvature (Pedersen 3.59, 3.72-3.85), and the
// two arcs all surfaces here are made of. Written for the roller's centre, so that the surface is
// already moved by the roller's radius. Not a force: normal_law.h makes one of it.
#pragma once

#include <cstdint>

#include "sim_core/math/linear_algebra.h"
#include "sim_core/math/sqrt.h"

namespace taut::contact {

template <typename Real>
struct Touch {
  Real indentation_m;       // > 0: overlap; <= 0: gap, true near the surface only
  Real normal_x, normal_y;  // unit, of the force on the roller: -(gradient of the indentation)
  Real curvature_1_m;       // Hessian of the indentation = curvature t t^T, t the tangent
  std::uint8_t area;        // of the surface, an enum of its own each; 0: outside, no direction

  [[nodiscard]] math::Vector2<Real> normal() const { return {normal_x, normal_y}; }
};

// sign +1: hollow arc with the roller inside, -1: round with the roller outside. `radius_m` is of
// the circle on which the centre of a roller moves that just touches.
// Selections instead of branches, here and in the surfaces: loops over rollers vectorise.
template <typename Real, typename Area>
[[nodiscard]] Touch<Real> touch_arc(Real from_centre_x_m, Real from_centre_y_m, Real radius_m,
                                    Real sign, Area area) {
  // At the arc's centre, and where a square overflows, there is no direction; it is then taken as
  // radially out, for the normal must stay a finite unit vector whatever comes in.
  constexpr Real kNearest_m = Real(1e-9);
  constexpr Real kFarthest_m = Real(1e9);
  const Real distance_m =
      math::sqrt(from_centre_x_m * from_centre_x_m + from_centre_y_m * from_centre_y_m);
  const bool has_direction = (distance_m > kNearest_m) & (distance_m < kFarthest_m);
  const Real curvature_1_m = has_direction ? sign / distance_m : Real(0);
  return {sign * (distance_m - radius_m),
          has_direction ? -curvature_1_m * from_centre_x_m : Real(0),
          has_direction ? -curvature_1_m * from_centre_y_m : Real(1), curvature_1_m,
          static_cast<std::uint8_t>(area)};
}

}  // namespace taut::contact
