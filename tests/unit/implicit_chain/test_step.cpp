// The implicit chain on every target: the same bits, restarts from any moment, commands that are no
// numbers.
#include <cstring>

#include "unity.h"

#include "sim_core/crank/synthetic.h"
#include "sim_core/drive/drive_model.h"
#include "sim_core/implicit_chain/step.h"
#include "sim_core/roller_chain/outputs.h"
#include "tests/unit/drive/engines.h"

namespace {

using namespace taut;

// Static: a board's stack has no room for them.
implicit_chain::ImplicitModel model;
implicit_chain::ImplicitState state;
implicit_chain::ImplicitState saved;
implicit_chain::ImplicitScratch scratch;
crank::SyntheticModel<float, 8> crank_model;
crank::SyntheticState<float> crank_state;

void start() {
  static drive::DriveModel drive;
  static roller_chain::Configuration<double> placed;
  const implicit_chain::MethodSpec method;
  TEST_ASSERT_TRUE(drive::make_drive_model(drive_test::engine_6s90mc_c(), drive));
  roller_chain::place_rollers(drive, 0, placed);
  TEST_ASSERT_NULL(make_implicit_model(drive, placed, method, model));
  crank::make_synthetic(
      {.step_s = method.step_s, .speed_rad_s = 8, .order = 6, .order_amplitude_rad_s2 = 5},
      crank_model);
  crank::init(crank_model, crank_state);
  init(model, crank_model.start_speed_rad_s, state, scratch);
}

void run(int steps) {
  for (int i = 0; i < steps; ++i) {
    crank::advance(crank_model, crank_state);
    step(model, crank_state.motion, state, scratch);
  }
}

// By gcc on x86-64, 2026-11-17.
void test_same_bits_on_every_target() {
  start();
  run(400);
  TEST_ASSERT_EQUAL_HEX64(0xAC89885D61BE75A2, hash_of(model, state));
}

void test_goes_on_from_what_was_saved() {
  start();
  run(150);
  saved = state;
  const auto crank_then = crank_state;
  run(150);
  const std::uint64_t hash = hash_of(model, state);
  std::memset(&scratch, 0x5a, sizeof scratch);
  state = saved;
  crank_state = crank_then;
  run(150);
  TEST_ASSERT_EQUAL_HEX64(hash, hash_of(model, state));
}

void test_bridges_what_is_no_number() {
  start();
  run(50);
  const float nan = math::from_bits<float>(math::kInfinityBits<float> | 1U);
  step(model, {nan, 8, 0}, state, scratch);
  step(model, {0, nan, 0}, state, scratch);
  TEST_ASSERT_EQUAL_UINT32(2, state.chain.bad_commands);
  TEST_ASSERT_TRUE(roller_chain::is_whole(model.chain, scratch.chain));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_same_bits_on_every_target);
  RUN_TEST(test_goes_on_from_what_was_saved);
  RUN_TEST(test_bridges_what_is_no_number);
  return UNITY_END();
}
