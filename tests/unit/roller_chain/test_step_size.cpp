// How long a step may be: the rule, and that the chain bears it but not much more.
#include <cmath>
#include <memory>

#include "unity.h"

#include "sim_core/roller_chain/step_size.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;
using drive_test::Moving;

// By hand: sqrt(13.6/2137e6) = 79.8 us, z = 20e3/sqrt(13.6 x 2137e6) = 0.1173.
void test_6s90mc_c() {
  const drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  TEST_ASSERT_DOUBLE_WITHIN(0.5e-6, 71e-6, stable_step_s(spec));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 50e-6, default_step_s(spec));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.95 * stable_step_s(spec), longest_step_s(spec));
}

void test_default_is_a_whole_fraction_of_the_tick() {
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  for (int i = 0; i < 40; ++i) {
    spec.chain.link_stiffness_N_m *= 1.2;
    const double steps = kTick_s / default_step_s(spec);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, std::round(steps), steps);
    TEST_ASSERT_TRUE(default_step_s(spec) <= 0.72 * stable_step_s(spec));
    TEST_ASSERT_TRUE(default_step_s(spec) >
                     0.72 * stable_step_s(spec) * (steps - 1) / steps - 1e-12);
  }
}

// Largest link force of 0.2 s at a step; a chain that blows up has any.
double largest_N(const drive::DriveSpec& spec, double step_s) {
  const drive::DriveModel drive = drive_test::model_of(spec);
  auto moving = std::make_unique<Moving<>>();
  start(drive, drive_test::at_rest(drive).at, {.step = {.step_s = step_s}}, *moving);
  double largest_N = 0;
  for (long i = 0; i < std::lround(0.2 / step_s); ++i) {
    advance(*moving);
    for (std::size_t link = 0; link < moving->model.links; ++link) {
      const double force_N = std::abs(moving->scratch.tension_N[link]);
      largest_N = force_N < 1e12 ? std::max(largest_N, force_N) : 1e12;
    }
  }
  return largest_N;
}

void check_limit(const drive::DriveSpec& spec) {
  const double stable_s = stable_step_s(spec);
  TEST_ASSERT_TRUE(largest_N(spec, 0.95 * stable_s) < 0.3e6);
  TEST_ASSERT_TRUE(largest_N(spec, 1.25 * stable_s) > 1e6);
}

void test_links_set_the_limit() {
  check_limit(drive_test::engine_6s90mc_c());
}

// One link four times as stiff as the others moves its two rollers at about 1.5 times the highest
// frequency of the rest: what the others would bear is too long.
void test_the_stiffest_link_counts() {
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  const double of_the_others_s = stable_step_s(spec);
  spec.special_links.push_back({.number = 30, .stiffness_factor = 4});
  drive::DriveSpec all = drive_test::engine_6s90mc_c();
  all.chain.link_stiffness_N_m *= 4;
  TEST_ASSERT_TRUE(stable_step_s(spec) == stable_step_s(all));
  TEST_ASSERT_TRUE(largest_N(spec, longest_step_s(spec)) < 0.3e6);
  TEST_ASSERT_TRUE(largest_N(spec, 0.95 * of_the_others_s) > 1e6);
}

void test_a_soft_link_changes_nothing() {
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  const double sound_s = stable_step_s(spec);
  spec.special_links.push_back({.number = 30, .stiffness_factor = 0.3});
  TEST_ASSERT_TRUE(stable_step_s(spec) == sound_s);
}

void test_strong_joint_damping_sets_it() {
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  spec.chain.joint_damping_N_m_s = 1000;
  TEST_ASSERT_TRUE(stable_step_s(spec) < 25e-6);
  check_limit(spec);
}

// By hand: a wheel of 100 kg on 250 GN/m bears 2 x 20 us.
void test_a_stiff_support_sets_it() {
  drive::DriveSpec spec = drive_test::engine_on_supports();
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, stable_step_s(drive_test::engine_6s90mc_c()),
                            stable_step_s(spec));
  spec.sprockets[1].mass_kg = 100;
  spec.sprockets[1].support_stiffness_N_m = 2.5e11;
  spec.sprockets[1].support_damping_N_s_m = 0;
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 40e-6, stable_step_s(spec));
  TEST_ASSERT_TRUE(largest_N(spec, 0.95 * stable_step_s(spec)) < 0.3e6);
  TEST_ASSERT_TRUE(largest_N(spec, 1.05 * stable_step_s(spec)) > 1e6);
}

// By hand: 156 + 300 + 6 MN/m at 0.79 m on 61 kg m^2 make 2 x 0.46 ms; a stop of 100 GN/m less.
void test_a_stiff_hydraulic_unit_sets_it() {
  drive::DriveSpec spec = drive_test::engine_with_hydraulic_tightener();
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, stable_step_s(drive_test::engine_6s90mc_c()),
                            stable_step_s(spec));
  spec.hydraulic.stop_stiffness_N_m = 1e11;
  const double inertia_kg_m2 =
      10 + 300 * (0.2925 * 0.2925 + 0.0528 * 0.0528) + 849 * 0.170982 * 0.170982;
  const double by_hand_s = 2 * std::sqrt(inertia_kg_m2 / (0.79 * 0.79) / 1.00160e11);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * by_hand_s, by_hand_s, stable_step_s(spec));
  spec.hydraulic.stop_stiffness_N_m = 3e8;
  spec.hydraulic.bulk_modulus_Pa = 1e10;
  spec.hydraulic.chamber_volume_m3 = 1e-6;
  TEST_ASSERT_TRUE(stable_step_s(spec) < 30e-6);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_6s90mc_c);
  RUN_TEST(test_default_is_a_whole_fraction_of_the_tick);
  RUN_TEST(test_links_set_the_limit);
  RUN_TEST(test_the_stiffest_link_counts);
  RUN_TEST(test_a_soft_link_changes_nothing);
  RUN_TEST(test_strong_joint_damping_sets_it);
  RUN_TEST(test_a_stiff_hydraulic_unit_sets_it);
  RUN_TEST(test_a_stiff_support_sets_it);
  return UNITY_END();
}
