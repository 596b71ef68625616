// Vibrations of the whole drive about rest, and forces in a wrap at rest.
#include <cmath>
#include <vector>

#include "unity.h"

#include "sim_core/analysis/closed_forms.h"
#include "sim_core/analysis/modes.h"
#include "sim_core/math/constants.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;

using drive_test::at_rest;
using drive_test::engine_with_fixed_tightener;
using drive_test::model_of;

// Seats are softer than the chain: about 8.5, 12 and 31 Hz where the chain alone gives
// 12.4, 23.8 and 63.9. 5 % covers the two figures those are known to.
void test_torsional_modes_lie_far_below_those_of_the_chain_alone() {
  const drive::DriveModel model = model_of(engine_with_fixed_tightener());
  const std::vector<double> found = analysis::torsional_Hz(analysis::modes(at_rest(model)), 3);
  const double known_Hz[] = {8.5, 12, 31};
  const std::vector<double> chain_only_Hz = analysis::torsional_chain_only_Hz(model);
  for (std::size_t i = 0; i < 3; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * known_Hz[i], known_Hz[i], found[i]);
    TEST_ASSERT_TRUE(found[i] < 0.75 * chain_only_Hz[i]);
  }
}

// Teeth a million times stiffer leave the chain's own compliance, shared by the links on
// the seats: what remains lies between the softer of both neighbours and their sum.
void test_compliance_comes_from_the_seats() {
  drive::DriveSpec spec = engine_with_fixed_tightener();
  const std::vector<double> soft = analysis::pitch_line_compliance_m_N(at_rest(model_of(spec)));
  spec.contact.stiffness_N_m_n = 1e12;
  const std::vector<double> hard = analysis::pitch_line_compliance_m_N(at_rest(model_of(spec)));
  for (std::size_t i = 0; i < soft.size(); ++i) {
    TEST_ASSERT_TRUE(soft[i] > 1.5 * hard[i]);
  }
}

void test_all_modes_are_stable_and_shares_add_up() {
  const std::vector<analysis::Mode> found =
      analysis::modes(at_rest(model_of(drive_test::engine_6s90mc_c())));
  double sprockets = 0;
  double arm = 0;
  for (const analysis::Mode& mode : found) {
    TEST_ASSERT_TRUE(mode.frequency_Hz > 0.1);
    sprockets += mode.sprocket_share;
    arm += mode.arm_share;
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3, sprockets);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, arm);
}

// Oil that does not give way makes of the arm a fixed tightener, standing where the arm rests.
void test_locked_oil_is_a_rigid_link() {
  drive::DriveSpec spec = drive_test::engine_with_hydraulic_tightener();
  spec.hydraulic.bulk_modulus_Pa = 1e15;
  const roller_chain::Equilibrium rest = at_rest(model_of(spec));
  const drive::DriveSpec fixed =
      drive::with_tightener_turned(engine_with_fixed_tightener(), rest.at.arm_angle_rad);
  const std::vector<double> found = analysis::torsional_Hz(analysis::modes(rest), 3);
  const std::vector<double> expected =
      analysis::torsional_Hz(analysis::modes(at_rest(model_of(fixed))), 3);
  for (std::size_t i = 0; i < 3; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * expected[i], expected[i], found[i]);
  }
}

// One sprocket loaded by a torque.
drive::DriveSpec loaded_pair(double torque_N_m) {
  drive::DriveSpec spec = drive_test::pair_of_sprockets();
  spec.sprockets[1].load_torque_N_m = torque_N_m;
  return spec;
}

// A heavy wheel on a soft support: across the chain, which only hangs there, it swings by itself.
// Tension and mass of the chain change that by 1e-3 at most.
void test_a_wheel_on_its_support_swings_by_itself() {
  drive::DriveSpec spec = loaded_pair(0);
  spec.sprockets[1].mass_kg = 1e6;
  spec.sprockets[1].support_stiffness_N_m = 4e7;
  const std::vector<analysis::Mode> found = analysis::modes(at_rest(model_of(spec)));
  const double expected_Hz = std::sqrt(4e7 / 1e6) / math::kTwoPi<double>;
  bool seen = false;
  double shares = 0;
  for (const analysis::Mode& mode : found) {
    shares += mode.centre_share;
    seen =
        seen || (mode.centre_share > 0.99 && std::abs(mode.frequency_Hz / expected_Hz - 1) < 1e-3);
  }
  TEST_ASSERT_TRUE(seen);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, shares);
}

// Binder: on the tight half of a wrap each link carries g of the one before. True seats
// follow within 2 % from the second roller on; the first rides up its tooth.
void test_link_forces_decay_along_a_wrap_as_binder_says() {
  double low_N_m = 0;
  double high_N_m = 80e3;
  roller_chain::StaticsReport found{};
  for (int i = 0; i < 40; ++i) {  // the torque that makes slack / tight 0.1
    const double torque_N_m = (low_N_m + high_N_m) / 2;
    const drive::DriveModel model = model_of(loaded_pair(torque_N_m));
    found = report(model, at_rest(model));
    const double ratio = std::min(found.strand_mean_N[0], found.strand_mean_N[1]) /
                         std::max(found.strand_mean_N[0], found.strand_mean_N[1]);
    (ratio > 0.1 ? low_N_m : high_N_m) = torque_N_m;
  }
  // Strand 1 runs to the loaded sprocket and is slack; its rollers 30 to 45 are seated,
  // link i joins rollers i - 1 and i, and the chain leaves by the tight strand.
  std::size_t last = 0;
  for (std::size_t i = 20; i < 60; ++i) {
    last = found.seat_force_N[i] > 0 ? i : last;
  }
  const double g = analysis::binder_ratio(30);
  const auto half = static_cast<std::size_t>(found.seated[1] / 2);
  TEST_ASSERT_TRUE(half >= 7);
  for (std::size_t i = 1; i + 1 < half; ++i) {
    const double ratio = found.link_force_N[last - i] / found.link_force_N[last - i + 1];
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * g, g, ratio);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_torsional_modes_lie_far_below_those_of_the_chain_alone);
  RUN_TEST(test_compliance_comes_from_the_seats);
  RUN_TEST(test_all_modes_are_stable_and_shares_add_up);
  RUN_TEST(test_locked_oil_is_a_rigid_link);
  RUN_TEST(test_a_wheel_on_its_support_swings_by_itself);
  RUN_TEST(test_link_forces_decay_along_a_wrap_as_binder_says);
  return UNITY_END();
}
