// Formulas against the numbers Pedersen prints and against cases worked by hand.
#include <cmath>

#include "unity.h"

#include "sim_core/analysis/closed_forms.h"
#include "tests/unit/drive/engines.h"

namespace {

using namespace taut;

drive::DriveModel engine() {
  drive::DriveModel model;
  TEST_ASSERT_TRUE(drive::make_drive_model(drive_test::engine_6s90mc_c(), model));
  return model;
}

// Pedersen 5.9.1 takes a strand under a 25th of the breaking load.
analysis::StringSpec strand(const drive::DriveModel& model, std::size_t s, double eta) {
  const drive::ChainSpec& chain = model.spec.chain;
  return {model.geometry.strand[s].length_m, chain.breaking_load_N / 25,
          chain.roller_mass_kg / chain.pitch_m, eta};
}

double percent_of_nominal(const drive::DriveModel& model, std::size_t s, double eta, double order,
                          double multiple) {
  return 100 * analysis::resonance_speed_rpm(model, strand(model, s, eta), order, multiple) /
         model.spec.crank.speed_rpm;
}

// Printed in whole percent.
void test_resonance_speeds_of_6s90mc_c() {
  const drive::DriveModel model = engine();
  TEST_ASSERT_DOUBLE_WITHIN(0.5, 107, percent_of_nominal(model, 0, 0, 6, 2));
  TEST_ASSERT_DOUBLE_WITHIN(0.5, 116, percent_of_nominal(model, 0, 1, 6, 2));
  TEST_ASSERT_DOUBLE_WITHIN(0.5, 60, percent_of_nominal(model, 0, 0, 6, 1));
  TEST_ASSERT_DOUBLE_WITHIN(0.5, 6, percent_of_nominal(model, 0, 0, 64, 1));
  TEST_ASSERT_DOUBLE_WITHIN(0.5, 42, percent_of_nominal(model, 3, 0, 6, 1));
}

void test_string_frequencies() {
  // 2 m long, waves of 10 m/s: 2.5 Hz at rest, and standing still at the waves' speed.
  const analysis::StringSpec string{2, 100, 1, 0};
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2.5, analysis::string_frequency_Hz(string, 1, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 7.5, analysis::string_frequency_Hz(string, 3, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2.5 * 0.75, analysis::string_frequency_Hz(string, 1, 5));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, analysis::string_frequency_Hz(string, 1, 10));
}

// Pedersen 5.3: tooth line at 81.1 Hz at 76 rpm.
void test_tooth_frequency_of_6s90mc_c() {
  const drive::DriveModel model = engine();
  const double speed_m_s = analysis::chain_speed_m_s(model, 76);
  TEST_ASSERT_DOUBLE_WITHIN(0.05, 81.07, analysis::tooth_frequency_Hz(speed_m_s, 0.1143));
}

// Pedersen prints 12.4, 23.8 and 63.9 Hz (4.56).
void test_torsion_by_chain_stiffness_alone() {
  const std::vector<double> found = analysis::torsional_chain_only_Hz(engine());
  TEST_ASSERT_EQUAL_INT(3, found.size());
  TEST_ASSERT_DOUBLE_WITHIN(0.05, 12.4, found[0]);
  TEST_ASSERT_DOUBLE_WITHIN(0.06, 23.8, found[1]);
  TEST_ASSERT_DOUBLE_WITHIN(0.05, 63.9, found[2]);
}

// A uniform row of n masses between walls has 2 sqrt(k/m) sin(j pi / 2 (n + 1)): with
// sprockets as heavy as rollers on a radius of one the loop is such a row.
void test_longitudinal_modes_of_a_uniform_row() {
  drive::DriveModel model = engine();
  for (std::size_t s = 1; s < 4; ++s) {
    model.geometry.wrap[s].pitch_radius_m = 1;
    model.spec.sprockets[s].inertia_kg_m2 = model.spec.chain.roller_mass_kg;
  }
  const std::vector<double> found = analysis::longitudinal_Hz(model);
  const auto n = static_cast<double>(found.size());
  const double root = std::sqrt(model.spec.chain.link_stiffness_N_m / 13.6);
  for (std::size_t j = 1; j <= found.size(); ++j) {
    const double expected_Hz =
        root / M_PI * std::sin(static_cast<double>(j) * M_PI / (2 * (n + 1)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9 * expected_Hz, expected_Hz, found[j - 1]);
  }
}

void test_binder_wrap() {
  // Without slack side and speed each link keeps g of the one before; with speed alone
  // every link carries the centrifugal tension and no roller touches.
  // 30 teeth: 35 deg - 4 deg, and sin 31 deg / sin 43 deg.
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 31 * M_PI / 180, analysis::pressure_angle_rad(30));
  const double g = analysis::binder_ratio(30);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.755190, g);
  const analysis::WrapForces tight = analysis::binder_wrap(30, 15, 1000, 0, 0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1000 * g, tight.link_N[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1000 * g * g, tight.link_N[1]);
  const analysis::WrapForces whirling = analysis::binder_wrap(30, 15, 200, 200, 200);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 200, whirling.link_N[7]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, whirling.contact_N[7]);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_resonance_speeds_of_6s90mc_c);
  RUN_TEST(test_string_frequencies);
  RUN_TEST(test_tooth_frequency_of_6s90mc_c);
  RUN_TEST(test_torsion_by_chain_stiffness_alone);
  RUN_TEST(test_longitudinal_modes_of_a_uniform_row);
  RUN_TEST(test_binder_wrap);
  return UNITY_END();
}
