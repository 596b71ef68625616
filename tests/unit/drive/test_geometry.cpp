// Strands and wraps: against Pedersen's tables, closed forms and symmetries.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

#include "unity.h"

#include "sim_core/drive/geometry.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "tests/unit/drive/engines.h"
#include "tests/unit/drive/transformed.h"

namespace {

using namespace taut::drive;
using namespace taut::drive_test;

constexpr double kPi = taut::math::kPi<double>;

// Coordinates below 8 m have an ulp of 9e-16; a length is a root of a difference of a few such
// squares, an angle a quotient of them. Some 20 ulp for the worst of them.
constexpr double kRoundOff_m = 2e-14;
constexpr double kRoundOff_rad = 2e-14;

Geometry geometry_of(const DriveSpec& spec) {
  Geometry geometry;
  const GeometryResult result = make_geometry(spec, geometry);
  TEST_ASSERT_TRUE(result.possible);
  TEST_ASSERT_EQUAL_UINT(spec.sprockets.size(), geometry.sprockets);
  return geometry;
}

struct TableColumn {
  double length_m;
  double digit_m;  // unit of the last printed digit
  double begin_angle_rad;
  double end_angle_rad;
};

// Printed values are off by at most one unit of their last digit: some are cut off, not rounded.
void check_table(const DriveSpec& spec, const TableColumn (&columns)[4]) {
  const Geometry geometry = geometry_of(spec);
  for (std::size_t i = 0; i < 4; ++i) {
    const Strand& strand = geometry.strand[i];
    TEST_ASSERT_DOUBLE_WITHIN(columns[i].digit_m, columns[i].length_m, strand.length_m);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, columns[i].begin_angle_rad, strand.begin_angle_rad);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, columns[i].end_angle_rad, strand.end_angle_rad);
  }
}

void test_strands_of_6l60mc_are_those_of_pedersen_table_5_4() {
  check_table(engine_6l60mc(), {{1.8797, 1e-4, 0.3485, 3.4901},
                                {0.4104, 1e-4, 2.2748, 5.4164},
                                {1.2619, 1e-4, 2.3337, 2.3337},
                                {2.2312, 1e-4, 3.2010, 3.2010}});
}

void test_strands_of_6s90mc_c_are_those_of_pedersen_table_5_8() {
  check_table(engine_6s90mc_c(), {{2.71266, 1e-5, 0.4315, 3.5731},
                                  {1.0329, 1e-4, 2.3726, 5.5143},
                                  {1.6765, 1e-4, 2.1186, 2.1186},
                                  {3.98533, 1e-5, 3.2728, 3.2728}});
}

// The printed radii are 4 to 11 ppm off P / (2 sin(pi / teeth)).
void test_pitch_radii_are_those_of_the_tables() {
  for (const DriveSpec& spec : {engine_6l60mc(), engine_6s90mc_c()}) {
    const Geometry geometry = geometry_of(spec);
    for (std::size_t i = 0; i < 4; ++i) {
      const double printed_m = spec.sprockets[i].pitch_radius_m;
      TEST_ASSERT_DOUBLE_WITHIN(15e-6 * printed_m, printed_m, geometry.wrap[i].pitch_radius_m);
    }
  }
}

// What a strand is, whatever it was computed from: straight, tangent to both circles.
void check_tangents(const DriveSpec& spec, const Geometry& geometry) {
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    const Strand& strand = geometry.strand[i];
    const std::size_t next = (i + 1) % geometry.sprockets;
    const Point from_m(spec.sprockets[i].centre_x_m, spec.sprockets[i].centre_y_m);
    const Point to_m(spec.sprockets[next].centre_x_m, spec.sprockets[next].centre_y_m);
    const Point way_m = strand.begin_m + strand.length_m * strand.direction - strand.end_m;
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 0, way_m.norm());
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 0, strand.direction.dot(strand.begin_m - from_m));
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 0, strand.direction.dot(strand.end_m - to_m));
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, geometry.wrap[i].pitch_radius_m,
                              (strand.begin_m - from_m).norm());
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, geometry.wrap[next].pitch_radius_m,
                              (strand.end_m - to_m).norm());
    // The rim moves along the strand, not against it.
    const Point rim = geometry.wrap[i].turn *
                      Point(from_m.y() - strand.begin_m.y(), strand.begin_m.x() - from_m.x());
    TEST_ASSERT_TRUE(rim.dot(strand.direction) > 0);
  }
}

