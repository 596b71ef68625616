// Rollers in tooth gaps: the real profile against the drawing of the standard, continuity, derived
// directions, and the circular profile's closed form.
#include <cmath>
#include <initializer_list>
#include <limits>

#include "unity.h"

#include "sim_core/contact/tooth_gap.h"
#include "tests/unit/contact/asa_profile.h"
#include "tests/unit/math/inputs.h"

namespace {

using namespace taut::contact;
using taut::contact::test::AsaProfile;
using taut::contact::test::Place;
using taut::contact::test::Point;
using taut::math::Vector2;

constexpr bool kHost = sizeof(void*) == 8;

struct Case {
  int teeth;
  double roller_radius_m;
  double pitch_m;
};
// Both engines, Kim and Johnson's No. 40, and the ends of the standard's range.
constexpr Case kCases[] = {
    {9, 3.97e-3, 12.7e-3}, {12, 0.027, 0.0889},    {17, 7.94e-3, 25.4e-3},  {25, 3.97e-3, 12.7e-3},
    {28, 0.027, 0.0889},   {32, 0.036195, 0.1143}, {60, 0.027, 0.0889},     {64, 0.036195, 0.1143},
    {80, 0.027, 0.0889},   {6, 0.027, 0.0889},     {200, 0.036195, 0.1143},
};
// From nearly the seat's clearance to a third of the roller, as parts of its radius.
constexpr double kDepths[] = {-0.004, -0.001, 0, 1e-6, 0.01, 0.03, 0.1, 0.3};

template <typename Real>
ToothGap<Real> gap_of(const Case& c) {
  return make_real_gap<Real>(c.teeth, c.roller_radius_m, c.pitch_m);
}

template <typename Real>
Touch<Real> touch_at(const ToothGap<Real>& gap, Point p) {
  return touch(gap, Vector2<Real>(static_cast<Real>(p.x), static_cast<Real>(p.y)));
}

// Radii and centres as the standard prints them meet: two arcs, straight and tip.
void test_arcs_are_tangent_where_they_meet() {
  constexpr double kRounding_m = 1e-12;
  for (const Case& c : kCases) {
    const auto gap = gap_of<double>(c);
    const double seat_radius_m = gap.seat_clearance_m + c.roller_radius_m;
    const double working_radius_m = gap.working_clearance_m + c.roller_radius_m;
    const double topping_radius_m = gap.topping_reach_m - c.roller_radius_m;
    TEST_ASSERT_DOUBLE_WITHIN(kRounding_m, working_radius_m,
                              seat_radius_m + std::hypot(gap.working_x_m, gap.working_y_m));
    const Point from_c = {gap.topping_x_m - gap.working_x_m, gap.topping_y_m - gap.working_y_m};
    const Point up = {gap.flank_x, gap.flank_y};
    const Point into_tooth = {gap.flank_y, -gap.flank_x};
    TEST_ASSERT_DOUBLE_WITHIN(kRounding_m, working_radius_m + topping_radius_m,
                              dot(from_c, into_tooth));
    TEST_ASSERT_DOUBLE_WITHIN(kRounding_m, gap.straight_length_m, dot(from_c, up));
    TEST_ASSERT_TRUE(gap.straight_length_m > 0);
    const Point tip = {gap.tip_x_m, gap.tip_y_m};
    TEST_ASSERT_DOUBLE_WITHIN(kRounding_m, topping_radius_m,
                              length(tip - Point{gap.topping_x_m, gap.topping_y_m}));
    TEST_ASSERT_DOUBLE_WITHIN(kRounding_m, gap.half_pitch_m,
                              dot(tip, Point{gap.chord_x, gap.chord_y}));
  }
}

// Pedersen's engines: 0.173 mm and 0.219 mm; straight to 0.5 um.
void test_clearance_of_both_engines() {
  TEST_ASSERT_DOUBLE_WITHIN(5e-7, 0.173e-3, make_real_gap<double>(60, 0.027).seat_clearance_m);
  TEST_ASSERT_DOUBLE_WITHIN(5e-7, 0.219e-3, make_real_gap<double>(64, 0.036195).seat_clearance_m);
}

// A roller is put on the drawn curve at a known depth; asked for is the depth, the direction and
// the area. 1e-15 m is a few roundings of 0.1 m; the seat's normal is that over its clearance.
void test_depth_and_normal_follow_the_drawing() {
  constexpr int kParts = kHost ? 200 : 20;
  for (const Case& c : kCases) {
    const auto gap = gap_of<double>(c);
    const AsaProfile profile(c.teeth, c.roller_radius_m, c.pitch_m);
    for (int area = 4; area <= 8; ++area) {
      for (int i = 0; i <= kParts; ++i) {
        const double part = (i + 0.5) / (kParts + 1);
        const Place place = profile.place(area, part);
        for (const double depth : kDepths) {
          const double depth_m = depth * c.roller_radius_m;
          const auto found = touch_at(gap, profile.roller(place, depth_m));
          TEST_ASSERT_DOUBLE_WITHIN(1e-15, depth_m, found.indentation_m);
          TEST_ASSERT_DOUBLE_WITHIN(1e-10, place.to_roller.x, found.normal().x());
          TEST_ASSERT_DOUBLE_WITHIN(1e-10, place.to_roller.y, found.normal().y());
          TEST_ASSERT_EQUAL_INT(area, found.area);
        }
      }
    }
  }
}

// A step of 1 nm along the surface from one area into the next, at every depth and on both sides:
// the depth stays, the normal turns by no more than the step times the sharper curvature.
void test_nothing_jumps_at_a_border() {
  constexpr double kStep_m = 1e-9;
  for (const Case& c : kCases) {
    const auto gap = gap_of<double>(c);
    const AsaProfile profile(c.teeth, c.roller_radius_m, c.pitch_m);
    for (int area = 4; area < 8; ++area) {
      const Place border = profile.place(area, 1);
      const Point along = {-border.to_roller.y, border.to_roller.x};
      for (const double depth : kDepths) {
        for (const double side : {1.0, -1.0}) {
          const Point middle = profile.roller(border, depth * c.roller_radius_m);
          const Point before = middle + 0.5 * kStep_m * along;
          const Point after = middle - 0.5 * kStep_m * along;
          const auto one = touch_at(gap, {side * before.x, before.y});
          const auto other = touch_at(gap, {side * after.x, after.y});
          TEST_ASSERT_TRUE(one.area != other.area);
          TEST_ASSERT_DOUBLE_WITHIN(1e-14, one.indentation_m, other.indentation_m);
          const double sharper =
              std::fmax(std::fabs(one.curvature_1_m), std::fabs(other.curvature_1_m));
          TEST_ASSERT_TRUE((one.normal() - other.normal()).norm() <=
                           1.01 * kStep_m * sharper + 1e-10);
        }
      }
    }
  }
}

// Anywhere between the teeth the indentation is a distance: two points never differ by more than
// they are apart. This covers places no border test thinks of, gaps and the gap's axis included.
void test_indentation_changes_no_faster_than_position() {
  constexpr int kDraws = kHost ? 40'000 : 1'000;
  taut::math::test::Inputs inputs(0x5eed'0101U);
  for (const Case& c : kCases) {
    const auto gap = gap_of<double>(c);
    const double r = c.roller_radius_m;
    for (int i = 0; i < kDraws; ++i) {
      const Point p = {inputs.uniform(-1.5 * r, 1.5 * r), inputs.uniform(-1.0 * r, 2.5 * r)};
      const double reach_m = i % 2 == 0 ? 1e-3 * r : 1e-7 * r;
      const Point q =
          p + Point{inputs.uniform(-reach_m, reach_m), inputs.uniform(-reach_m, reach_m)};
      const auto one = touch_at(gap, p);
      const auto other = touch_at(gap, q);
      if (one.area != 0 && other.area != 0) {
        const double change_m = std::fabs(one.indentation_m - other.indentation_m);
        TEST_ASSERT_TRUE(change_m <= length(p - q) + 1e-15);
      }
    }
  }
}

// Finite differences over +-h = 1e-7 r. Gradient: rounding 1e-16 m / h < 1e-7 and truncation
// (h/clearance)^2 < 1e-8. Normal's turn: rounding 1e-16/h, against curvatures of 1/r and more.
template <typename Gap>
void check_derivatives(const Gap& gap, Point p, double h) {
  const auto here = touch_at(gap, p);
  const auto east = touch_at(gap, p + Point{h, 0});
  const auto west = touch_at(gap, p - Point{h, 0});
  const auto north = touch_at(gap, p + Point{0, h});
  const auto south = touch_at(gap, p - Point{0, h});
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, here.normal().x(),
                            -(east.indentation_m - west.indentation_m) / (2 * h));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, here.normal().y(),
                            -(north.indentation_m - south.indentation_m) / (2 * h));
  const Point n = {here.normal().x(), here.normal().y()};
  const Point t = {-n.y, n.x};
  const Vector2<double> turn =
      -(touch_at(gap, p + h * t).normal() - touch_at(gap, p - h * t).normal());
  const double expected = here.curvature_1_m;
  const double tolerance = 1e-6 * std::fabs(expected) + 1e-14 / h;
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, expected, (turn.x() * t.x + turn.y() * t.y) / (2 * h));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0, (turn.x() * n.x + turn.y() * n.y) / (2 * h));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1, here.normal().squaredNorm());
}

