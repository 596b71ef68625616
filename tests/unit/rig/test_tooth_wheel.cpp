// Edges of the tooth wheel at constant speed, where they are known: (angle of the tooth)/speed.
#include <algorithm>
#include <cmath>

#include "unity.h"

#include "host_tools/rig/tooth_wheel.h"
#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/step_size.h"

namespace {

using namespace taut;
using namespace taut::rig;
using signal::EdgeKind;

constexpr double kTurn_rad = math::kTwoPi<double>;
constexpr double kSpeed_rad_tick = 8 * roller_chain::kTick_s;
constexpr WheelSpec kExact{.pitch_error_sd_rad = 0, .edge_jitter_sd_s = 0, .edge_delay_s = 0};

// So many steps of 1/25 tick from an angle on; the angle as an engine has it, wrapped.
std::vector<PassedEdge> passed_by(ToothWheel& wheel, int steps, double tooth_slip_rad = 0,
                                  double index_slip_rad = 0, double begin_rad = 0) {
  constexpr int kSteps = 25;
  std::vector<PassedEdge> passed;
  double from_rad = begin_rad;
  for (int i = 0; i < steps; ++i) {
    double to_rad = from_rad + kSpeed_rad_tick / kSteps;
    to_rad -= to_rad >= kTurn_rad ? kTurn_rad : 0;
    wheel.turn({from_rad, to_rad, static_cast<double>(i) / kSteps, 1.0 / kSteps, tooth_slip_rad,
                index_slip_rad},
               passed);
    from_rad = to_rad;
  }
  return passed;
}

std::vector<double> times_of(const std::vector<PassedEdge>& passed, EdgeKind kind) {
  std::vector<double> times;
  for (const PassedEdge& edge : passed) {
    if (edge.kind == kind) {
      times.push_back(edge.time_ticks);
    }
  }
  return times;
}

constexpr int kTurnSteps = 39'270;  // a turn less one step

void test_edges_pass_at_the_angles_of_teeth() {
  ToothWheel wheel(kExact, 1);
  const auto passed = passed_by(wheel, 3 * (kTurnSteps + 1) - 5);
  const auto teeth = times_of(passed, EdgeKind::kTooth);
  TEST_ASSERT_EQUAL(3 * 58, teeth.size());
  for (std::size_t i = 0; i < teeth.size(); ++i) {
    const double angle_rad =
        static_cast<double>(i % 58) * kTurn_rad / 60 + static_cast<double>(i / 58) * kTurn_rad;
    // Rounding of the angle, summed over 1e5 steps; 1/65536 tick is 1.5e-5.
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, angle_rad / kSpeed_rad_tick, teeth[i]);
  }
  const auto marks = times_of(passed, EdgeKind::kIndex);
  TEST_ASSERT_EQUAL(3, marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, (0.05 + static_cast<double>(i) * kTurn_rad) / kSpeed_rad_tick,
                              marks[i]);
  }
}

void test_wheels_of_other_counts() {
  for (const auto& [teeth, missing] : {std::pair{36, 1}, {360, 0}, {3600, 0}, {4, 2}}) {
    WheelSpec spec = kExact;
    spec.teeth = teeth;
    spec.missing = missing;
    ToothWheel wheel(spec, 1);
    const auto passed = passed_by(wheel, 2 * (kTurnSteps + 1) - 4);
    TEST_ASSERT_EQUAL(2 * (teeth - missing), times_of(passed, EdgeKind::kTooth).size());
    TEST_ASSERT_TRUE(std::is_sorted(passed.begin(), passed.end(), [](const auto& a, const auto& b) {
      return a.time_ticks < b.time_ticks;
    }));
  }
}

// The engine's steps end on angles that edges have, and on the turn: none is lost or seen twice.
void test_no_edge_falls_between_two_steps() {
  WheelSpec spec = kExact;
  spec.teeth = 64;
  spec.missing = 0;
  spec.index_angle_rad = 0;
  ToothWheel wheel(spec, 1);
  std::vector<PassedEdge> passed;
  constexpr int kTurns = 200;
  constexpr int kSteps = 192;  // three steps a tooth
  for (int turn = 0; turn < kTurns; ++turn) {
    for (int i = 0; i < kSteps; ++i) {
      const double from_rad = i * kTurn_rad / kSteps;
      const double to_rad = i + 1 < kSteps ? (i + 1) * kTurn_rad / kSteps : 0;
      wheel.turn({from_rad, to_rad, 0, 1, 0, 0}, passed);
    }
  }
  TEST_ASSERT_EQUAL(kTurns * 64, times_of(passed, EdgeKind::kTooth).size());
  TEST_ASSERT_EQUAL(kTurns, times_of(passed, EdgeKind::kIndex).size());
}

