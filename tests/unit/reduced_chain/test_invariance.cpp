// What must not matter to a reduced chain: how its drive is turned or mirrored. Blocks are then
// made of other numbers that round otherwise; tensions, and the arm, must not notice.
#include <cmath>
#include <memory>

#include "unity.h"

#include "sim_core/reduced_chain/reduce.h"
#include "tests/unit/drive/transformed.h"
#include "tests/unit/reduced_chain/running.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using drive_test::engine_6s90mc_c;
using reduced_chain::ReducedModel;

struct Ran {
  double tension_N[4];
  double arm_rad;
  double aside_m;
};

Ran run(const drive::DriveSpec& spec) {
  const auto model = std::make_unique<ReducedModel>();
  TEST_ASSERT_TRUE(reduced_chain::reduce(drive_test::model_of(spec), *model).made);
  reduced_test::Running running;
  reduced_test::start(*model, 60, 2, running);
  reduced_test::advance(*model, running, 1200);
  Ran ran{};
  for (std::size_t s = 0; s < 4; ++s) {
    ran.tension_N[s] = static_cast<double>(running.scratch.total_N[s]);
  }
  ran.arm_rad = static_cast<double>(running.state.arm_angle_rad);
  ran.aside_m = static_cast<double>(running.state.mode_m[model->strand[3].first_mode]);
  return ran;
}

// Rounding of a float grows while a drive vibrates: 1e-3 of the tension after 0.6 s.
void check_same(const Ran& a, const Ran& b, double mirror) {
  for (int s = 0; s < 4; ++s) {
    TEST_ASSERT_DOUBLE_WITHIN(2e-3 * a.tension_N[s], a.tension_N[s], b.tension_N[s]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, a.arm_rad, mirror * b.arm_rad);
  TEST_ASSERT_DOUBLE_WITHIN(5e-5, a.aside_m, mirror * b.aside_m);
}

void test_turned_drive() {
  check_same(run(engine_6s90mc_c()), run(drive_test::rotated(engine_6s90mc_c(), 0.6)), 1);
}

void test_mirrored_drive() {
  check_same(run(engine_6s90mc_c()), run(drive_test::mirrored(engine_6s90mc_c())), -1);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_turned_drive);
  RUN_TEST(test_mirrored_drive);
  return UNITY_END();
}
