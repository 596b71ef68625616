// A guide-bar against a roller's centre: a flat with rounded ends (Pedersen 3.8.2, appendix D with
// t_g from the first point to the second), pressed into the strand and turned about its middle.
// One-sided and at rest. Not for choosing rollers: any position is safe to ask for.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/assert.h"
#include "sim_core/contact/touch.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/linear_algebra.h"
#include "sim_core/math/sin_cos.h"

namespace taut::contact {

// Pedersen's numbers; first and last along the direction the bar was made with.
enum class GuideArea : std::uint8_t { kOutside = 0, kFirstEnd = 1, kFlat = 2, kLastEnd = 3 };

template <typename Real>
struct GuideBar {
  Real middle_x_m;  // of the flat, where centres of rollers that just touch it lie
  Real middle_y_m;
  Real along_x;  // unit
  Real along_y;
  Real normal_x;  // unit, out of the bar: it pushes rollers this way
  Real normal_y;
  Real half_flat_m;
  Real half_length_m;  // flat and end
  Real end_radius_m;   // also how thick the bar is: a roller further down is behind it
};
static_assert(std::is_trivially_copyable_v<GuideBar<double>>);

// direction: unit, of the strand. push_normal: unit, perpendicular to it, away from the bar.
// rotation_rad: counter-clockwise. A roller centre on the tangent line is indentation_m deep.
template <typename Real>
[[nodiscard]] GuideBar<Real> make_guide_bar(const math::Vector2<double>& middle_on_tangent_m,
                                            const math::Vector2<double>& direction,
                                            const math::Vector2<double>& push_normal,
                                            double flat_length_m, double end_length_m,
                                            double end_radius_m, double indentation_m,
                                            double rotation_rad) {
  constexpr double kUnit = 1e-6;
  TAUT_ASSERT(math::magnitude(direction.squaredNorm() - 1) < kUnit, direction.squaredNorm());
  TAUT_ASSERT(math::magnitude(push_normal.squaredNorm() - 1) < kUnit, push_normal.squaredNorm());
  TAUT_ASSERT(math::magnitude(direction.dot(push_normal)) < kUnit, direction.dot(push_normal));
  TAUT_ASSERT(flat_length_m >= 0 && end_length_m >= 0, flat_length_m);
  TAUT_ASSERT(end_radius_m > 0 && end_radius_m >= end_length_m, end_radius_m);
  TAUT_ASSERT(indentation_m < end_radius_m, indentation_m);

  const math::Vector2<double> middle_m = middle_on_tangent_m + indentation_m * push_normal;
  const auto turn = math::sincos(rotation_rad);
  return {.middle_x_m = static_cast<Real>(middle_m.x()),
          .middle_y_m = static_cast<Real>(middle_m.y()),
          .along_x = static_cast<Real>(turn.cos * direction.x() - turn.sin * direction.y()),
          .along_y = static_cast<Real>(turn.sin * direction.x() + turn.cos * direction.y()),
          .normal_x = static_cast<Real>(turn.cos * push_normal.x() - turn.sin * push_normal.y()),
          .normal_y = static_cast<Real>(turn.sin * push_normal.x() + turn.cos * push_normal.y()),
          .half_flat_m = static_cast<Real>(0.5 * flat_length_m),
          .half_length_m = static_cast<Real>(0.5 * flat_length_m + end_length_m),
          .end_radius_m = static_cast<Real>(end_radius_m)};
}

// The form of a bar without its place: small numbers, for which a float will do.
template <typename Real>
struct GuideProfile {
  Real half_flat_m;
  Real half_length_m;
  Real end_radius_m;
};

template <typename Real, typename From>
[[nodiscard]] GuideProfile<Real> profile_of(const GuideBar<From>& bar) {
  return {static_cast<Real>(bar.half_flat_m), static_cast<Real>(bar.half_length_m),
          static_cast<Real>(bar.end_radius_m)};
}

// In the bar's frame: x along it, y out of it, from the flat's middle. Beyond the ends (Pedersen
// 3.89, 3.92) and behind the line of the arcs' centres there is no contact.
template <typename Real>
[[nodiscard]] Touch<Real> touch_in_frame(const GuideProfile<Real>& bar, Real along_m,
                                         Real height_m) {
  const Real above_centres_m = height_m + bar.end_radius_m;
  const Real beyond_flat_m = math::magnitude(along_m) - bar.half_flat_m;
  const bool at_bar = (math::magnitude(along_m) <= bar.half_length_m) & (above_centres_m > 0);
  const bool flat = beyond_flat_m <= 0;
  const bool first = along_m < 0;
  const GuideArea end_area = first ? GuideArea::kFirstEnd : GuideArea::kLastEnd;
  const Touch<Real> end =
      touch_arc(beyond_flat_m, above_centres_m, bar.end_radius_m, Real(-1), end_area);
  const Real outward = first ? -end.normal_x : end.normal_x;
  const Real indentation_m = flat ? -height_m : end.indentation_m;
  const GuideArea area = flat ? GuideArea::kFlat : end_area;
  return {at_bar ? indentation_m : -bar.end_radius_m, flat ? Real(0) : outward,
          flat ? Real(1) : end.normal_y, flat ? Real(0) : end.curvature_1_m,
          static_cast<std::uint8_t>(at_bar ? area : GuideArea::kOutside)};
}

// In the global frame, like the roller's position.
template <typename Real>
[[nodiscard]] Touch<Real> touch(const GuideBar<Real>& bar, const math::Vector2<Real>& roller_m) {
  const Real x_m = roller_m.x() - bar.middle_x_m;
  const Real y_m = roller_m.y() - bar.middle_y_m;
  Touch<Real> found = touch_in_frame(profile_of<Real>(bar), bar.along_x * x_m + bar.along_y * y_m,
                                     bar.normal_x * x_m + bar.normal_y * y_m);
  const math::Vector2<Real> in_frame = found.normal();
  found.normal_x = in_frame.x() * bar.along_x + in_frame.y() * bar.normal_x;
  found.normal_y = in_frame.x() * bar.along_y + in_frame.y() * bar.normal_y;
  return found;
}

}  // namespace taut::contact