double turns(const Geometry& geometry) {
  double sum_rad = 0;
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    sum_rad += geometry.wrap[i].turn * geometry.wrap[i].angle_rad;
  }
  return sum_rad / (2 * kPi);
}

// From where the chain comes on, turned by the wrap, to where it leaves.
void check_wraps(const Geometry& geometry) {
  double loop_m = 0;
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    const Wrap& wrap = geometry.wrap[i];
    const double leaving_rad = wrap.begin_angle_rad + wrap.turn * wrap.angle_rad;
    const double off_rad =
        std::remainder(leaving_rad - geometry.strand[i].begin_angle_rad, 2 * kPi);
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, 0, off_rad);
    TEST_ASSERT_TRUE(wrap.angle_rad > 0 && wrap.angle_rad < 2 * kPi);
    loop_m += geometry.strand[i].length_m + wrap.angle_rad * wrap.pitch_line_radius_m;
  }
  TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, loop_m, geometry.loop_m);
}

void test_engines_have_tangent_strands_and_turn_once() {
  for (const DriveSpec& spec : {engine_6l60mc(), engine_6s90mc_c()}) {
    const Geometry geometry = geometry_of(spec);
    check_tangents(spec, geometry);
    check_wraps(geometry);
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, 1, turns(geometry));
  }
}

// --- Two sprockets ---

DriveSpec two_sprockets(int teeth_1, int teeth_2, double distance_m, Side side_2) {
  DriveSpec spec;
  spec.chain.pitch_m = 0.0254;
  spec.sprockets.push_back(sprocket(0.2, -0.1, teeth_1, 0, 1, 1));
  spec.sprockets.push_back(sprocket(0.2 + distance_m, -0.1, teeth_2, 0, 1, 1, side_2));
  return spec;
}

// Half a turn each, and together as many pitches as one of them has teeth.
void test_two_equal_sprockets() {
  for (const Rotation rotation : {Rotation::kCounterClockwise, Rotation::kClockwise}) {
    DriveSpec spec = two_sprockets(24, 24, 0.9, Side::kInside);
    spec.crank.rotation = rotation;
    const Geometry geometry = geometry_of(spec);
    const double sense = rotation == Rotation::kCounterClockwise ? 1 : -1;
    for (std::size_t i = 0; i < 2; ++i) {
      TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 0.9, geometry.strand[i].length_m);
      TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, kPi, geometry.wrap[i].angle_rad);
      TEST_ASSERT_TRUE(geometry.wrap[i].turn == sense);
    }
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 2 * 0.9 + 24 * 0.0254, geometry.loop_m);
    // Counter-clockwise the chain leaves sprocket 1 at its bottom, towards +x.
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, kPi + sense * kPi / 2,
                              geometry.strand[0].begin_angle_rad);
    check_tangents(spec, geometry);
  }
}

void test_two_unequal_sprockets() {
  const double distance_m = 0.9;
  const Geometry geometry = geometry_of(two_sprockets(60, 20, distance_m, Side::kInside));
  const double difference_m = geometry.wrap[0].pitch_radius_m - geometry.wrap[1].pitch_radius_m;
  const double lean_rad = std::asin(difference_m / distance_m);
  for (std::size_t i = 0; i < 2; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, distance_m * std::cos(lean_rad),
                              geometry.strand[i].length_m);
  }
  TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, kPi + 2 * lean_rad, geometry.wrap[0].angle_rad);
  TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, kPi - 2 * lean_rad, geometry.wrap[1].angle_rad);
}

// Crossed: the second turns backwards, and the figure of eight turns as much left as right.
void test_two_crossed_sprockets() {
  const double distance_m = 0.9;
  const Geometry geometry = geometry_of(two_sprockets(60, 20, distance_m, Side::kOutside));
  const double sum_m = geometry.wrap[0].pitch_radius_m + geometry.wrap[1].pitch_radius_m;
  const double lean_rad = std::asin(sum_m / distance_m);
  for (std::size_t i = 0; i < 2; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, distance_m * std::cos(lean_rad),
                              geometry.strand[i].length_m);
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, kPi + 2 * lean_rad, geometry.wrap[i].angle_rad);
  }
  TEST_ASSERT_TRUE(geometry.wrap[0].turn == 1 && geometry.wrap[1].turn == -1);
  TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, 0, turns(geometry));
}

