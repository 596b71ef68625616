// The bits of a step with the best vector unit that the processor has, with that of x86-64-v3 and
// without any.
#include "unity.h"

#include "tests/bench/step_variants.h"
#include "tests/unit/drive/engines.h"
#include "tests/unit/roller_chain/moving.h"

namespace {

using namespace taut;
using drive_test::Moving;

template <typename Force>
void start_engine(Moving<double, Force>& moving) {
  static drive::DriveModel drive;
  static roller_chain::Configuration<double> placed;
  TEST_ASSERT_TRUE(drive::make_drive_model(drive_test::engine_6s90mc_c(), drive));
  roller_chain::place_rollers(drive, 0, placed);
  start(drive, placed, {.step = {}, .order = 6, .order_amplitude_rad_s2 = 7}, moving);
}

// A chain of 16 pitches' travel, hashed often: which step was the first to differ is of use.
// step(moving) is compared with step() of step.h.
template <typename Force, typename Step>
void check_same_bits(Step step) {
  static Moving<double, Force> best;
  static Moving<double, Force> other;
  start_engine(best);
  start_engine(other);
  for (int i = 0; i < 4000; ++i) {
    advance(best);
    crank::advance(other.crank_model, other.crank);
    step(other);
    if (i % 20 == 0) {
      TEST_ASSERT_EQUAL_HEX64(hash_of(other.model, other.state), hash_of(best.model, best.state));
    }
  }
}

const auto kBaseline = [](auto& moving) {
  bench::step_baseline(moving.model, moving.crank.motion, moving.state, moving.scratch);
};
const auto kV3 = [](auto& moving) {
  bench::step_v3(moving.model, moving.crank.motion, moving.state, moving.scratch);
};

void test_baseline() {
  check_same_bits<double>(kBaseline);
  check_same_bits<float>(kBaseline);
}

void test_v3() {
  if (!bench::has_v3()) {
    TEST_IGNORE_MESSAGE("this processor is no x86-64-v3");
  }
  check_same_bits<double>(kV3);
  check_same_bits<float>(kV3);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_baseline);
  RUN_TEST(test_v3);
  return UNITY_END();
}
