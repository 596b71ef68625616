// The drive at rest, and the potential it rests in.
#include <cmath>

#include "unity.h"

#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/potential.h"
#include "sim_core/roller_chain/retighten.h"
#include "sim_core/roller_chain/statics.h"
#include "sim_core/tightener/hydraulic_unit.h"
#include "tests/unit/drive/transformed.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;

using drive_test::at_rest;
using drive_test::engine_with_fixed_tightener;
using drive_test::model_of;

drive::DriveSpec engine_with_arm() {
  return drive_test::engine_6s90mc_c();
}

// Somewhere near rest but not there, so that every force is at work.
Configuration<double> disturbed(const Equilibrium& rest) {
  Configuration<double> at = rest.at;
  for (std::size_t i = 0; i < rest.model.links; ++i) {
    const auto phase = static_cast<double>(i);
    at.x_m[i] += 2e-5 * std::sin(3.7 * phase);
    at.y_m[i] += 2e-5 * std::cos(2.3 * phase);
  }
  for (std::size_t s = 1; s < rest.model.sprockets; ++s) {
    at.angle_rad[s] += 3e-5 * static_cast<double>(s);
  }
  for (std::size_t s = 0; s < rest.model.sprockets; ++s) {
    if (rest.model.sprocket[s].yields) {
      at.offset_x_m[s] += 2e-5;
      at.offset_y_m[s] -= 1e-5 * static_cast<double>(s);
    }
  }
  at.arm_angle_rad += 1e-4;
  at.unit.oil_m3 += 1e-6;
  return at;
}

Eigen::VectorXd forces_at(const RollerModel<double>& model, const Configuration<double>& at) {
  return Coordinates(model).gather(forces_at_rest(model, at));
}

// Central differences of step h err by h^2 f''' and by round-off of the energy (3e5 J,
// eps 1e-16) over h: about 1e-4 N at h = 1e-7 m, beside forces of 1e4 to 1e5 N.
void check_forces(const drive::DriveSpec& spec) {
  const Equilibrium rest = at_rest(model_of(spec));
  const Configuration<double> at = disturbed(rest);
  const Coordinates coordinates(rest.model);
  const Eigen::VectorXd forces = forces_at(rest.model, at);
  constexpr double kStep = 1e-7;
  for (int i = 0; i < coordinates.count(); ++i) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(coordinates.count(), i);
    Configuration<double> above = at;
    Configuration<double> below = at;
    coordinates.add(kStep * unit, above);
    coordinates.add(-kStep * unit, below);
    const double slope =
        (potential_J(rest.model, above) - potential_J(rest.model, below)) / (2 * kStep);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * forces.cwiseAbs().maxCoeff(), -slope, forces[i]);
  }
}

void check_stiffness(const drive::DriveSpec& spec) {
  const Equilibrium rest = at_rest(model_of(spec));
  const Configuration<double> at = disturbed(rest);
  const Coordinates coordinates(rest.model);
  const Eigen::MatrixXd stiff = roller_chain::stiffness(rest.model, at);
  const double largest = stiff.cwiseAbs().maxCoeff();
  TEST_ASSERT_TRUE((stiff - stiff.transpose()).cwiseAbs().maxCoeff() <= 1e-15 * largest);
  constexpr double kStep = 1e-8;
  for (int i = 0; i < coordinates.count(); ++i) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(coordinates.count(), i);
    Configuration<double> above = at;
    Configuration<double> below = at;
    coordinates.add(kStep * unit, above);
    coordinates.add(-kStep * unit, below);
    const Eigen::VectorXd column =
        (forces_at(rest.model, below) - forces_at(rest.model, above)) / (2 * kStep);
    // Round-off of link forces (1e-6 N) over the step: 1e2 N/m beside 4e9.
    const double error = (column - stiff.col(i)).cwiseAbs().maxCoeff();
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * largest, 0, error);
  }
}

double travel_at_rest_m(const Equilibrium& rest) {
  return tightener::travel_m(rest.model.unit,
                             tightener::pose(rest.model.arm, rest.at.arm_angle_rad).length_m);
}

