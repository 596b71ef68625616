// The contact law against its closed forms, its limits, and a roller that bounces.
#include <cmath>
#include <initializer_list>
#include <limits>

#include "unity.h"

#include "sim_core/contact/normal_law.h"

namespace {

using namespace taut::contact;

constexpr double kStiffness = 1e9;  // Pedersen tables 5.2, 5.6
constexpr double kExponents[] = {1.5, 1.0};
constexpr double kDepths_m[] = {1e-9, 1e-6, 1e-4, 0.69e-3, 5e-3, 0.05};

void test_resting_force_is_a_power_of_the_depth() {
  for (const double exponent : kExponents) {
    for (const double restitution : {0.0, 0.5, 1.0}) {
      const auto law = make_normal_law<double>(kStiffness, exponent, restitution);
      for (const double depth_m : kDepths_m) {
        const double expected_N = kStiffness * std::pow(depth_m, exponent);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14 * expected_N, expected_N, elastic_force_N(law, depth_m));
        TEST_ASSERT_TRUE(force_N(law, depth_m, 0.0, 10.0) == elastic_force_N(law, depth_m));
      }
    }
  }
}

// 18 kN on a seat of 1 GN/m^1.5: 0.69 mm.
void test_seat_of_the_engines_yields_as_published() {
  const auto law = make_normal_law<double>(kStiffness, 1.5, 0);
  TEST_ASSERT_DOUBLE_WITHIN(200, 18e3, elastic_force_N(law, 0.69e-3));
}

// Simpson's rule from 0 over 200 pieces. For n = 1 it is exact; delta^1.5 has an unbounded second
// derivative at 0, which leaves 0.1 (1/200)^2.5 = 2e-7 of the whole.
void test_energy_is_the_integral_of_the_force() {
  constexpr int kPieces = 200;
  for (const double exponent : kExponents) {
    const auto law = make_normal_law<double>(kStiffness, exponent, 0);
    for (const double depth_m : kDepths_m) {
      const double piece_m = depth_m / kPieces;
      double sum_N = 0;
      for (int i = 0; i < kPieces; ++i) {
        sum_N += elastic_force_N(law, i * piece_m) + 4 * elastic_force_N(law, (i + 0.5) * piece_m) +
                 elastic_force_N(law, (i + 1) * piece_m);
      }
      const double energy_J = elastic_energy_J(law, depth_m);
      TEST_ASSERT_DOUBLE_WITHIN(1e-6 * energy_J, energy_J, sum_N * piece_m / 6);
    }
  }
}

// Central difference over +-1e-5 of the depth: truncation 1e-11, rounding 1e-16/1e-5.
void test_slope_is_the_derivative_of_the_force() {
  for (const double exponent : kExponents) {
    const auto law = make_normal_law<double>(kStiffness, exponent, 0);
    for (const double depth_m : kDepths_m) {
      const double h = 1e-5 * depth_m;
      const double slope_N_m =
          (elastic_force_N(law, depth_m + h) - elastic_force_N(law, depth_m - h)) / (2 * h);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9 * slope_N_m, slope_N_m, elastic_slope_N_m(law, depth_m));
    }
  }
}

template <typename Real>
void a_gap_has_no_force() {
  constexpr Real kGaps_m[] = {Real(0),
                              Real(-0.0),
                              Real(-1e-12),
                              Real(-1),
                              -std::numeric_limits<Real>::infinity(),
                              std::numeric_limits<Real>::quiet_NaN()};
  for (const double exponent : kExponents) {
    const auto law = make_normal_law<Real>(kStiffness, exponent, 0);
    for (const Real gap_m : kGaps_m) {
      TEST_ASSERT_TRUE(elastic_force_N(law, gap_m) == 0);
      TEST_ASSERT_TRUE(elastic_slope_N_m(law, gap_m) == 0);
      TEST_ASSERT_TRUE(elastic_energy_J(law, gap_m) == 0);
      TEST_ASSERT_TRUE(force_N(law, gap_m, Real(2), Real(10)) == 0);
    }
  }
}

// Pedersen 3.47 where it is not clamped.
void test_force_grows_with_the_approach_speed() {
  const auto law = make_normal_law<double>(kStiffness, 1.5, 0.6);
  const double resting_N = elastic_force_N(law, 1e-3);
  for (int i = -10; i <= 10; ++i) {
    const double speed_ratio = 0.1 * i;
    const double expected_N = resting_N * (1 + 0.75 * (1 - 0.36) * speed_ratio);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13 * resting_N, expected_N,
                              force_N(law, 1e-3, speed_ratio * 0.4, 1 / 0.4));
  }
}

void test_elastic_contact_knows_no_speed() {
  const auto law = make_normal_law<double>(kStiffness, 1.5, 1);
  for (const double speed_m_s : {-100.0, -0.1, 0.0, 0.1, 100.0}) {
    TEST_ASSERT_TRUE(force_N(law, 1e-3, speed_m_s, 10.0) == elastic_force_N(law, 1e-3));
  }
}

