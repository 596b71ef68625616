// Where rollers and links are against each other, teeth and strands, one at a time: for
// stiffness, reports and set-up. A step goes over whole arrays (links.h, contacts.h); that both
// mean the same is tested by the slope of the potential.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim_core/contact/touch.h"
#include "sim_core/math/atan.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/linear_algebra.h"
#include "sim_core/math/round.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/roller_chain/roller_model.h"
#include "sim_core/roller_chain/roller_state.h"

namespace taut::roller_chain {

template <typename Real>
[[nodiscard]] math::Vector2<Real> position(const Configuration<Real>& at, std::size_t roller) {
  return {at.x_m[roller], at.y_m[roller]};
}

template <typename Real>
[[nodiscard]] math::Vector2<Real> velocity(const Rates<Real>& rate, std::size_t roller) {
  return {rate.x_m_s[roller], rate.y_m_s[roller]};
}

// Link i runs from roller_before(i) to roller i.
template <typename Model>
[[nodiscard]] std::size_t roller_before(const Model& model, std::size_t link) {
  return link == 0 ? model.links - 1 : link - 1;
}

template <typename Model>
[[nodiscard]] std::size_t roller_after(const Model& model, std::size_t roller) {
  return roller + 1 == model.links ? 0 : roller + 1;
}

template <typename Real>
struct LinkSpan {
  math::Vector2<Real> along;  // unit
  Real length_m;
};

template <typename Real>
[[nodiscard]] LinkSpan<Real> link_span(const Configuration<Real>& at, std::size_t from,
                                       std::size_t to) {
  const math::Vector2<Real> span_m = position(at, to) - position(at, from);
  const Real length_m = math::sqrt(span_m.squaredNorm());
  return {span_m / length_m, length_m};
}

// Pedersen 3.7 without its damper; positive in tension.
template <typename Real, typename Force>
[[nodiscard]] Force elastic_tension_N(const RollerModel<Real, Force>& model, std::size_t link,
                                      Real length_m) {
  return model.link_stiffness_N_m[link] * static_cast<Force>(length_m - model.link_length_m[link]);
}

// Moves with the arm where the sprocket hangs on it, and by itself where its support yields. A step
// knows all centres: compute_centres().
template <typename Real, typename Force>
[[nodiscard]] math::Vector2<Real> centre(const RollerModel<Real, Force>& model,
                                         const Configuration<Real>& at, std::size_t sprocket) {
  if (sprocket == model.arm_sprocket) {
    return math::Vector2<Real>(model.arm.hinge_x_m, model.arm.hinge_y_m) +
           tightener::axle(model.arm, at.arm_angle_rad);
  }
  return {model.sprocket[sprocket].centre_x_m + at.offset_x_m[sprocket],
          model.sprocket[sprocket].centre_y_m + at.offset_y_m[sprocket]};
}

// A roller in the gap between two teeth, in global axes.
template <typename Real>
struct SeatTouch {
  bool touching;
  math::Vector2<Real> from_centre_m;  // sprocket's centre to roller
  contact::Touch<Real> touch;
};

// Gaps from the sprocket's angle to the nearest one, 0 .. teeth - 1: a turn more or less of
// either angle does not change it. `gaps` must be below two turns in size.
template <typename Real>
[[nodiscard]] std::uint16_t gap_number(Real gaps, int teeth) {
  const int counted = static_cast<int>(gaps);
  const int positive = counted + 2 * teeth;
  return static_cast<std::uint16_t>(positive % teeth);
}

// Most rollers are far from a sprocket: asked first. A NaN is nowhere near.
template <typename Real, typename Force>
[[nodiscard]] bool in_reach(const SprocketConstants<Real, Force>& constants,
                            const math::Vector2<Real>& from_centre_m) {
  return from_centre_m.squaredNorm() <= constants.reach_m2;
}

// The gap that a roller within reach is nearest to.
template <typename Real, typename Force>
[[nodiscard]] std::uint16_t nearest_gap(const SprocketConstants<Real, Force>& constants,
                                        Real sprocket_rad,
                                        const math::Vector2<Real>& from_centre_m) {
  const Real angle_rad = math::atan2(from_centre_m.y(), from_centre_m.x());
  const Real gaps = math::round((angle_rad - sprocket_rad) * constants.pitch_angle_inverse_1_rad);
  const bool within_two_turns = math::magnitude(gaps) < static_cast<Real>(2 * constants.teeth);
  return within_two_turns ? gap_number(gaps, constants.teeth) : std::uint16_t{0};
}

template <typename Real>
[[nodiscard]] SeatTouch<Real> seat_touch(const RollerModel<Real>& model,
                                         const Configuration<Real>& at, std::size_t sprocket,
                                         const math::Vector2<Real>& from_centre_m) {
  const SprocketConstants<Real, Real>& constants = model.sprocket[sprocket];
  SeatTouch<Real> found{};
  found.from_centre_m = from_centre_m;
  const std::uint16_t gap = nearest_gap(constants, at.angle_rad[sprocket], from_centre_m);
  const auto turn = math::sincos(at.angle_rad[sprocket]);
  const Real x_m = constants.seat_x_m[gap];
  const Real y_m = constants.seat_y_m[gap];
  const math::Vector2<Real> seat_m(turn.cos * x_m - turn.sin * y_m,
                                   turn.sin * x_m + turn.cos * y_m);
  const math::Vector2<Real> radial = seat_m * constants.pitch_radius_inverse_1_m;
  const math::Vector2<Real> tangential = math::hat(radial);
  const math::Vector2<Real> from_seat_m = from_centre_m - seat_m;
  found.touch = contact::touch(constants.gap, tangential.dot(from_seat_m), radial.dot(from_seat_m));
  found.touching = found.touch.indentation_m > 0;
  const math::Vector2<Real> normal =
      found.touch.normal_x * tangential + found.touch.normal_y * radial;
  found.touch.normal_x = normal.x();
  found.touch.normal_y = normal.y();
  return found;
}

// How a link lies along the line of a strand.
template <typename Real>
struct OnStrand {
  bool inside;         // between the points where wraps end
  bool across_middle;  // the strand's middle is on this link
  Real middle_off_m;   // of that point to the left of travel, of use where across_middle
};

template <typename Real, typename Force>
[[nodiscard]] OnStrand<Real> on_strand(const RollerModel<Real, Force>& model,
                                       const Configuration<Real>& at, std::size_t strand,
                                       std::size_t link) {
  using Vector = math::Vector2<Real>;
  const StrandLine<Real>& line = model.strand[strand];
  const Vector begin_m(line.begin_x_m, line.begin_y_m);
  const Vector along(line.along_x, line.along_y);
  const Vector from_m = position(at, roller_before(model, link)) - begin_m;
  const Vector to_m = position(at, link) - begin_m;
  const Real from_along_m = along.dot(from_m);
  const Real to_along_m = along.dot(to_m);
  const Real from_off_m = math::hat(along).dot(from_m);
  const Real to_off_m = math::hat(along).dot(to_m);
  // Elsewhere on the loop the chain may pass over the same part of the line, far off it.
  const bool near = math::magnitude(from_off_m + to_off_m) < Real(4) * model.pitch_m;
  const bool with_travel = to_along_m > from_along_m;
  const Real middle_m = Real(0.5) * line.length_m;
  const bool across = from_along_m <= middle_m && middle_m < to_along_m;
  OnStrand<Real> found{};
  found.inside = near && with_travel && from_along_m >= Real(0) && to_along_m <= line.length_m;
  found.across_middle = near && with_travel && across;
  if (found.across_middle) {
    const Real share = (middle_m - from_along_m) / (to_along_m - from_along_m);
    found.middle_off_m = from_off_m + share * (to_off_m - from_off_m);
  }
  return found;
}

}  // namespace taut::roller_chain
