// The bits of a step with the processor's vector unit, AVX2 where there is one, and without it.
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
template <typename Force>
void check_same_bits() {
  static Moving<double, Force> with;
  static Moving<double, Force> without;
  start_engine(with);
  start_engine(without);
  for (int i = 0; i < 4000; ++i) {
    advance(with);
    crank::advance(without.crank_model, without.crank);
    bench::step_baseline(without.model, without.crank.motion, without.state, without.scratch);
    if (i % 20 == 0) {
      TEST_ASSERT_EQUAL_HEX64(hash_of(without.model, without.state),
                              hash_of(with.model, with.state));
    }
  }
}

void test_double() {
  check_same_bits<double>();
}

void test_double_with_float_forces() {
  check_same_bits<float>();
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_double);
  RUN_TEST(test_double_with_float_forces);
  return UNITY_END();
}
