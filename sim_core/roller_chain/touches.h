// Where rollers and links are against each other, teeth and bars: the geometry that
// forces, stiffness and reports share, so that each formula stands once.
#pragma once

#include <cstddef>

#include "sim_core/contact/touch.h"
#include "sim_core/math/atan.h"
#include "sim_core/math/linear_algebra.h"
#include "sim_core/math/round.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/roller_chain/configuration.h"
#include "sim_core/roller_chain/roller_model.h"

namespace taut::roller_chain {

template <typename Real>
[[nodiscard]] math::Vector2<Real> position(const Configuration<Real>& at, std::size_t roller) {
  return {at.x_m[roller], at.y_m[roller]};
}

template <typename Real>
struct LinkState {
  std::size_t from, to;       // rollers
  math::Vector2<Real> along;  // unit, from -> to
  Real length_m;
  Real force_N;  // elastic, positive in tension (Pedersen 3.7)
};

template <typename Real>
[[nodiscard]] LinkState<Real> link_state(const RollerModel<Real>& model,
                                         const Configuration<Real>& at, std::size_t link) {
  const std::size_t from = link == 0 ? model.links - 1 : link - 1;
  const math::Vector2<Real> span_m = position(at, link) - position(at, from);
  const Real length_m = math::sqrt(span_m.squaredNorm());
  return {.from = from,
          .to = link,
          .along = span_m / length_m,
          .length_m = length_m,
          .force_N = model.link_stiffness_N_m * (length_m - model.pitch_m)};
}

// Moves with the arm where the sprocket hangs on it.
template <typename Real>
[[nodiscard]] math::Vector2<Real> centre(const RollerModel<Real>& model,
                                         const Configuration<Real>& at, std::size_t sprocket) {
  if (sprocket == model.arm_sprocket) {
    return math::Vector2<Real>(model.arm.hinge_x_m, model.arm.hinge_y_m) +
           tightener::axle(model.arm, at.arm_angle_rad);
  }
  return {model.sprocket[sprocket].centre_x_m, model.sprocket[sprocket].centre_y_m};
}

// A roller in the gap between two teeth, in global axes.
template <typename Real>
struct SeatTouch {
  bool touching;
  math::Vector2<Real> from_centre_m;  // sprocket's centre to roller
  contact::Touch<Real> touch;
};

template <typename Real>
[[nodiscard]] SeatTouch<Real> seat_touch(const RollerModel<Real>& model,
                                         const Configuration<Real>& at, std::size_t sprocket,
                                         const math::Vector2<Real>& centre_m, std::size_t roller) {
  const SprocketConstants<Real>& constants = model.sprocket[sprocket];
  SeatTouch<Real> found{};
  found.from_centre_m = position(at, roller) - centre_m;
  if (found.from_centre_m.squaredNorm() > constants.reach_m2) {
    return found;
  }
  const Real angle_rad = math::atan2(found.from_centre_m.y(), found.from_centre_m.x());
  const Real gaps = (angle_rad - at.angle_rad[sprocket]) * constants.pitch_angle_inverse_1_rad;
  const Real gap_angle_rad = at.angle_rad[sprocket] + math::round(gaps) * constants.pitch_angle_rad;
  const auto turn = math::sincos(gap_angle_rad);
  const math::Vector2<Real> radial(turn.cos, turn.sin);
  const math::Vector2<Real> tangential(-turn.sin, turn.cos);
  const math::Vector2<Real> in_gap(tangential.dot(found.from_centre_m),
                                   radial.dot(found.from_centre_m) - constants.pitch_radius_m);
  found.touch = contact::touch(constants.gap, in_gap);
  found.touching = found.touch.indentation_m > 0;
  const math::Vector2<Real> in_gap_normal = found.touch.normal;
  found.touch.normal = in_gap_normal.x() * tangential + in_gap_normal.y() * radial;
  return found;
}

}  // namespace taut::roller_chain