void test_force_is_clamped_at_both_ends() {
  for (const double restitution : {0.0, 0.3, 0.9}) {
    const auto law = make_normal_law<double>(kStiffness, 1.5, restitution);
    const double resting_N = elastic_force_N(law, 1e-3);
    const double highest_N = resting_N * (1 + 0.75 * (1 - restitution * restitution));
    const double releasing = -1 / (0.75 * (1 - restitution * restitution));  // v/v0 of no force
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * highest_N, highest_N, force_N(law, 1e-3, 0.5, 1 / 0.5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * highest_N, highest_N, force_N(law, 1e-3, 50.0, 1 / 0.5));
    TEST_ASSERT_TRUE(force_N(law, 1e-3, 0.99 * releasing * 0.5, 1 / 0.5) > 0);
    TEST_ASSERT_TRUE(force_N(law, 1e-3, 1.01 * releasing * 0.5, 1 / 0.5) == 0);
    TEST_ASSERT_TRUE(force_N(law, 1e-3, -1e6, 10.0) == 0);
  }
}

void test_slow_first_touch_counts_as_a_tenth() {
  TEST_ASSERT_TRUE(kSlowestFirstTouch_m_s<double> == 0.1);
  for (const double speed_m_s : {-3.0, 0.0, 1e-9, 0.0999, 0.1}) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 10, inverse_first_touch_speed_s_m(speed_m_s));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1 / 0.11, inverse_first_touch_speed_s_m(0.11));
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5, inverse_first_touch_speed_s_m(2.0));
}

// A mass thrown at the surface. The law's promise, that e is the ratio of speeds, holds for e near
// one only: the exact ratio s of its equation obeys ln((1 - k s)/(1 + k)) = -k (1 + s) with
// k = 3(1 - e^2)/4, whatever the exponent (separate variables in m v dv/ddelta = -f).
void test_bounce_keeps_the_speed_that_the_law_implies() {
  constexpr double kMass_kg = 3.01;
  constexpr double kStep_s = 1e-7;
  for (const double exponent : kExponents) {
    for (const double restitution : {1.0, 0.9, 0.5}) {
      const auto law = make_normal_law<double>(kStiffness, exponent, restitution);
      double depth_m = 0;
      double speed_m_s = 0.5;
      const double inverse = inverse_first_touch_speed_s_m(speed_m_s);
      for (int i = 0; i < 200'000 && depth_m >= 0; ++i) {
        const double force = force_N(law, depth_m, speed_m_s, inverse);
        speed_m_s -= kStep_s * force / kMass_kg;
        depth_m += kStep_s * speed_m_s;
      }
      const double s = -speed_m_s / 0.5;
      const double k = 0.75 * (1 - restitution * restitution);
      TEST_ASSERT_TRUE(depth_m < 0);
      TEST_ASSERT_DOUBLE_WITHIN(1e-3, -k * (1 + s), std::log((1 - k * s) / (1 + k)));
      if (restitution == 1) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1, s);
      }
    }
  }
}

// --- Rubber ---

constexpr LiningSpec kLining = {.modulus_Pa = 10e6,
                                .width_m = 0.068,
                                .thickness_m = 0.02,
                                .roller_radius_m = 0.036195,
                                .hysteresis = 0.3};

LiningSpec with_hysteresis(double hysteresis) {
  LiningSpec lining = kLining;
  lining.hysteresis = hysteresis;
  return lining;
}

// The pressure E u/t summed over the strip under the cylinder by Simpson's rule, which is exact
// for its parabola.
void test_lining_yields_as_a_foundation() {
  const auto law = make_lining_law<double>(kLining);
  for (const double depth_m : {1e-5, 1e-4, 1e-3, 4e-3}) {
    const double half_m = std::sqrt(2 * kLining.roller_radius_m * depth_m);
    const auto line_load_N_m = [&](double x_m) {
      const double u_m = depth_m - x_m * x_m / (2 * kLining.roller_radius_m);
      return kLining.modulus_Pa * u_m / kLining.thickness_m * kLining.width_m;
    };
    const double expected_N =
        2 * half_m / 6 * (line_load_N_m(-half_m) + 4 * line_load_N_m(0) + line_load_N_m(half_m));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * expected_N, expected_N, elastic_force_N(law, depth_m));
  }
}

// By hand: K = 4/3 x 10e6 x 0.068/0.02 x sqrt(0.07239) = 12.198e6 N/m^1.5; 2 kN go
// (2000/K)^(2/3) = 2.996 mm deep, and at rest hysteresis changes nothing.
void test_lining_under_a_load_at_rest() {
  for (const double hysteresis : {0.0, 0.3, 0.9}) {
    const auto law = make_lining_law<double>(with_hysteresis(hysteresis));
    TEST_ASSERT_DOUBLE_WITHIN(5e3, 12.198e6, law.stiffness_N_m_n);
    TEST_ASSERT_DOUBLE_WITHIN(2, 2000, force_N(law, 2.996e-3, 0.0, 10.0));
  }
}

