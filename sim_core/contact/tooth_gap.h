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
// value and normal pass them without a jump at any depth.
template <typename Real>
[[nodiscard]] Touch<Real> touch_real(const ToothGap<Real>& gap, const math::Vector2<Real>& roller) {
  using Vector = math::Vector2<Real>;
  // Beyond the tooth's centre line the roller is the neighbour's. A NaN ends here as well.
  const bool between_the_teeth =
      gap.chord_x * roller.x() + gap.chord_y * roller.y() <= gap.half_pitch_m;
  if (!between_the_teeth) {
    return no_touch(gap.roller_radius_m);
  }
  const bool below_working = gap.working_from_x * roller.x() + gap.working_from_y * roller.y() < 0;
  if (below_working) {
    return touch_hollow(roller, gap.seat_clearance_m, ToothArea::kSeating);
  }
  const Vector from_c(roller.x() - gap.working_x_m, roller.y() - gap.working_y_m);
  const Real up_the_flank_m = gap.flank_x * from_c.x() + gap.flank_y * from_c.y();
  if (up_the_flank_m < 0) {
    return touch_hollow(from_c, gap.working_clearance_m, ToothArea::kWorkingCcw);
  }
  if (up_the_flank_m <= gap.straight_length_m) {
    const Vector into_tooth(gap.flank_y, -gap.flank_x);
    return {into_tooth.dot(from_c) - gap.working_clearance_m, -into_tooth, Real(0),
            static_cast<std::uint8_t>(ToothArea::kStraightCcw)};
  }
  const Vector from_b(roller.x() - gap.topping_x_m, roller.y() - gap.topping_y_m);
  const bool before_tip = gap.topping_until_x * from_b.y() - gap.topping_until_y * from_b.x() >= 0;
  if (before_tip) {
    return touch_round(from_b, gap.topping_reach_m, ToothArea::kToppingCcw);
  }
  const Vector from_tip(roller.x() - gap.tip_x_m, roller.y() - gap.tip_y_m);
  return touch_round(from_tip, gap.roller_radius_m, ToothArea::kTip);
}

// x >= 0. The lower half of a circle and its rim: above it the roller rolls off over the rim
// instead of being held back. A roller whose centre is inside the metal is not of this gap.
template <typename Real>
[[nodiscard]] Touch<Real> touch_circular(const ToothGap<Real>& gap,
                                         const math::Vector2<Real>& roller) {
  using Vector = math::Vector2<Real>;
  const Vector from_centre(roller.x(), roller.y() - gap.seat_clearance_m);
  const Touch<Real> found =
      from_centre.y() <= 0 ? touch_hollow(from_centre, gap.seat_clearance_m, ToothArea::kSeating)
                           : touch_round(Vector(roller.x() - gap.tip_x_m, roller.y() - gap.tip_y_m),
                                         gap.roller_radius_m, ToothArea::kTip);
  const bool in_gap = roller.x() <= gap.tip_x_m && found.indentation_m <= gap.roller_radius_m;
  return in_gap ? found : no_touch(gap.roller_radius_m);
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
[[nodiscard]] Touch<Real> touch(const ToothGap<Real>& gap,
                                const math::Vector2<Real>& roller_in_gap_frame) {
  const bool mirror = roller_in_gap_frame.x() < 0;
  const math::Vector2<Real> roller(math::magnitude(roller_in_gap_frame.x()),
                                   roller_in_gap_frame.y());
  Touch<Real> found = gap.form == ToothForm::kReal ? detail::touch_real(gap, roller)
                                                   : detail::touch_circular(gap, roller);
  found.normal.x() = mirror ? -found.normal.x() : found.normal.x();
  found.area = mirror ? detail::mirrored(found.area) : found.area;
  return found;
}

}  // namespace taut::contact