void test_normal_is_the_gradient_and_curvature_its_change() {
  constexpr int kParts = kHost ? 40 : 6;
  for (const Case& c : kCases) {
    const auto gap = gap_of<double>(c);
    const AsaProfile profile(c.teeth, c.roller_radius_m, c.pitch_m);
    for (int area = 4; area <= 8; ++area) {
      for (int i = 0; i < kParts; ++i) {
        const Place place = profile.place(area, (i + 0.5) / kParts);
        for (const double depth : {1e-6, 0.01, 0.1}) {
          const Point p = profile.roller(place, depth * c.roller_radius_m);
          check_derivatives(gap, p, 1e-7 * c.roller_radius_m);
          check_derivatives(gap, {-p.x, p.y}, 1e-7 * c.roller_radius_m);
        }
      }
    }
  }
}

template <typename Real>
void both_flanks_agree_to_the_last_bit() {
  constexpr int kDraws = kHost ? 20'000 : 500;
  taut::math::test::Inputs inputs(0x5eed'0102U);
  for (const Case& c : kCases) {
    const ToothGap<Real> gaps[] = {gap_of<Real>(c),
                                   make_circular_gap<Real>(c.roller_radius_m, 1e-3)};
    const Real r = static_cast<Real>(c.roller_radius_m);
    for (int i = 0; i < kDraws; ++i) {
      const Real x = inputs.uniform(r * Real(1e-6), r * Real(2));
      const Real y = inputs.uniform(-r, r * Real(3));
      const Vector2<Real> right(x, y);
      for (const auto& gap : gaps) {
        const auto one = touch(gap, right);
        const auto other = touch(gap, Vector2<Real>(-right.x(), right.y()));
        TEST_ASSERT_TRUE(one.indentation_m == other.indentation_m);
        TEST_ASSERT_TRUE(one.normal().x() == -other.normal().x());
        TEST_ASSERT_TRUE(one.normal().y() == other.normal().y());
        TEST_ASSERT_TRUE(one.curvature_1_m == other.curvature_1_m);
        const bool no_side = one.area == 0 || one.area == 4 || one.area == 8;
        TEST_ASSERT_EQUAL_INT(no_side ? one.area : 8 - one.area, other.area);
      }
    }
  }
}

template <typename Real>
void check_safe(const Touch<Real>& found) {
  TEST_ASSERT_TRUE(found.indentation_m <= 0);
  TEST_ASSERT_TRUE(taut::math::is_finite(found.curvature_1_m));
  const Real square = found.normal().squaredNorm();
  TEST_ASSERT_TRUE(square > Real(0.999) && square < Real(1.001));
}

template <typename Real>
void outside_the_gap_there_is_no_contact() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Case& c : kCases) {
    const double half_angle = 3.14159265358979 / c.teeth;
    const double pitch_radius_m = 0.5 * c.pitch_m / std::sin(half_angle);
    const double r = c.roller_radius_m;
    const AsaProfile profile(c.teeth, r, c.pitch_m);
    const Point tooth_axis = taut::contact::test::at_angle(profile.tooth_axis);
    const Point next_seat = c.pitch_m * taut::contact::test::at_angle(-half_angle);
    const Point places[] = {
        {0, 0},
        next_seat,
        {-next_seat.x, next_seat.y},
        next_seat + Point{0, -0.1 * r},
        {0, -2 * pitch_radius_m},
        {0, 3 * r},
        {0, 1e3},
        {1e3, 0},
        {1e3, 1e3},
        {0, 1e30},
        profile.tip + 1.001 * r * tooth_axis,  // over the tooth
        profile.tip + 0.1 * r * Point{tooth_axis.y, -tooth_axis.x},
        {kNan, 0},
        {0, kNan},
        {kInf, 0},
        {0, kInf},
        {0, -kInf},
    };
    const ToothGap<Real> gaps[] = {gap_of<Real>(c), make_circular_gap<Real>(r, 0.02 * r)};
    for (const Point& p : places) {
      for (const auto& gap : gaps) {
        check_safe(touch_at(gap, p));
      }
    }
  }
}