// Pressed in and let go at any speed beyond the smallest: the area of the loop.
void test_lining_keeps_its_part_of_the_energy() {
  constexpr int kPieces = 2000;
  constexpr double kDepth_m = 3e-3;
  for (const double psi : {0.0, 0.1, 0.5, 1.0}) {
    const auto law = make_lining_law<double>(with_hysteresis(psi));
    for (const double speed_m_s : {0.01, 0.1, 5.0}) {
      double loading_J = 0;
      double back_J = 0;
      for (int i = 0; i < kPieces; ++i) {
        const double depth_m = (i + 0.5) * kDepth_m / kPieces;
        loading_J += force_N(law, depth_m, speed_m_s, 10.0) * kDepth_m / kPieces;
        back_J += force_N(law, depth_m, -speed_m_s, 10.0) * kDepth_m / kPieces;
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, psi, (loading_J - back_J) / loading_J);
    }
  }
}

void test_lining_without_hysteresis_is_elastic() {
  const auto law = make_lining_law<double>(with_hysteresis(0));
  for (const double speed_m_s : {-3.0, -0.001, 0.0, 0.001, 3.0}) {
    TEST_ASSERT_TRUE(force_N(law, 1e-3, speed_m_s, 10.0) == elastic_force_N(law, 1e-3));
  }
}

// A mass dropped on it comes back with sqrt(1 - psi) of its speed, however fast it was. Below
// the smallest speed less is lost: a part (v_s/v)^2 of the energy, 4e-4 at 0.5 m/s; the steps
// err by 1e-4.
void test_a_mass_rebounds_from_the_lining_at_any_speed() {
  constexpr double kMass_kg = 13.6;
  for (const double psi : {0.0, 0.3, 0.7}) {
    const auto law = make_lining_law<double>(with_hysteresis(psi));
    for (const double fall_m_s : {0.5, 1.0, 3.0}) {
      constexpr double kStep_s = 1e-6;
      double depth_m = 0;
      double speed_m_s = fall_m_s;
      for (int i = 0; i < 200'000 && depth_m >= 0; ++i) {
        speed_m_s -= kStep_s * force_N(law, depth_m, speed_m_s, 10.0) / kMass_kg;
        depth_m += kStep_s * speed_m_s;
      }
      TEST_ASSERT_TRUE(depth_m < 0);
      TEST_ASSERT_DOUBLE_WITHIN(1e-3, std::sqrt(1 - psi), -speed_m_s / fall_m_s);
    }
  }
}

void test_float_agrees_with_double() {
  for (const double exponent : kExponents) {
    const auto wide = make_normal_law<double>(kStiffness, exponent, 0.4);
    const auto narrow = make_normal_law<float>(kStiffness, exponent, 0.4);
    for (const double depth_m : kDepths_m) {
      const auto depth = static_cast<float>(depth_m);
      const double force = force_N(wide, depth_m, 0.05, 10.0);
      const double energy = elastic_energy_J(wide, depth_m);
      const double slope = elastic_slope_N_m(wide, depth_m);
      TEST_ASSERT_DOUBLE_WITHIN(5e-7 * force, force,
                                static_cast<double>(force_N(narrow, depth, 0.05F, 10.0F)));
      TEST_ASSERT_DOUBLE_WITHIN(5e-7 * energy, energy,
                                static_cast<double>(elastic_energy_J(narrow, depth)));
      TEST_ASSERT_DOUBLE_WITHIN(5e-7 * slope, slope,
                                static_cast<double>(elastic_slope_N_m(narrow, depth)));
    }
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_resting_force_is_a_power_of_the_depth);
  RUN_TEST(test_seat_of_the_engines_yields_as_published);
  RUN_TEST(test_energy_is_the_integral_of_the_force);
  RUN_TEST(test_slope_is_the_derivative_of_the_force);
  RUN_TEST(a_gap_has_no_force<float>);
  RUN_TEST(a_gap_has_no_force<double>);
  RUN_TEST(test_force_grows_with_the_approach_speed);
  RUN_TEST(test_elastic_contact_knows_no_speed);
  RUN_TEST(test_force_is_clamped_at_both_ends);
  RUN_TEST(test_slow_first_touch_counts_as_a_tenth);
  RUN_TEST(test_bounce_keeps_the_speed_that_the_law_implies);
  RUN_TEST(test_lining_yields_as_a_foundation);
  RUN_TEST(test_lining_under_a_load_at_rest);
  RUN_TEST(test_lining_keeps_its_part_of_the_energy);
  RUN_TEST(test_lining_without_hysteresis_is_elastic);
  RUN_TEST(test_a_mass_rebounds_from_the_lining_at_any_speed);
  RUN_TEST(test_float_agrees_with_double);
  return UNITY_END();
}