void check_impossible(const DriveSpec& spec, std::size_t strand) {
  Geometry geometry;
  const GeometryResult result = make_geometry(spec, geometry);
  TEST_ASSERT_FALSE(result.possible);
  TEST_ASSERT_EQUAL_UINT(strand, result.strand);
  TEST_ASSERT_EQUAL_UINT(0, geometry.sprockets);
}

// 24 teeth of 25.4 mm have a radius of 97.3 mm: no inner tangent closer than 194.6 mm, while the
// outer ones exist at any distance. One circle within another has neither.
void test_impossible_strands_are_named() {
  check_impossible(two_sprockets(24, 24, 0.194, Side::kOutside), 0);
  static_cast<void>(geometry_of(two_sprockets(24, 24, 0.195, Side::kOutside)));
  static_cast<void>(geometry_of(two_sprockets(24, 24, 0.194, Side::kInside)));
  check_impossible(two_sprockets(60, 20, 0.1, Side::kInside), 0);
  check_impossible(two_sprockets(24, 24, 0.0, Side::kInside), 0);
  DriveSpec engine = engine_6s90mc_c();
  engine.sprockets[2].centre_y_m = 4.3;
  check_impossible(engine, 1);
  engine.sprockets[1].teeth = 0;
  check_impossible(engine, 1);
  engine.sprockets.clear();
  check_impossible(engine, 0);
}

// The chain leaves sprocket 1 at an angle of -1e-20: adding 2 pi must not give 2 pi itself.
void test_angles_stay_below_a_whole_turn() {
  DriveSpec spec = two_sprockets(24, 24, 0.9, Side::kInside);
  spec.sprockets[0].centre_x_m = 0;
  spec.sprockets[1].centre_x_m = 1e-20;
  spec.sprockets[1].centre_y_m = 0.9;
  TEST_ASSERT_TRUE(geometry_of(spec).strand[0].begin_angle_rad == 0);
}

// A strand needs a length, a sprocket three teeth, a radius a square.
void test_limits_of_what_is_possible() {
  DriveSpec spec = two_sprockets(24, 24, 0.9, Side::kOutside);
  const double radius_m = geometry_of(spec).wrap[0].pitch_radius_m;
  spec.sprockets[0].centre_x_m = 0;
  spec.sprockets[1].centre_x_m = 2 * radius_m;
  check_impossible(spec, 0);
  check_impossible(two_sprockets(24, 2, 0.9, Side::kInside), 1);
  spec = two_sprockets(3, 3, 0.9, Side::kInside);
  static_cast<void>(geometry_of(spec));
  spec.chain.pitch_m = 1e308;
  check_impossible(spec, 0);
}

// --- Symmetries ---

bool is_mirror(const Point& a, const Point& b) {
  return a.x() == -b.x() && a.y() == b.y();
}

// Bit for bit: the formulas have no preferred sense. Angles alone take the way round pi.
void test_mirrored_drive_has_the_mirrored_geometry() {
  const Geometry left = geometry_of(engine_6s90mc_c());
  const Geometry right = geometry_of(mirrored(engine_6s90mc_c()));
  for (std::size_t i = 0; i < 4; ++i) {
    TEST_ASSERT_TRUE(left.strand[i].length_m == right.strand[i].length_m);
    TEST_ASSERT_TRUE(is_mirror(left.strand[i].begin_m, right.strand[i].begin_m));
    TEST_ASSERT_TRUE(is_mirror(left.strand[i].end_m, right.strand[i].end_m));
    TEST_ASSERT_TRUE(is_mirror(left.strand[i].direction, right.strand[i].direction));
    TEST_ASSERT_TRUE(left.wrap[i].turn == -right.wrap[i].turn);
    TEST_ASSERT_TRUE(left.wrap[i].angle_rad == right.wrap[i].angle_rad);
    const double sum_rad = left.strand[i].begin_angle_rad + right.strand[i].begin_angle_rad;
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, 0, std::remainder(sum_rad - kPi, 2 * kPi));
  }
  TEST_ASSERT_TRUE(left.loop_m == right.loop_m);
}