// At the centre of an arc there is no direction, yet the normal must be one.
template <typename Real>
void centres_of_arcs_are_safe() {
  const auto circular = make_circular_gap<Real>(0.027, 0.8e-3);
  check_safe(touch(circular, Vector2<Real>(Real(0), circular.seat_clearance_m)));
  const auto real = make_real_gap<Real>(28, 0.027);
  check_safe(touch(real, Vector2<Real>(Real(0), Real(0))));
  const auto on_tip = touch(real, Vector2<Real>(real.tip_x_m, real.tip_y_m));
  TEST_ASSERT_TRUE(taut::math::is_finite(on_tip.normal().x() + on_tip.normal().y()));
}

// A roller that rides over a tooth: on the centre line the neighbour must say the same, which by
// symmetry about that line it does if the normal points along it.
void test_neighbouring_gaps_agree_on_the_tooth() {
  for (const Case& c : kCases) {
    const auto gap = gap_of<double>(c);
    const AsaProfile profile(c.teeth, c.roller_radius_m, c.pitch_m);
    const Point axis = taut::contact::test::at_angle(profile.tooth_axis);
    const Point hair = 1e-12 * Point{-axis.y, axis.x};
    const Point p = profile.tip + hair + 0.98 * c.roller_radius_m * axis;
    const auto found = touch_at(gap, p);
    TEST_ASSERT_EQUAL_INT(ToothArea::kTip, found.area);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.02 * c.roller_radius_m, found.indentation_m);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, axis.x, found.normal().x());
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, axis.y, found.normal().y());
    TEST_ASSERT_EQUAL_INT(ToothArea::kOutside, touch_at(gap, p - 2 * hair).area);
  }
}

