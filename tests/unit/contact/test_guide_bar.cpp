// Guide-bars: flat and rounded ends against closed forms, what is beyond and behind, rotation.
#include <cmath>
#include <initializer_list>
#include <limits>

#include "unity.h"

#include "sim_core/contact/guide_bar.h"
#include "tests/unit/math/inputs.h"

namespace {

using namespace taut::contact;
using Vector = taut::math::Vector2<double>;

constexpr double kFlat_m = 1.2;
constexpr double kEnd_m = 0.15;
constexpr double kRadius_m = 1;
constexpr double kPressed_m = 5e-3;

// A strand that runs askew at the place of strand 4 of 6S90MC-C; the bar pushes to its left, or
// to its right.
struct Strand {
  Vector middle = Vector(-1.1, 2.0);
  Vector along = Vector(0.28, -0.96);
  Vector left = Vector(0.96, 0.28);

  [[nodiscard]] Vector at(double along_m, double left_m) const {
    return middle + along_m * along + left_m * left;
  }
};

template <typename Real>
GuideBar<Real> make_bar(const Strand& strand, double pressed_m, double rotation_rad,
                        double side = 1) {
  return make_guide_bar<Real>(strand.middle, strand.along, side * strand.left, kFlat_m, kEnd_m,
                              kRadius_m, pressed_m, rotation_rad);
}

void check_direction(const Vector& expected, const Vector& found, double tolerance) {
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, expected.x(), found.x());
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, expected.y(), found.y());
}

// Pedersen 3.88, D.8.
void test_strand_on_its_tangent_is_pressed_by_the_indentation() {
  const Strand strand;
  for (const double side : {1.0, -1.0}) {
    const auto bar = make_bar<double>(strand, kPressed_m, 0, side);
    for (int i = -59; i <= 59; ++i) {
      const auto on_tangent = touch(bar, strand.at(0.01 * i, 0));
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, kPressed_m, on_tangent.indentation_m);
      check_direction(side * strand.left, on_tangent.normal(), 1e-15);
      TEST_ASSERT_TRUE(on_tangent.curvature_1_m == 0);
      TEST_ASSERT_EQUAL_INT(GuideArea::kFlat, on_tangent.area);
      const auto lifted = touch(bar, strand.at(0.01 * i, side * 0.02));
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, kPressed_m - 0.02, lifted.indentation_m);
    }
  }
}

// Pedersen 3.90, 3.91: a circle about a point one radius under the end of the flat.
void test_rounded_ends_are_circles() {
  const Strand strand;
  const auto bar = make_bar<double>(strand, kPressed_m, 0);
  for (const double end : {-1.0, 1.0}) {
    const Vector centre = strand.at(end * kFlat_m / 2, kPressed_m - kRadius_m);
    for (int i = 1; i <= 14; ++i) {
      for (const double depth_m : {-0.02, 0.0, 1e-3, 0.03}) {
        const double sine = 0.01 * i / kRadius_m;
        const Vector out = end * sine * strand.along + std::sqrt(1 - sine * sine) * strand.left;
        const auto found = touch(bar, Vector(centre + (kRadius_m - depth_m) * out));
        TEST_ASSERT_DOUBLE_WITHIN(2e-15, depth_m, found.indentation_m);
        check_direction(out, found.normal(), 1e-14);
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, -1 / (kRadius_m - depth_m), found.curvature_1_m);
        TEST_ASSERT_EQUAL_INT(end < 0 ? GuideArea::kFirstEnd : GuideArea::kLastEnd, found.area);
      }
    }
  }
}

// Over the border: a step of 1 nm changes the depth by its square and turns the normal by 1 nm/R.
void test_flat_runs_into_the_ends_without_a_jump() {
  const Strand strand;
  const auto bar = make_bar<double>(strand, kPressed_m, 0);
  for (const double end : {-1.0, 1.0}) {
    for (const double left_m : {-0.1, -0.01, 0.0, kPressed_m, 0.1}) {
      const auto inside = touch(bar, strand.at(end * (kFlat_m / 2 - 5e-10), left_m));
      const auto beyond = touch(bar, strand.at(end * (kFlat_m / 2 + 5e-10), left_m));
      TEST_ASSERT_TRUE(inside.area != beyond.area);
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, inside.indentation_m, beyond.indentation_m);
      TEST_ASSERT_DOUBLE_WITHIN(2e-9, 0, (inside.normal() - beyond.normal()).norm());
    }
  }
}

