// Rollers on the loop: measured back from their positions, and seats under them.
#include <cmath>

#include "unity.h"

#include "sim_core/drive/geometry.h"
#include "sim_core/math/constants.h"
#include "tests/unit/drive/engines.h"
#include "tests/unit/drive/transformed.h"

namespace {

using namespace taut::drive;
using namespace taut::drive_test;

constexpr double kPi = taut::math::kPi<double>;

// Positions are sums of up to 8 pieces of a 17 m loop (ulp 3.6e-15 m) and of coordinates below
// 8 m: some 30 ulp.
constexpr double kRoundOff_m = 1e-13;

// Static: too large for a target's stack.
Geometry geometry;
Placement placement;
Placement shifted;

// Sprocket 2 to the right of the crank, so that chain and strands lie along the axes.
DriveSpec two_sprockets() {
  DriveSpec spec;
  spec.chain = {.links = 48, .pitch_m = 0.0254};
  spec.sprockets.push_back(sprocket(0, 0, 24, 0, 1, 1));
  spec.sprockets.push_back(sprocket(12 * 0.0254, 0, 24, 0, 1, 1));
  return spec;
}

void place(const DriveSpec& spec, double tooth_phase) {
  TEST_ASSERT_TRUE(make_geometry(spec, geometry).possible);
  place(spec, geometry, tooth_phase, placement);
}

Point roller_m(const Placement& rollers, std::size_t i) {
  return {rollers.x_m[i], rollers.y_m[i]};
}

double share_m(const DriveSpec& spec) {
  return geometry.loop_m / spec.chain.links;
}

Point centre_m(const DriveSpec& spec, std::size_t i) {
  return {spec.sprockets[i].centre_x_m, spec.sprockets[i].centre_y_m};
}

// How far along a strand a point lies; -1: not on it.
double along_strand_m(const Strand& strand, const Point& point_m) {
  const Point from_m = point_m - strand.begin_m;
  const double along_m = from_m.dot(strand.direction);
  const double across_m = (from_m - along_m * strand.direction).norm();
  const bool within = along_m > -kRoundOff_m && along_m < strand.length_m + kRoundOff_m;
  return within && across_m < kRoundOff_m ? along_m : -1;
}

// How far along a wrap, in chain length; -1: not on it.
double along_wrap_m(const Wrap& wrap, const Point& from_centre_m) {
  const double angle_rad = std::atan2(from_centre_m.y(), from_centre_m.x());
  double along_rad = std::fmod(wrap.turn * (angle_rad - wrap.begin_angle_rad) + 4 * kPi, 2 * kPi);
  along_rad = along_rad > 2 * kPi - kRoundOff_m ? 0 : along_rad;
  const bool on_circle = std::abs(from_centre_m.norm() - wrap.pitch_radius_m) < kRoundOff_m;
  const bool within = along_rad < wrap.angle_rad + kRoundOff_m;
  return on_circle && within ? along_rad * wrap.pitch_line_radius_m : -1;
}

// Along the loop from where it leaves sprocket 1; -1: not on the loop.
double along_loop_m(const DriveSpec& spec, const Point& point_m) {
  double passed_m = 0;
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    const double on_strand_m = along_strand_m(geometry.strand[i], point_m);
    if (on_strand_m > -0.5) {
      return passed_m + on_strand_m;
    }
    passed_m += geometry.strand[i].length_m;
    const std::size_t next = (i + 1) % geometry.sprockets;
    const double on_wrap_m = along_wrap_m(geometry.wrap[next], point_m - centre_m(spec, next));
    if (on_wrap_m > -0.5) {
      return passed_m + on_wrap_m;
    }
    passed_m += geometry.wrap[next].angle_rad * geometry.wrap[next].pitch_line_radius_m;
  }
  return -1;
}

// On the loop, in order along travel, one share after the other.
void check_shares(const DriveSpec& spec, double tooth_phase) {
  place(spec, tooth_phase);
  for (int i = 0; i < spec.chain.links; ++i) {
    const double along_m = along_loop_m(spec, roller_m(placement, static_cast<std::size_t>(i)));
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, (i + tooth_phase) * share_m(spec), along_m);
  }
}

void test_rollers_lie_on_the_loop_at_equal_shares() {
  for (const double phase : {0.0, 0.25, 0.999}) {
    check_shares(engine_6l60mc(), phase);
    check_shares(engine_6s90mc_c(), phase);
    check_shares(mirrored(engine_6s90mc_c()), phase);
    check_shares(two_sprockets(), phase);
  }
}

void test_roller_0_lies_where_the_chain_leaves_sprocket_1() {
  place(engine_6s90mc_c(), 0);
  TEST_ASSERT_TRUE(roller_m(placement, 0) == geometry.strand[0].begin_m);
}

// A long link has its length, its neighbours theirs, wherever the loop is straight.
void test_a_long_link_has_room() {
  DriveSpec spec = engine_6s90mc_c();
  spec.special_links.push_back({.number = 8, .elongation = 0.02});
  spec.special_links.push_back({.number = 1, .elongation = 0.01});
  place(spec, 0.3);
  const double mean = 0.03 / 144;
  const auto link_m = [&](std::size_t i) {
    return (roller_m(placement, i) - roller_m(placement, i - 1)).norm();
  };
  for (std::size_t i = 1; i < 20; ++i) {
    const double expected_m = share_m(spec) * (1 - mean + (i == 7 ? 0.02 : 0));
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, expected_m, link_m(i));
  }
  place(spec, 0);
  TEST_ASSERT_TRUE(roller_m(placement, 0) == geometry.strand[0].begin_m);
}