// Pedersen 3.59, 3.60 with the centre one clearance above the pitch circle.
void test_circular_gap_has_its_closed_form() {
  constexpr double kRadius_m = 0.027;
  constexpr double kClearance_m = 0.8e-3;
  const auto gap = make_circular_gap<double>(kRadius_m, kClearance_m);
  TEST_ASSERT_DOUBLE_WITHIN(1e-18, 0, touch_at(gap, {0, 0}).indentation_m);
  for (int i = 0; i <= 90; ++i) {
    const Point out = taut::contact::test::at_angle(-1.5707963267948966 + i * 0.01745);
    for (const double depth_m : {-0.5e-3, 0.0, 1e-6, 0.7e-3, 5e-3}) {
      const Point p = Point{0, kClearance_m} + (kClearance_m + depth_m) * out;
      const auto found = touch_at(gap, p);
      TEST_ASSERT_DOUBLE_WITHIN(1e-16, depth_m, found.indentation_m);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, -out.x, found.normal().x());
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, -out.y, found.normal().y());
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1 / (kClearance_m + depth_m), found.curvature_1_m);
      TEST_ASSERT_EQUAL_INT(ToothArea::kSeating, found.area);
    }
  }
}

// Half way up begins the rim: no jump there, and a roller that leaves outwards is not held back.
void test_circular_gap_lets_rollers_out_over_its_rim() {
  constexpr double kRadius_m = 0.027;
  constexpr double kClearance_m = 0.8e-3;
  const auto gap = make_circular_gap<double>(kRadius_m, kClearance_m);
  for (const double depth_m : {-0.4e-3, 0.0, 1e-3, 5e-3}) {
    const Point rim = {kClearance_m + depth_m, kClearance_m};
    const auto below = touch_at(gap, rim - Point{0, 1e-10});
    const auto above = touch_at(gap, rim + Point{0, 1e-10});
    TEST_ASSERT_TRUE(below.area != above.area);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, below.indentation_m, above.indentation_m);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, (below.normal() - above.normal()).norm());
    check_derivatives(gap, rim + Point{0, 2e-3}, 1e-8);
  }
  const Point past_rim = {1.01 * (kRadius_m + kClearance_m), kClearance_m + 0.5 * kRadius_m};
  TEST_ASSERT_EQUAL_INT(ToothArea::kOutside, touch_at(gap, past_rim).area);
  for (int i = 1; i < 100; ++i) {
    const auto found = touch_at(gap, {0.5e-3, kClearance_m + i * 0.5e-3});
    TEST_ASSERT_TRUE(found.indentation_m < 0);
    TEST_ASSERT_TRUE(found.normal().y() > 0);
  }
}