// At a stop besides: 1 mm beyond where the arm rests without.
drive::DriveSpec engine_on_a_stop() {
  drive::DriveSpec spec = drive_test::engine_with_hydraulic_tightener();
  const drive::DriveModel model = model_of(spec);
  const Equilibrium rest = at_rest(model);
  spec.hydraulic.travel_out_m = travel_at_rest_m(rest) - 1e-3;
  return spec;
}

void test_forces_are_minus_the_slope_of_the_potential() {
  check_forces(engine_with_arm());
  check_forces(drive_test::damaged_6s90mc_c());
  check_forces(drive_test::engine_with_hydraulic_tightener());
  check_forces(engine_on_a_stop());
  check_forces(drive_test::engine_on_supports());
  check_forces(drive_test::engine_with_counterweights());
}

void test_stiffness_is_minus_the_slope_of_the_forces_and_symmetric() {
  check_stiffness(engine_with_arm());
  check_stiffness(drive_test::damaged_6s90mc_c());
  check_stiffness(drive_test::engine_with_hydraulic_tightener());
  check_stiffness(engine_on_a_stop());
  check_stiffness(drive_test::engine_on_supports());
  check_stiffness(drive_test::engine_with_counterweights());
}

// A chain between two sprockets pulls each with both its strands: the centre that yields goes by
// the sum of tensions over its stiffness. Strands are parallel; without gravity.
void test_a_support_yields_by_force_over_stiffness() {
  drive::DriveSpec spec = drive_test::pair_of_sprockets();
  spec.sprockets[1].support_stiffness_N_m = 1e8;
  const drive::DriveModel model = model_of(spec);
  const Equilibrium rest = at_rest(model);
  const StaticsReport found = report(model, rest);
  const double pull_N = found.strand_mean_N[0] + found.strand_mean_N[1];
  TEST_ASSERT_TRUE(pull_N > 10e3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * pull_N, -pull_N, 1e8 * rest.at.offset_x_m[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6 * pull_N, 0, 1e8 * rest.at.offset_y_m[1]);
  TEST_ASSERT_TRUE(rest.at.offset_x_m[0] == 0);
}

// With gravity the supports of a drive carry chain and sprockets, as far as bars and arm do not.
void test_supports_carry_pull_and_weight() {
  const drive::DriveSpec spec = drive_test::engine_on_supports();
  const Equilibrium rest = at_rest(model_of(spec));
  for (const std::size_t s : {0U, 1U, 3U}) {
    const double carried_N = 4e8 * rest.at.offset_y_m[s];
    TEST_ASSERT_TRUE(std::abs(carried_N) > 10e3);
  }
  // Heavier by 1000 kg, it hangs lower by nearly their weight over the stiffness: the chain,
  // which is softer, takes the rest.
  drive::DriveSpec heavy = spec;
  heavy.sprockets[1].mass_kg += 1000;
  const Equilibrium lower = at_rest(model_of(heavy));
  const double moved_m = lower.at.offset_y_m[1] - rest.at.offset_y_m[1];
  TEST_ASSERT_DOUBLE_WITHIN(0.2 * 9810 / 4e8, -9810 / 4e8, moved_m);
}

// The stiffer the supports, the nearer the rigid drive; at 1e14 N/m to the last digits.
void test_stiff_supports_are_rigid() {
  drive::DriveSpec spec = drive_test::engine_on_supports();
  for (drive::SprocketSpec& sprocket : spec.sprockets) {
    sprocket.support_stiffness_N_m = sprocket.support_stiffness_N_m > 0 ? 1e14 : 0;
  }
  const drive::DriveModel stiff = model_of(spec);
  const drive::DriveModel rigid = model_of(engine_with_arm());
  const StaticsReport found = report(stiff, at_rest(stiff));
  const StaticsReport expected = report(rigid, at_rest(rigid));
  for (std::size_t s = 0; s < 4; ++s) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * expected.strand_mean_N[s], expected.strand_mean_N[s],
                              found.strand_mean_N[s]);
  }
}