// On the pitch circle a pitch's chord shrinks or grows no more than the shares do: the chord of
// an angle grows more slowly than the angle.
void test_neighbours_on_a_wrap_are_one_pitch_apart() {
  const DriveSpec spec = engine_6s90mc_c();
  place(spec, 0.4);
  const double stretch_m = std::abs(share_m(spec) - spec.chain.pitch_m);
  int pairs = 0;
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t i = 0; i + 1 < 144; ++i) {
      const Point a_m = roller_m(placement, i);
      const Point b_m = roller_m(placement, i + 1);
      if (along_wrap_m(geometry.wrap[s], a_m - centre_m(spec, s)) >= 0 &&
          along_wrap_m(geometry.wrap[s], b_m - centre_m(spec, s)) >= 0) {
        TEST_ASSERT_DOUBLE_WITHIN(stretch_m + kRoundOff_m, spec.chain.pitch_m, (b_m - a_m).norm());
        ++pairs;
      }
    }
  }
  TEST_ASSERT_TRUE(pairs > 50);  // 35 + 6 + 14 + 5 teeth are wrapped
  TEST_ASSERT_TRUE(stretch_m < 1e-3 * spec.chain.pitch_m);
}

// Among the rollers on a wrap the one nearest to its middle sits exactly in seat 0.
void check_seats(const DriveSpec& spec, double tooth_phase) {
  place(spec, tooth_phase);
  for (std::size_t s = 0; s < geometry.sprockets; ++s) {
    const Wrap& wrap = geometry.wrap[s];
    const double half_m = wrap.angle_rad * wrap.pitch_line_radius_m / 2;
    std::size_t nearest = 0;
    double least_m = 1e9;
    for (std::size_t i = 0; i < static_cast<std::size_t>(spec.chain.links); ++i) {
      const double along_m = along_wrap_m(wrap, roller_m(placement, i) - centre_m(spec, s));
      if (along_m > -0.5 && std::abs(along_m - half_m) < least_m) {
        least_m = std::abs(along_m - half_m);
        nearest = i;
      }
    }
    TEST_ASSERT_TRUE(least_m <= share_m(spec) / 2 + kRoundOff_m);
    const double angle_rad = placement.angle_rad[s];
    const Point seat_m =
        centre_m(spec, s) + wrap.pitch_radius_m * Point(std::cos(angle_rad), std::sin(angle_rad));
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 0, (seat_m - roller_m(placement, nearest)).norm());
  }
}

void test_a_seat_lies_under_the_roller_in_the_middle_of_each_wrap() {
  for (const double phase : {0.0, 0.3, 0.6, 0.95}) {
    check_seats(engine_6l60mc(), phase);
    check_seats(engine_6s90mc_c(), phase);
    check_seats(mirrored(engine_6s90mc_c()), phase);
  }
}

// A loop of exactly 48 pitches: then all rollers on both sprockets are in seats.
void test_a_fitting_chain_lies_in_all_its_seats() {
  const DriveSpec spec = two_sprockets();
  place(spec, 0.5);
  TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 48 * 0.0254, geometry.loop_m);
  int seated = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    const Wrap& wrap = geometry.wrap[s];
    for (std::size_t i = 0; i < 48; ++i) {
      const Point from_centre_m = roller_m(placement, i) - centre_m(spec, s);
      if (along_wrap_m(wrap, from_centre_m) > -0.5) {
        const double angle_rad = std::atan2(from_centre_m.y(), from_centre_m.x());
        const double off_rad =
            std::remainder(angle_rad - placement.angle_rad[s], wrap.pitch_angle_rad);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, off_rad);  // 1e-13 m on a radius of 0.1 m
        ++seated;
      }
    }
  }
  TEST_ASSERT_EQUAL_INT(24, seated);
}

void test_a_phase_of_one_pitch_moves_every_roller_to_the_next() {
  const DriveSpec spec = engine_6s90mc_c();
  place(spec, 0);
  place(spec, geometry, 1, shifted);
  for (std::size_t i = 0; i < 144; ++i) {
    const Point off_m = roller_m(shifted, i) - roller_m(placement, (i + 1) % 144);
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 0, off_m.norm());
  }
  for (std::size_t s = 0; s < 4; ++s) {
    const double off_rad = shifted.angle_rad[s] - placement.angle_rad[s];
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 0, off_rad);
  }
}

void test_a_mirrored_drive_has_mirrored_rollers() {
  const DriveSpec spec = engine_6s90mc_c();
  place(spec, 0.7);
  shifted = placement;
  place(mirrored(spec), 0.7);
  for (std::size_t i = 0; i < 144; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, -shifted.x_m[i], placement.x_m[i]);
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, shifted.y_m[i], placement.y_m[i]);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_rollers_lie_on_the_loop_at_equal_shares);
  RUN_TEST(test_a_long_link_has_room);
  RUN_TEST(test_roller_0_lies_where_the_chain_leaves_sprocket_1);
  RUN_TEST(test_neighbours_on_a_wrap_are_one_pitch_apart);
  RUN_TEST(test_a_seat_lies_under_the_roller_in_the_middle_of_each_wrap);
  RUN_TEST(test_a_fitting_chain_lies_in_all_its_seats);
  RUN_TEST(test_a_phase_of_one_pitch_moves_every_roller_to_the_next);
  RUN_TEST(test_a_mirrored_drive_has_mirrored_rollers);
  return UNITY_END();
}
