// The constants of a tooth gap from teeth, roller and pitch: ASA B29.1 type II after Pedersen C.1
// to C.9 with B = 18 deg - 56 deg/teeth and b below the seat (only so arcs and straight are
// tangent), or circular after 3.55. Set-up only; tooth_gap.h uses the result.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/assert.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"

namespace taut::contact {

enum class ToothForm : std::uint8_t { kReal, kCircular };

// The side of x >= 0; the other is its mirror image. Letters are those of Pedersen figure C.3.
// Clearance and reach: radius of the circle of the centre of a roller that just touches.
// A circular gap uses seat_clearance_m, tip, roller_radius_m and form only.
template <typename Real>
struct ToothGap {
  Real roller_radius_m;
  Real seat_clearance_m;  // R_t - R_r; centre a = (0, 0), of a circular gap (0, clearance)
  Real working_from_x;    // unit, perpendicular to the border of seating and working arc
  Real working_from_y;
  Real working_x_m;  // c
  Real working_y_m;
  Real working_clearance_m;  // R_E - R_r
  Real flank_x;              // unit, up the straight portion
  Real flank_y;
  Real straight_length_m;
  Real topping_x_m;  // b
  Real topping_y_m;
  Real topping_reach_m;  // R_F + R_r
  Real topping_until_x;  // unit, from b to the tip
  Real topping_until_y;
  Real tip_x_m;  // f
  Real tip_y_m;
  Real chord_x;  // unit, from this seat to the next
  Real chord_y;
  Real half_pitch_m;  // along the chord, to the tooth's centre line
  ToothForm form;
};
static_assert(std::is_trivially_copyable_v<ToothGap<double>>);

// The pitch only places the tip and the tooth's centre line; 0 stands for 8/5 of the roller's
// diameter, from which real chains differ by 3 %. Below 6 teeth the straight portion vanishes.
template <typename Real>
[[nodiscard]] ToothGap<Real> make_real_gap(int teeth, double roller_radius_m, double pitch_m = 0) {
  constexpr double kDegree = math::kPi<double> / 180;
  constexpr double kPitchPerDiameter = 1.6;
  constexpr double kSeatAllowance_m = 0.5 * 7.62e-5;  // 0.003 in on the diameter
  constexpr int kFewestTeeth = 6;
  TAUT_ASSERT(teeth >= kFewestTeeth, teeth);
  TAUT_ASSERT(roller_radius_m > 0, roller_radius_m);

  const double diameter_m = 2 * roller_radius_m;
  const double half_pitch_m = 0.5 * (pitch_m > 0 ? pitch_m : kPitchPerDiameter * diameter_m);
  const auto a = math::sincos((35 + 60.0 / teeth) * kDegree);
  const auto b = math::sincos((18 - 56.0 / teeth) * kDegree);
  const auto c = math::sincos((17 - 64.0 / teeth) * kDegree);
  const auto half = math::sincos(180.0 / teeth * kDegree);          // of the pitch angle
  const auto flank = math::sincos((17 + 116.0 / teeth) * kDegree);  // A - B

  const double seat_radius_m = 0.5025 * diameter_m + kSeatAllowance_m;
  const double working_radius_m = 1.3025 * diameter_m + kSeatAllowance_m;
  const double topping_radius_m =
      diameter_m * (0.8 * b.cos + 1.24 * c.cos - 1.3025) - kSeatAllowance_m;
  const double to_c_m = 0.8 * diameter_m;
  const double to_b_m = 1.24 * diameter_m;

  // Seen from b, the tip is this far back along the chord and up the tooth's centre line (H).
  const double back_m = to_b_m - half_pitch_m;
  TAUT_ASSERT(back_m > 0 && back_m < topping_radius_m, pitch_m);
  const double up_m = math::sqrt(topping_radius_m * topping_radius_m - back_m * back_m);
  const double to_tip_x_m = up_m * half.sin - back_m * half.cos;
  const double to_tip_y_m = up_m * half.cos + back_m * half.sin;

  return {.roller_radius_m = static_cast<Real>(roller_radius_m),
          .seat_clearance_m = static_cast<Real>(seat_radius_m - roller_radius_m),
          .working_from_x = static_cast<Real>(a.sin),
          .working_from_y = static_cast<Real>(a.cos),
          .working_x_m = static_cast<Real>(-to_c_m * a.cos),
          .working_y_m = static_cast<Real>(to_c_m * a.sin),
          .working_clearance_m = static_cast<Real>(working_radius_m - roller_radius_m),
          .flank_x = static_cast<Real>(flank.sin),
          .flank_y = static_cast<Real>(flank.cos),
          .straight_length_m = static_cast<Real>(to_b_m * c.sin - to_c_m * b.sin),
          .topping_x_m = static_cast<Real>(to_b_m * half.cos),
          .topping_y_m = static_cast<Real>(-to_b_m * half.sin),
          .topping_reach_m = static_cast<Real>(topping_radius_m + roller_radius_m),
          .topping_until_x = static_cast<Real>(to_tip_x_m / topping_radius_m),
          .topping_until_y = static_cast<Real>(to_tip_y_m / topping_radius_m),
          .tip_x_m = static_cast<Real>(to_b_m * half.cos + to_tip_x_m),
          .tip_y_m = static_cast<Real>(-to_b_m * half.sin + to_tip_y_m),
          .chord_x = static_cast<Real>(half.cos),
          .chord_y = static_cast<Real>(-half.sin),
          .half_pitch_m = static_cast<Real>(half_pitch_m),
          .form = ToothForm::kReal};
}

// clearance_m: radius of the gap less that of the roller.
template <typename Real>
[[nodiscard]] ToothGap<Real> make_circular_gap(double roller_radius_m, double clearance_m) {
  TAUT_ASSERT(roller_radius_m > 0, roller_radius_m);
  TAUT_ASSERT(clearance_m >= 0, clearance_m);
  ToothGap<Real> gap{};
  gap.roller_radius_m = static_cast<Real>(roller_radius_m);
  gap.seat_clearance_m = static_cast<Real>(clearance_m);
  gap.tip_x_m = static_cast<Real>(roller_radius_m + clearance_m);
  gap.tip_y_m = static_cast<Real>(clearance_m);
  gap.form = ToothForm::kCircular;
  return gap;
}

// A roller with y > h + 2|x| touches no tooth; this is h. Where rollers just touch, y - 2|x| is
// largest at an end of the convex part, seat to straight, or on the arcs about b and the tip, which
// reach no further above the values of their centres than sqrt(5) radii.
template <typename Real>
[[nodiscard]] Real clear_height_m(const ToothGap<Real>& gap) {
  constexpr Real kSteepest = Real(2.2360680);
  const Real seat_m = kSteepest * gap.seat_clearance_m;
  const Real tip_m = gap.tip_y_m - 2 * gap.tip_x_m + kSteepest * gap.roller_radius_m;
  const Real round_m = gap.form == ToothForm::kReal
                           ? gap.topping_y_m - 2 * gap.topping_x_m + kSteepest * gap.topping_reach_m
                           : tip_m;
  const Real flank_m = tip_m > round_m ? tip_m : round_m;
  return seat_m > flank_m ? seat_m : flank_m;
}

}  // namespace taut::contact