void test_rotated_drive_has_the_same_lengths() {
  const DriveSpec spec = engine_6s90mc_c();
  const double angle_rad = 37 * kPi / 180;
  const Geometry a = geometry_of(spec);
  const Geometry b = geometry_of(rotated(spec, angle_rad));
  for (std::size_t i = 0; i < 4; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, a.strand[i].length_m, b.strand[i].length_m);
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, a.wrap[i].angle_rad, b.wrap[i].angle_rad);
    const double off_rad = b.strand[i].begin_angle_rad - a.strand[i].begin_angle_rad - angle_rad;
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, 0, std::remainder(off_rad, 2 * kPi));
  }
  TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, a.loop_m, b.loop_m);
}

// The same computation in another order, so the same bits; the sum alone may round otherwise.
// Sprocket 2 lies outside and turns clockwise: with it as number 1 that is the drive's rotation.
void test_renumbered_drive_has_the_same_strands() {
  const DriveSpec spec = engine_6s90mc_c();
  const Geometry original = geometry_of(spec);
  for (std::size_t first = 1; first < 4; ++first) {
    DriveSpec renumbered = spec;
    for (std::size_t i = 0; i < 4; ++i) {
      renumbered.sprockets[i] = spec.sprockets[(first + i) % 4];
    }
    renumbered.crank.rotation = first == 1 ? Rotation::kClockwise : Rotation::kCounterClockwise;
    const Geometry geometry = geometry_of(renumbered);
    for (std::size_t i = 0; i < 4; ++i) {
      const Strand& strand = original.strand[(first + i) % 4];
      TEST_ASSERT_TRUE(geometry.strand[i].length_m == strand.length_m);
      TEST_ASSERT_TRUE(geometry.strand[i].begin_m == strand.begin_m);
      TEST_ASSERT_TRUE(geometry.strand[i].end_angle_rad == strand.end_angle_rad);
      TEST_ASSERT_TRUE(geometry.wrap[i].angle_rad == original.wrap[(first + i) % 4].angle_rad);
    }
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, original.loop_m, geometry.loop_m);
  }
}

// --- Eight sprockets ---

// On a circle of 2 m; every second one moved to `odd_radius_m`, on `odd_side`.
DriveSpec eight_sprockets(Rotation rotation, double odd_radius_m, Side odd_side) {
  DriveSpec spec;
  spec.chain.pitch_m = 0.0508;
  spec.crank.rotation = rotation;
  const double sense = rotation == Rotation::kCounterClockwise ? 1 : -1;
  for (int i = 0; i < 8; ++i) {
    const bool odd = i % 2 == 1;
    const double radius_m = odd ? odd_radius_m : 2.0;
    const double angle_rad = sense * i * kPi / 4 + 0.1;
    spec.sprockets.push_back(sprocket(radius_m * std::cos(angle_rad),
                                      radius_m * std::sin(angle_rad), 20, 0, 1, 1,
                                      odd ? odd_side : Side::kInside));
  }
  return spec;
}

// A regular octagon: strands as long as its sides, an eighth of a turn on each corner.
void test_eight_sprockets_on_an_octagon() {
  for (const Rotation rotation : {Rotation::kCounterClockwise, Rotation::kClockwise}) {
    const Geometry geometry = geometry_of(eight_sprockets(rotation, 2.0, Side::kInside));
    for (std::size_t i = 0; i < 8; ++i) {
      TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_m, 4 * std::sin(kPi / 8), geometry.strand[i].length_m);
      TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, kPi / 4, geometry.wrap[i].angle_rad);
    }
  }
}

void test_eight_sprockets_in_and_out_turn_once() {
  for (const Rotation rotation : {Rotation::kCounterClockwise, Rotation::kClockwise}) {
    const DriveSpec spec = eight_sprockets(rotation, 1.3, Side::kOutside);
    const Geometry geometry = geometry_of(spec);
    check_tangents(spec, geometry);
    check_wraps(geometry);
    TEST_ASSERT_DOUBLE_WITHIN(kRoundOff_rad, geometry.wrap[0].turn, turns(geometry));
    for (std::size_t i = 0; i < 8; ++i) {
      TEST_ASSERT_TRUE(geometry.wrap[i].turn == (i % 2 == 0 ? 1 : -1) * geometry.wrap[0].turn);
    }
  }
}

