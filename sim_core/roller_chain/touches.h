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

template <typename Real, typename Force>
[[nodiscard]] math::Vector2<Force> velocity(const Rates<Real, Force>& rate, std::size_t roller) {
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

// A roller against the line of a strand.
template <typename Real>
struct BesideStrand {
  Real along_m;  // from where the strand begins
  Real off_m;    // to the left of travel
};

template <typename Real>
[[nodiscard]] inline BesideStrand<Real> beside_strand(const StrandLine<Real>& line,
                                                      const Configuration<Real>& at,
                                                      std::size_t roller) {
  const Real x_m = at.x_m[roller] - line.begin_x_m;
  const Real y_m = at.y_m[roller] - line.begin_y_m;
  return {line.along_x * x_m + line.along_y * y_m, line.along_x * y_m - line.along_y * x_m};
}

// How a link lies along the line of a strand.
struct OnStrand {
  bool inside;         // between the points where wraps end
  bool across_middle;  // the strand's middle is on this link
};

template <typename Real>
[[nodiscard]] inline OnStrand on_strand(const StrandLine<Real>& line, Real pitch_m,
                                        const BesideStrand<Real>& from,
                                        const BesideStrand<Real>& to) {
  // Elsewhere on the loop the chain may pass over the same part of the line, far off it.
  const bool near = math::magnitude(from.off_m + to.off_m) < Real(4) * pitch_m;
  const bool with_travel = near && to.along_m > from.along_m;
  const Real middle_m = Real(0.5) * line.length_m;
  return {.inside = with_travel && from.along_m >= Real(0) && to.along_m <= line.length_m,
          .across_middle = with_travel && from.along_m <= middle_m && middle_m < to.along_m};
}

// Of the middle of a strand, on the link that lies across it.
template <typename Real>
[[nodiscard]] Real middle_off_m(const StrandLine<Real>& line, const BesideStrand<Real>& from,
                                const BesideStrand<Real>& to) {
  const Real share = (Real(0.5) * line.length_m - from.along_m) / (to.along_m - from.along_m);
  return from.off_m + share * (to.off_m - from.off_m);
}

template <typename Real, typename Force>
[[nodiscard]] bool is_inside(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                             std::size_t strand, std::size_t link) {
  const StrandLine<Real>& line = model.strand[strand];
  return on_strand(line, model.pitch_m, beside_strand(line, at, roller_before(model, link)),
                   beside_strand(line, at, link))
      .inside;
}

}  // namespace taut::roller_chain
