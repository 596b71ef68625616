// A roller in the gap between two teeth: ASA B29.1 type II (Pedersen 3.5.6, appendix C) or circular
// (3.5.5), made by make_tooth_gap.h. Not for choosing the gap: the roller must be handed to the gap
// whose two tooth centre lines it is between; on such a line both neighbours agree.
#pragma once

#include <cstdint>

#include "sim_core/contact/make_tooth_gap.h"
#include "sim_core/contact/touch.h"
#include "sim_core/math/float_bits.h"

namespace taut::contact {

// Pedersen's numbers 1..7 along the profile (figure C.2); Ccw: the side of x > 0.
enum class ToothArea : std::uint8_t {
  kOutside = 0,
  kToppingCw = 1,
  kStraightCw = 2,
  kWorkingCw = 3,
  kSeating = 4,
  kWorkingCcw = 5,
  kStraightCcw = 6,
  kToppingCcw = 7,
  kTip = 8,  // edge on which the topping arcs of both flanks end; rim of a circular gap
};

namespace detail {

// x >= 0. Borders are the normals on which neighbouring arcs have both their centres, so that
// value and normal pass them without a jump at any depth. The area is chosen first, then the one
// arc computed.
template <typename Real>
[[nodiscard]] Touch<Real> touch_real(const ToothGap<Real>& gap, Real x, Real y) {
  const Real from_c_x = x - gap.working_x_m;
  const Real from_c_y = y - gap.working_y_m;
  const Real from_b_x = x - gap.topping_x_m;
  const Real from_b_y = y - gap.topping_y_m;
  const Real up_the_flank_m = gap.flank_x * from_c_x + gap.flank_y * from_c_y;
  const bool seating = gap.working_from_x * x + gap.working_from_y * y < 0;
  const bool hollow = seating | (up_the_flank_m < 0);
  const bool straight = !hollow & (up_the_flank_m <= gap.straight_length_m);
  const bool before_tip = gap.topping_until_x * from_b_y - gap.topping_until_y * from_b_x >= 0;
  // Beyond the tooth's centre line the roller is the neighbour's. A NaN ends here as well.
  const bool between_the_teeth = gap.chord_x * x + gap.chord_y * y <= gap.half_pitch_m;

  const Real hollow_x = seating ? x : from_c_x;
  const Real hollow_y = seating ? y : from_c_y;
  const Real hollow_m = seating ? gap.seat_clearance_m : gap.working_clearance_m;
  const ToothArea hollow_area = seating ? ToothArea::kSeating : ToothArea::kWorkingCcw;
  const Real round_x = before_tip ? from_b_x : x - gap.tip_x_m;
  const Real round_y = before_tip ? from_b_y : y - gap.tip_y_m;
  const Real round_m = before_tip ? gap.topping_reach_m : gap.roller_radius_m;
  const ToothArea round_area = before_tip ? ToothArea::kToppingCcw : ToothArea::kTip;
  const Touch<Real> arc = touch_arc(hollow ? hollow_x : round_x, hollow ? hollow_y : round_y,
                                    hollow ? hollow_m : round_m, hollow ? Real(1) : Real(-1),
                                    hollow ? hollow_area : round_area);

  const Real into_tooth_m = gap.flank_y * from_c_x - gap.flank_x * from_c_y;
  const Real indentation_m = straight ? into_tooth_m - gap.working_clearance_m : arc.indentation_m;
  const auto area = straight ? static_cast<std::uint8_t>(ToothArea::kStraightCcw) : arc.area;
  return {between_the_teeth ? indentation_m : -gap.roller_radius_m,
          straight ? -gap.flank_y : arc.normal_x, straight ? gap.flank_x : arc.normal_y,
          straight ? Real(0) : arc.curvature_1_m,
          between_the_teeth ? area : static_cast<std::uint8_t>(ToothArea::kOutside)};
}

// x >= 0. The lower half of a circle and its rim: above it the roller rolls off over the rim
// instead of being held back. A roller whose centre is inside the metal is not of this gap.
template <typename Real>
[[nodiscard]] Touch<Real> touch_circular(const ToothGap<Real>& gap, Real x, Real y) {
  const Real above_m = y - gap.seat_clearance_m;
  const bool seating = above_m <= 0;
  Touch<Real> found =
      touch_arc(seating ? x : x - gap.tip_x_m, seating ? above_m : y - gap.tip_y_m,
                seating ? gap.seat_clearance_m : gap.roller_radius_m, seating ? Real(1) : Real(-1),
                seating ? ToothArea::kSeating : ToothArea::kTip);
  const bool in_gap = (x <= gap.tip_x_m) & (found.indentation_m <= gap.roller_radius_m);
  found.indentation_m = in_gap ? found.indentation_m : -gap.roller_radius_m;
  found.area = in_gap ? found.area : static_cast<std::uint8_t>(ToothArea::kOutside);
  return found;
}

[[nodiscard]] constexpr std::uint8_t mirrored(std::uint8_t area) {
  constexpr auto kTip = static_cast<std::uint8_t>(ToothArea::kTip);
  const bool has_side = area > 0 && area < kTip;
  return has_side ? static_cast<std::uint8_t>(kTip - area) : area;
}

}  // namespace detail

// Frame of the gap: origin at the seat on the pitch circle, x along that circle counter-clockwise,
// y radially out (a left-handed pair; the gap is its own mirror image and does not notice).
// Computed on the side of x >= 0 and mirrored, so that both flanks agree to the last bit.
template <typename Real>
[[nodiscard]] Touch<Real> touch(const ToothGap<Real>& gap, Real x, Real y) {
  const bool mirror = x < 0;
  const Real away = math::magnitude(x);
  Touch<Real> found = gap.form == ToothForm::kReal ? detail::touch_real(gap, away, y)
                                                   : detail::touch_circular(gap, away, y);
  found.normal_x = math::flip_sign(found.normal_x, math::sign_bit(x));
  found.area = mirror ? detail::mirrored(found.area) : found.area;
  return found;
}

template <typename Real>
[[nodiscard]] Touch<Real> touch(const ToothGap<Real>& gap,
                                const math::Vector2<Real>& in_gap_frame) {
  return touch(gap, in_gap_frame.x(), in_gap_frame.y());
}

}  // namespace taut::contact