// Central differences over +-1 um: rounding 4e-16/1e-6 and truncation 1e-12/R^2. The normal turns
// by 1e-6/R, rounded at 1e-16.
void test_normal_is_the_gradient_and_curvature_its_change() {
  constexpr double kStep_m = 1e-6;
  const Strand strand;
  const auto bar = make_bar<double>(strand, kPressed_m, 0.02);
  taut::math::test::Inputs inputs(0x5eed'0301U);
  for (int i = 0; i < 500; ++i) {
    const double along_m = inputs.uniform(-0.74, 0.74);
    const double left_m = inputs.uniform(-0.05, 0.05);
    const Vector p = strand.at(along_m, left_m);
    const auto here = touch(bar, p);
    const Vector x(kStep_m, 0);
    const Vector y(0, kStep_m);
    const auto depth_m = [&](const Vector& q) { return touch(bar, q).indentation_m; };
    const Vector gradient((depth_m(p + x) - depth_m(p - x)) / (2 * kStep_m),
                          (depth_m(p + y) - depth_m(p - y)) / (2 * kStep_m));
    check_direction(-gradient, here.normal(), 2e-6);
    const Vector t(-here.normal().y(), here.normal().x());
    const Vector there = touch(bar, Vector(p + kStep_m * t)).normal();
    const Vector back = touch(bar, Vector(p - kStep_m * t)).normal();
    const bool one_area = touch(bar, Vector(p + kStep_m * t)).area == here.area &&
                          touch(bar, Vector(p - kStep_m * t)).area == here.area;
    if (one_area) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-8, here.curvature_1_m, -(there - back).dot(t) / (2 * kStep_m));
    }
  }
}

template <typename Real>
void beyond_and_behind_there_is_no_contact() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Strand strand;
  const auto bar = make_bar<Real>(strand, kPressed_m, 0);
  constexpr double kHalf_m = kFlat_m / 2 + kEnd_m;
  const Vector places[] = {strand.at(kHalf_m + 1e-6, -0.02),
                           strand.at(-kHalf_m - 1e-6, -0.02),
                           strand.at(kHalf_m + 1e-6, -0.5),
                           strand.at(5, -0.1),
                           strand.at(0, -1.01),  // behind: where the other strand runs
                           strand.at(0.7, -1.01),
                           strand.at(0, -50),
                           strand.at(0, 0.006),
                           strand.at(0, 50),
                           strand.at(0.7, 0),  // the end has dropped by 5 mm there
                           strand.at(0, 1e30),
                           Vector(kInf, 0),
                           Vector(0, -kInf),
                           Vector(kNan, 0),
                           Vector(0, kNan)};
  for (const Vector& p : places) {
    const auto found = touch(bar, taut::math::Vector2<Real>(p.template cast<Real>()));
    TEST_ASSERT_TRUE(found.indentation_m <= 0);
    const Real square = found.normal().squaredNorm();
    TEST_ASSERT_TRUE(square > Real(0.999) && square < Real(1.001));
    TEST_ASSERT_TRUE(taut::math::is_finite(found.curvature_1_m));
  }
  const auto at_end =
      touch(bar, taut::math::Vector2<Real>(strand.at(kHalf_m - 1e-6, -0.02).template cast<Real>()));
  TEST_ASSERT_TRUE(at_end.indentation_m > Real(0.01));
}

// Turned about the pressed middle, counter-clockwise for either side: there the depth is
// delta cos(rotation), and along the bar's own line it is zero.
void test_bar_turns_about_its_middle() {
  const Strand strand;
  for (const double side : {1.0, -1.0}) {
    for (const double rotation_rad : {-0.1, -0.01, 0.01, 0.1}) {
      const auto bar = make_bar<double>(strand, kPressed_m, rotation_rad, side);
      const double sine = std::sin(rotation_rad);
      const double cosine = std::cos(rotation_rad);
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, kPressed_m * cosine,
                                touch(bar, strand.at(0, 0)).indentation_m);
      for (const double along_m : {-0.59, -0.3, 0.0, 0.4, 0.59}) {
        const Vector on_bar = strand.at(along_m * cosine, side * kPressed_m + along_m * sine);
        const auto found = touch(bar, on_bar);
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, found.indentation_m);
        check_direction(side * (cosine * strand.left - sine * strand.along), found.normal(), 1e-14);
      }
    }
  }
}

// Float: positions of 2.5 m are rounded to 1.2e-7 m each, the end's radius to 6e-8 m.
void test_float_agrees_with_double() {
  const Strand strand;
  const auto wide = make_bar<double>(strand, kPressed_m, 0.01);
  const auto narrow = make_bar<float>(strand, kPressed_m, 0.01);
  for (int i = -73; i <= 73; ++i) {
    const Vector p = strand.at(0.01 * i, -0.01);
    const auto expected = touch(wide, p);
    const auto found = touch(narrow, taut::math::Vector2<float>(p.cast<float>()));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, expected.indentation_m,
                              static_cast<double>(found.indentation_m));
    check_direction(expected.normal(), found.normal().cast<double>(), 1e-6);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_strand_on_its_tangent_is_pressed_by_the_indentation);
  RUN_TEST(test_rounded_ends_are_circles);
  RUN_TEST(test_flat_runs_into_the_ends_without_a_jump);
  RUN_TEST(test_normal_is_the_gradient_and_curvature_its_change);
  RUN_TEST(beyond_and_behind_there_is_no_contact<float>);
  RUN_TEST(beyond_and_behind_there_is_no_contact<double>);
  RUN_TEST(test_bar_turns_about_its_middle);
  RUN_TEST(test_float_agrees_with_double);
  return UNITY_END();
}