// Without a pitch the teeth differ at their tips only.
// Above the line y = h + 2|x| nothing touches, and it is no more than a tenth of a radius too high:
// somewhere a roller so far below it touches.
void check_clear_height(const ToothGap<double>& gap) {
  const double height_m = clear_height_m(gap);
  const double radius_m = gap.roller_radius_m;
  bool touches_below = false;
  for (int i = 0; i <= 200; ++i) {
    const double x_m = 0.01 * i * radius_m;
    const double line_m = height_m + 2 * x_m;
    for (const double above_m : {1e-9, 0.01 * radius_m, 0.1 * radius_m, radius_m}) {
      TEST_ASSERT_TRUE(touch(gap, x_m, line_m + above_m).indentation_m <= 0);
    }
    touches_below = touches_below || touch(gap, x_m, line_m - 0.1 * radius_m).indentation_m > 0;
  }
  TEST_ASSERT_TRUE(touches_below);
}

void test_clear_height_is_above_all_teeth() {
  for (const Case& c : kCases) {
    check_clear_height(gap_of<double>(c));
    check_clear_height(make_circular_gap<double>(c.roller_radius_m, 0.01 * c.roller_radius_m));
  }
}

void test_pitch_moves_nothing_but_the_tip() {
  const auto given = make_real_gap<double>(64, 0.036195, 0.1143);
  const auto standard = make_real_gap<double>(64, 0.036195);
  const AsaProfile profile(64, 0.036195, 0.1143);
  for (int area = 4; area <= 7; ++area) {
    const Point p = profile.roller(profile.place(area, 0.5), 1e-3);
    TEST_ASSERT_TRUE(touch_at(given, p).indentation_m == touch_at(standard, p).indentation_m);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, given.tip_x_m, standard.tip_x_m);
}

// Float: lengths up to 2.5 roller radii, some five roundings of 6e-8 each; the normal on the seat
// is that over the distance from its centre.
void test_float_agrees_with_double() {
  constexpr int kParts = 20;
  for (const Case& c : kCases) {
    const auto wide = gap_of<double>(c);
    const auto narrow = gap_of<float>(c);
    const AsaProfile profile(c.teeth, c.roller_radius_m, c.pitch_m);
    const double rounding_m = 5 * 6e-8 * 2.5 * c.roller_radius_m;
    for (int area = 4; area <= 8; ++area) {
      for (int i = 0; i < kParts; ++i) {
        const Point p =
            profile.roller(profile.place(area, (i + 0.5) / kParts), 0.03 * c.roller_radius_m);
        const auto expected = touch_at(wide, p);
        const auto found = touch_at(narrow, p);
        TEST_ASSERT_DOUBLE_WITHIN(rounding_m, expected.indentation_m,
                                  static_cast<double>(found.indentation_m));
        const double turn = rounding_m * std::fabs(expected.curvature_1_m) + 1e-6;
        TEST_ASSERT_DOUBLE_WITHIN(turn, expected.normal().x(),
                                  static_cast<double>(found.normal().x()));
        TEST_ASSERT_DOUBLE_WITHIN(turn, expected.normal().y(),
                                  static_cast<double>(found.normal().y()));
        TEST_ASSERT_EQUAL_INT(expected.area, found.area);
      }
    }
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_arcs_are_tangent_where_they_meet);
  RUN_TEST(test_clearance_of_both_engines);
  RUN_TEST(test_depth_and_normal_follow_the_drawing);
  RUN_TEST(test_nothing_jumps_at_a_border);
  RUN_TEST(test_indentation_changes_no_faster_than_position);
  RUN_TEST(test_normal_is_the_gradient_and_curvature_its_change);
  RUN_TEST(both_flanks_agree_to_the_last_bit<float>);
  RUN_TEST(both_flanks_agree_to_the_last_bit<double>);
  RUN_TEST(outside_the_gap_there_is_no_contact<float>);
  RUN_TEST(outside_the_gap_there_is_no_contact<double>);
  RUN_TEST(centres_of_arcs_are_safe<float>);
  RUN_TEST(centres_of_arcs_are_safe<double>);
  RUN_TEST(test_neighbouring_gaps_agree_on_the_tooth);
  RUN_TEST(test_circular_gap_has_its_closed_form);
  RUN_TEST(test_circular_gap_lets_rollers_out_over_its_rim);
  RUN_TEST(test_clear_height_is_above_all_teeth);
  RUN_TEST(test_pitch_moves_nothing_but_the_tip);
  RUN_TEST(test_float_agrees_with_double);
  return UNITY_END();
}