// Oil at rest adds its pressure times its area to the pull, and nothing else: a drive with an
// arm whose spring pulls as much more rests in the same place.
void test_a_hydraulic_unit_rests_with_its_valve_and_gap_in_balance() {
  const drive::DriveSpec spec = drive_test::engine_with_hydraulic_tightener();
  const drive::DriveModel model = model_of(spec);
  const Equilibrium rest = at_rest(model);
  const double oil_N = spec.hydraulic.piston_area_m2 * rest.model.unit.rest_pressure_Pa;
  TEST_ASSERT_TRUE(oil_N > 1e3);
  TEST_ASSERT_DOUBLE_WITHIN(
      1e-9 * oil_N, oil_N,
      tightener::push_N(rest.model.unit, rest.at.unit, travel_at_rest_m(rest)));
  drive::DriveSpec arm = engine_with_arm();
  arm.tightener.spring_free_length_m -= oil_N / arm.tightener.spring_stiffness_N_m;
  const drive::DriveModel arm_model = model_of(arm);
  const Equilibrium arm_rest = at_rest(arm_model);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, arm_rest.at.arm_angle_rad, rest.at.arm_angle_rad);
  const StaticsReport found = report(model, rest);
  const StaticsReport expected = report(arm_model, arm_rest);
  for (std::size_t s = 0; s < 4; ++s) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * expected.strand_mean_N[s], expected.strand_mean_N[s],
                              found.strand_mean_N[s]);
  }
}

// A unit without an area is none: to the last digits of a solution.
void test_a_unit_without_area_is_the_arm_alone() {
  drive::DriveSpec spec = drive_test::engine_with_hydraulic_tightener();
  spec.hydraulic.piston_area_m2 = 0;
  const Equilibrium rest = at_rest(model_of(spec));
  const Equilibrium arm = at_rest(model_of(engine_with_arm()));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, arm.at.arm_angle_rad, rest.at.arm_angle_rad);
}

// The stop takes what the chain at rest would not: no further than load over stiffness.
void test_a_stop_is_passed_by_load_over_stiffness() {
  const drive::DriveSpec spec = engine_on_a_stop();
  const Equilibrium rest = at_rest(model_of(spec));
  const double beyond_m = travel_at_rest_m(rest) - spec.hydraulic.travel_out_m;
  TEST_ASSERT_TRUE(beyond_m > 0);
  TEST_ASSERT_TRUE(beyond_m < 60e3 / spec.hydraulic.stop_stiffness_N_m);
}

// Pedersen 5.8 prints the tightener's sprocket at (0.334, 4.749) with the arm free.
void test_6s90mc_c_with_free_arm_rests_where_published() {
  const drive::DriveModel model = model_of(engine_with_arm());
  const Equilibrium rest = at_rest(model);
  const StaticsReport found = report(model, rest);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.334, found.centre_x_m);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 4.749, found.centre_y_m);
}

// An independent implementation of the same equations gave 62.3, 64.9, 66.0 and 62.5 kN;
// half a percent allows for its tooth phase and its rest.
void test_6s90mc_c_with_fixed_tightener_has_known_tensions() {
  const drive::DriveModel model = model_of(engine_with_fixed_tightener());
  const StaticsReport found = report(model, at_rest(model));
  const double known_N[] = {62.3e3, 64.9e3, 66.0e3, 62.5e3};
  for (std::size_t s = 0; s < 4; ++s) {
    TEST_ASSERT_DOUBLE_WITHIN(5e-3 * known_N[s], known_N[s], found.strand_mean_N[s]);
  }
}