// --- Any finite numbers ---

std::uint32_t random_state = 2463534242U;

std::size_t pick(std::size_t count) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state % count;
}

double wild_number() {
  constexpr double kNumbers[] = {0.0,  -0.0,  1.0,   -1.0,   0.3,    2.5,    1e-9,    1e9,
                                 1e77, 1e-77, 1e154, -1e154, 1e-162, 5e-324, 1.7e308, -1.7e308};
  return kNumbers[pick(std::size(kNumbers))];
}

bool is_finite(const Geometry& geometry) {
  bool finite = taut::math::is_finite(geometry.loop_m);
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    const Strand& strand = geometry.strand[i];
    const Wrap& wrap = geometry.wrap[i];
    for (const double value :
         {strand.begin_m.x(), strand.begin_m.y(), strand.end_m.x(), strand.end_m.y(),
          strand.direction.x(), strand.direction.y(), strand.length_m, strand.begin_angle_rad,
          strand.end_angle_rad, wrap.begin_angle_rad, wrap.angle_rad, wrap.pitch_angle_rad,
          wrap.pitch_radius_m, wrap.pitch_line_radius_m}) {
      finite = finite && taut::math::is_finite(value);
    }
  }
  return finite;
}

// Each spec is either refused or gives numbers; both must happen, or the test tests nothing.
void test_no_finite_spec_gives_a_nan() {
  constexpr int kTeeth[] = {0,
                            -7,
                            1,
                            2,
                            3,
                            9,
                            60,
                            std::numeric_limits<int>::max(),
                            20,
                            20,
                            20,
                            20,
                            std::numeric_limits<int>::min()};
  int possible = 0;
  constexpr int kSpecs = 3'000;
  for (int n = 0; n < kSpecs; ++n) {
    DriveSpec spec;
    spec.chain.pitch_m = wild_number();
    const std::size_t count = 1 + pick(3);
    for (std::size_t i = 0; i < count; ++i) {
      spec.sprockets.push_back(sprocket(wild_number(), wild_number(),
                                        kTeeth[pick(std::size(kTeeth))], 0, 1, 1,
                                        pick(3) == 0 ? Side::kOutside : Side::kInside));
    }
    Geometry geometry;
    const GeometryResult result = make_geometry(spec, geometry);
    TEST_ASSERT_TRUE(is_finite(geometry));
    TEST_ASSERT_TRUE(result.strand < count);
    TEST_ASSERT_EQUAL_UINT(result.possible ? count : 0, geometry.sprockets);
    possible += result.possible ? 1 : 0;
  }
  TEST_ASSERT_TRUE(possible > kSpecs / 100 && possible < kSpecs / 2);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_strands_of_6l60mc_are_those_of_pedersen_table_5_4);
  RUN_TEST(test_strands_of_6s90mc_c_are_those_of_pedersen_table_5_8);
  RUN_TEST(test_pitch_radii_are_those_of_the_tables);
  RUN_TEST(test_engines_have_tangent_strands_and_turn_once);
  RUN_TEST(test_two_equal_sprockets);
  RUN_TEST(test_two_unequal_sprockets);
  RUN_TEST(test_two_crossed_sprockets);
  RUN_TEST(test_impossible_strands_are_named);
  RUN_TEST(test_angles_stay_below_a_whole_turn);
  RUN_TEST(test_limits_of_what_is_possible);
  RUN_TEST(test_mirrored_drive_has_the_mirrored_geometry);
  RUN_TEST(test_rotated_drive_has_the_same_lengths);
  RUN_TEST(test_renumbered_drive_has_the_same_strands);
  RUN_TEST(test_eight_sprockets_on_an_octagon);
  RUN_TEST(test_eight_sprockets_in_and_out_turn_once);
  RUN_TEST(test_no_finite_spec_gives_a_nan);
  return UNITY_END();
}
