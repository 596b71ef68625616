// The bits of a chain in motion: the same with every compiler and on every board.
#include "unity.h"

#include "tests/unit/drive/engines.h"
#include "tests/unit/roller_chain/moving.h"

namespace {

using namespace taut;
using drive_test::Moving;

// Static: too large for a target's stack.
drive::DriveModel model;
roller_chain::Configuration<double> placed;

// 6S90MC-C with all its parts under the 6th order, from the rollers' first placement: rest is
// found on the host alone.
template <typename Real, typename Force>
void start_engine(Moving<Real, Force>& moving) {
  TEST_ASSERT_TRUE(drive::make_drive_model(drive_test::engine_6s90mc_c(), model));
  roller_chain::place_rollers(model, 0, placed);
  start(model, placed, {.step = {}, .order = 6, .order_amplitude_rad_s2 = 7}, moving);
}

template <typename Real, typename Force>
void check_hash(Moving<Real, Force>& moving, long steps, std::uint64_t expected) {
  const auto so_far = static_cast<long>(moving.state.steps);
  advance(moving, steps - so_far);
  TEST_ASSERT_EQUAL_HEX64(expected, hash_of(moving.model, moving.state));
}

// On a core without double hardware every step takes a million instructions.
#if defined(__ARM_FP) && !(__ARM_FP & 8)
constexpr bool kSlow = true;
#else
constexpr bool kSlow = false;
#endif

void test_double() {
  static Moving<double, double> moving;
  start_engine(moving);
  check_hash(moving, 100, 0x1aa23890e5ca50ca);
  if (!kSlow) {
    check_hash(moving, 2000, 0x8c6defb3255ec9fe);
  }
#ifdef TAUT_LONG_TESTS
  check_hash(moving, 1000000, 0x14913aafdc6ca2d5);
#endif
}

void test_double_with_float_forces() {
  static Moving<double, float> moving;
  start_engine(moving);
  check_hash(moving, 100, 0xe7ebc3cc90925dc4);
  if (!kSlow) {
    check_hash(moving, 2000, 0x3804d2e66fff92d7);
  }
}

void test_float() {
  static Moving<float, float> moving;
  start_engine(moving);
  check_hash(moving, 100, 0x62462ce059faf021);
  check_hash(moving, 2000, 0xca827a0fb899718e);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_double);
  RUN_TEST(test_double_with_float_forces);
  RUN_TEST(test_float);
  return UNITY_END();
}