// Any wanted tension is reached, with either tightener, and the drive then has it.
void test_retighten_reaches_the_wanted_tension() {
  for (const drive::DriveSpec& spec : {engine_with_arm(), engine_with_fixed_tightener(),
                                       drive_test::engine_with_hydraulic_tightener()}) {
    for (const double wanted_N : {40e3, 100e3}) {
      const Retightened found = retighten(spec, wanted_N);
      TEST_ASSERT_TRUE(found.found);
      TEST_ASSERT_DOUBLE_WITHIN(1e-3 * wanted_N, wanted_N, mean_tension_N(found.spec));
    }
  }
}

void test_retighten_says_so_where_it_cannot() {
  const Retightened found = retighten(engine_with_arm(), 1e9);
  TEST_ASSERT_FALSE(found.found);
  TEST_ASSERT_TRUE(found.highest_N < 1e9);
}

// A bar as thick as the drive is wide has the other strands inside it, and leaves them alone. Its
// rounder ends press a little less.
void test_a_thick_bar_touches_its_own_strand_only() {
  drive::DriveSpec thick = engine_with_arm();
  for (drive::GuideBarSpec& bar : thick.guide_bars) {
    bar.end_radius_m = 4;
  }
  const drive::DriveModel model = model_of(engine_with_arm());
  const drive::DriveModel thick_model = model_of(thick);
  const StaticsReport usual = report(model, at_rest(model));
  const StaticsReport found = report(thick_model, at_rest(thick_model));
  for (std::size_t s = 0; s < 4; ++s) {
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * usual.strand_mean_N[s], usual.strand_mean_N[s],
                              found.strand_mean_N[s]);
  }
}

void check_same_tensions(const drive::DriveSpec& a, const drive::DriveSpec& b) {
  const drive::DriveModel model_a = model_of(a);
  const drive::DriveModel model_b = model_of(b);
  const StaticsReport found_a = report(model_a, at_rest(model_a));
  const StaticsReport found_b = report(model_b, at_rest(model_b));
  for (std::size_t i = 0; i < model_a.geometry.sprockets; ++i) {
    // Both rest to 1e-9 of the forces; conditioning takes three digits.
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * found_a.strand_mean_N[i], found_a.strand_mean_N[i],
                              found_b.strand_mean_N[i]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6 * found_a.largest_seat_force_N, found_a.largest_seat_force_N,
                            found_b.largest_seat_force_N);
}

void test_mirrored_drive_rests_mirrored() {
  for (const drive::DriveSpec& spec : {engine_with_arm(), drive_test::damaged_6s90mc_c(),
                                       drive_test::engine_with_counterweights()}) {
    check_same_tensions(spec, drive_test::mirrored(spec));
  }
}

void test_rotated_drive_with_its_gravity_rests_rotated() {
  const double angle_rad = 37 * math::kPi<double> / 180;
  for (const drive::DriveSpec& spec :
       {engine_with_arm(), drive_test::engine_with_counterweights()}) {
    check_same_tensions(spec, drive_test::rotated(spec, angle_rad));
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_forces_are_minus_the_slope_of_the_potential);
  RUN_TEST(test_stiffness_is_minus_the_slope_of_the_forces_and_symmetric);
  RUN_TEST(test_a_support_yields_by_force_over_stiffness);
  RUN_TEST(test_supports_carry_pull_and_weight);
  RUN_TEST(test_stiff_supports_are_rigid);
  RUN_TEST(test_a_hydraulic_unit_rests_with_its_valve_and_gap_in_balance);
  RUN_TEST(test_a_unit_without_area_is_the_arm_alone);
  RUN_TEST(test_a_stop_is_passed_by_load_over_stiffness);
  RUN_TEST(test_6s90mc_c_with_free_arm_rests_where_published);
  RUN_TEST(test_6s90mc_c_with_fixed_tightener_has_known_tensions);
  RUN_TEST(test_retighten_reaches_the_wanted_tension);
  RUN_TEST(test_retighten_says_so_where_it_cannot);
  RUN_TEST(test_a_thick_bar_touches_its_own_strand_only);
  RUN_TEST(test_mirrored_drive_rests_mirrored);
  RUN_TEST(test_rotated_drive_with_its_gravity_rests_rotated);
  return UNITY_END();
}