void test_a_crank_that_stands_or_turns_back_passes_nothing() {
  ToothWheel wheel(kExact, 1);
  std::vector<PassedEdge> passed;
  wheel.turn({1, 1, 0, 1, 0, 0}, passed);
  wheel.turn({0.11, 0.10, 0, 1, 0, 0}, passed);
  wheel.turn({0.01, kTurn_rad - 0.01, 0, 1, 0, 0}, passed);
  TEST_ASSERT_EQUAL(0, passed.size());
}

// Errors belong to teeth: the same in every turn, another for each tooth, with the spread given.
void test_pitch_errors_repeat_and_have_their_spread() {
  WheelSpec spec = kExact;
  spec.teeth = 360;
  spec.missing = 0;
  spec.pitch_error_sd_rad = 1e-4;
  ToothWheel wheel(spec, 3);
  const auto teeth =
      times_of(passed_by(wheel, 2 * (kTurnSteps + 1) - 4, 0, 0, 0.001), EdgeKind::kTooth);
  TEST_ASSERT_EQUAL(720, teeth.size());
  double squares = 0;
  for (std::size_t i = 0; i < 360; ++i) {
    const double angle_rad = 0.001 + teeth[i] * kSpeed_rad_tick;
    const auto tooth = static_cast<int>(std::lround(angle_rad * 360 / kTurn_rad));
    const double error_rad = angle_rad - tooth * kTurn_rad / 360;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, wheel.tooth_rad(tooth % 360) - (tooth % 360) * kTurn_rad / 360,
                              error_rad);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, kTurn_rad / kSpeed_rad_tick, teeth[i + 360] - teeth[i]);
    squares += error_rad * error_rad / 360;
  }
  TEST_ASSERT_DOUBLE_WITHIN(0.2e-4, 1e-4, std::sqrt(squares));  // five times 1e-4/sqrt(2 x 360)
  TEST_ASSERT_TRUE(ToothWheel(spec, 3).tooth_rad(7) == wheel.tooth_rad(7));
  TEST_ASSERT_TRUE(ToothWheel(spec, 4).tooth_rad(7) != wheel.tooth_rad(7));
}

void test_jitter_and_delay_of_edges() {
  WheelSpec spec = kExact;
  spec.teeth = 3600;
  spec.missing = 0;
  spec.edge_jitter_sd_s = 2e-6;
  spec.edge_delay_s = 20e-6;
  ToothWheel wheel(spec, 3);
  const auto teeth = times_of(passed_by(wheel, kTurnSteps - 4), EdgeKind::kTooth);
  TEST_ASSERT_EQUAL(3600, teeth.size());
  double mean_s = 0;
  double square_s2 = 0;
  for (std::size_t i = 0; i < teeth.size(); ++i) {
    const double exact = static_cast<double>(i) * kTurn_rad / 3600 / kSpeed_rad_tick;
    const double late_s = (teeth[i] - exact) * roller_chain::kTick_s;
    TEST_ASSERT_TRUE(late_s >= 8e-6 - 1e-12);
    mean_s += late_s / 3600;
    square_s2 += (late_s - 20e-6) * (late_s - 20e-6) / 3600;
  }
  TEST_ASSERT_DOUBLE_WITHIN(5 * 2e-6 / 60, 20e-6, mean_s);
  TEST_ASSERT_DOUBLE_WITHIN(5 * 2e-6 / 85, 2e-6, std::sqrt(square_s2));
}

void test_a_slip_makes_edges_late_by_its_angle() {
  ToothWheel wheel(kExact, 1);
  const auto passed = passed_by(wheel, 20'000, 0.03, -0.02);
  const auto teeth = times_of(passed, EdgeKind::kTooth);
  for (std::size_t i = 0; i < 20; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(
        1e-7, (0.03 + static_cast<double>(i) * kTurn_rad / 60) / kSpeed_rad_tick, teeth[i]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.03 / kSpeed_rad_tick, times_of(passed, EdgeKind::kIndex)[0]);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_edges_pass_at_the_angles_of_teeth);
  RUN_TEST(test_wheels_of_other_counts);
  RUN_TEST(test_no_edge_falls_between_two_steps);
  RUN_TEST(test_a_crank_that_stands_or_turns_back_passes_nothing);
  RUN_TEST(test_pitch_errors_repeat_and_have_their_spread);
  RUN_TEST(test_jitter_and_delay_of_edges);
  RUN_TEST(test_a_slip_makes_edges_late_by_its_angle);
  return UNITY_END();
}
