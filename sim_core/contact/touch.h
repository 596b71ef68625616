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
  Real indentation_m;          // > 0: overlap; <= 0: gap, true near the surface only
  math::Vector2<Real> normal;  // unit, of the force on the roller: -(gradient of the indentation)
  Real curvature_1_m;          // Hessian of the indentation = curvature t t^T, t the tangent
  std::uint8_t area;           // of the surface, an enum of its own each; 0 is always "outside"
};

// A roller that is none of this surface's: no force, whatever the law.
template <typename Real>
[[nodiscard]] Touch<Real> no_touch(Real gap_m) {
  return {-gap_m, {Real(0), Real(1)}, Real(0), 0};
}

// sign +1: hollow arc with the roller inside, -1: round with the roller outside. `radius_m` is of
// the circle on which the centre of a roller moves that just touches.
template <typename Real, typename Area>
[[nodiscard]] Touch<Real> touch_arc(const math::Vector2<Real>& from_centre_m, Real radius_m,
                                    Real sign, Area area) {
  // At the arc's centre, and where a square overflows, there is no direction; it is then taken as
  // radially out, for the normal must stay a finite unit vector whatever comes in.
  constexpr Real kNearest_m = Real(1e-9);
  constexpr Real kFarthest_m = Real(1e9);
  const Real distance_m = math::sqrt(from_centre_m.squaredNorm());
  const bool has_direction = distance_m > kNearest_m && distance_m < kFarthest_m;
  const Real curvature_1_m = has_direction ? sign / distance_m : Real(0);
  const math::Vector2<Real> up(Real(0), Real(1));
  const math::Vector2<Real> normal = -curvature_1_m * from_centre_m;
  return {sign * (distance_m - radius_m), has_direction ? normal : up, curvature_1_m,
          static_cast<std::uint8_t>(area)};
}

template <typename Real, typename Area>
[[nodiscard]] Touch<Real> touch_hollow(const math::Vector2<Real>& from_centre_m, Real radius_m,
                                       Area area) {
  return touch_arc(from_centre_m, radius_m, Real(1), area);
}

template <typename Real, typename Area>
[[nodiscard]] Touch<Real> touch_round(const math::Vector2<Real>& from_centre_m, Real radius_m,
                                      Area area) {
  return touch_arc(from_centre_m, radius_m, Real(-1), area);
}

}  // namespace taut::contact
