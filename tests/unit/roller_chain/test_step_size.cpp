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
  const drive::ChainSpec chain = drive_test::engine_6s90mc_c().chain;
  TEST_ASSERT_DOUBLE_WITHIN(0.5e-6, 71e-6, stable_step_s(chain));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 50e-6, default_step_s(chain));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.95 * stable_step_s(chain), longest_step_s(chain));
}

void test_default_is_a_whole_fraction_of_the_tick() {
  drive::ChainSpec chain = drive_test::engine_6s90mc_c().chain;
  for (int i = 0; i < 40; ++i) {
    chain.link_stiffness_N_m *= 1.2;
    const double steps = kTick_s / default_step_s(chain);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, std::round(steps), steps);
    TEST_ASSERT_TRUE(default_step_s(chain) <= 0.72 * stable_step_s(chain));
    TEST_ASSERT_TRUE(default_step_s(chain) >
                     0.72 * stable_step_s(chain) * (steps - 1) / steps - 1e-12);
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
  const double stable_s = stable_step_s(spec.chain);
  TEST_ASSERT_TRUE(largest_N(spec, 0.95 * stable_s) < 0.3e6);
  TEST_ASSERT_TRUE(largest_N(spec, 1.25 * stable_s) > 1e6);
}

void test_links_set_the_limit() {
  check_limit(drive_test::engine_6s90mc_c());
}

void test_strong_joint_damping_sets_it() {
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  spec.chain.joint_damping_N_m_s = 1000;
  TEST_ASSERT_TRUE(stable_step_s(spec.chain) < 25e-6);
  check_limit(spec);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_6s90mc_c);
  RUN_TEST(test_default_is_a_whole_fraction_of_the_tick);
  RUN_TEST(test_links_set_the_limit);
  RUN_TEST(test_strong_joint_damping_sets_it);
  return UNITY_END();
}
