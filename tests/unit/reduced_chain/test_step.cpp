// A reduced chain in motion, on the PC and on the boards: the same bits everywhere, nothing
// forgotten when it is saved, no number lost whatever comes in, and no energy from nowhere.
#include <cstring>

#include "unity.h"

#include "sim_core/math/float_bits.h"
#include "sim_core/reduced_chain/outputs.h"
#include "sim_core/reduced_chain/wrap_look.h"
#include "tests/unit/reduced_chain/block.h"
#include "tests/unit/reduced_chain/running.h"

namespace {

using namespace taut;
using namespace taut::reduced_chain;
using reduced_test::advance;
using reduced_test::Running;
using reduced_test::start;

// Static: too large for a target's stack.
ReducedModel model;
Running running;
Running other;

constexpr std::uint64_t kEarlyBits = 0x0CA1E7EE27973C4A;
constexpr std::uint64_t kLateBits = 0x05E5C7E9F0BFA460;

bool is_whole(const ReducedState& state, const ReducedScratch& scratch) {
  bool whole = math::is_finite(state.arm_angle_rad) && math::is_finite(state.arm_speed_rad_s) &&
               math::is_finite(state.unit.oil_m3) && math::is_finite(state.chain_m_s);
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    whole = whole && math::is_finite(state.ahead_m[s]) && math::is_finite(state.ahead_m_s[s]) &&
            math::is_finite(state.tension_N[s]) && math::is_finite(scratch.total_N[s]) &&
            scratch.total_N[s] >= 0;
  }
  for (std::size_t i = 0; i < kAllModes; ++i) {
    whole = whole && math::is_finite(state.mode_m[i]) && math::is_finite(state.mode_m_s[i]);
  }
  return whole;
}

void test_bits_are_the_same_everywhere() {
  start(model, 76, 7, running);
  advance(model, running, 100);
  const std::uint64_t early = hash_of(model, running.state);
  advance(model, running, 3900);
  TEST_ASSERT_EQUAL_HEX64(kEarlyBits, early);
  TEST_ASSERT_EQUAL_HEX64(kLateBits, hash_of(model, running.state));
}

void test_saved_and_restored_it_goes_on_with_the_same_bits() {
  start(model, 66, 5, running);
  advance(model, running, 1500);
  static Running saved;
  std::memcpy(static_cast<void*>(&saved), static_cast<const void*>(&running), sizeof(saved));
  saved.scratch = {};  // may be thrown away
  advance(model, running, 1500);
  advance(model, saved, 1500);
  TEST_ASSERT_EQUAL_HEX64(hash_of(model, running.state), hash_of(model, saved.state));
}

void test_at_rest_it_stays_at_rest() {
  start(model, 0, 0, running);
  const float before_N = running.scratch.total_N[0];
  advance(model, running, 2000);
  // It begins at the mean of all tooth phases and finds the one it stands at: within their ripple.
  TEST_ASSERT_FLOAT_WITHIN(0.02F * before_N, before_N, running.scratch.total_N[0]);
  TEST_ASSERT_EQUAL_UINT32(0, running.state.health);
}

// Struck while the crank stands, and left alone: no second may see more motion than the one before,
// but for the rounding of floats.
void test_without_input_motion_dies_down() {
#ifdef TAUT_LONG_TESTS
  constexpr int kSeconds = 500;  // a million steps
#else
  constexpr int kSeconds = 5;
#endif
  start(model, 0, 0, running);
  running.state.ahead_m_s[1] = 0.2F;
  running.state.mode_m_s[0] = 1;
  running.state.arm_speed_rad_s = 0.2F;
  float before = 1e9F;
  for (int second = 0; second < kSeconds; ++second) {
    float largest = 0;
    for (int i = 0; i < 2000; ++i) {
      advance(model, running, 1);
      float motion = 0;
      for (std::uint32_t s = 1; s < model.sprockets; ++s) {
        motion += running.state.ahead_m_s[s] * running.state.ahead_m_s[s];
      }
      largest = motion > largest ? motion : largest;
    }
    TEST_ASSERT_TRUE(largest <= before + 1e-9F);
    before = largest;
  }
  TEST_ASSERT_TRUE(before < 1e-5F);
}

std::uint32_t random_bits;
float random_between(float low, float high) {
  random_bits = random_bits * 1664525U + 1013904223U;  // Numerical Recipes
  return low + (high - low) * static_cast<float>(random_bits >> 8) * (1.0F / 16777216.0F);
}

// Jumps of speed, of angle, no numbers at all, wear out of range: steps go on with numbers, and
// health tells.
void test_no_number_is_lost_whatever_comes_in() {
#ifdef TAUT_LONG_TESTS
  constexpr int kSteps = 10000000;
#else
  constexpr int kSteps = 20000;
#endif
  constexpr float kInfinity = 1e38F * 10;
  start(model, 76, 0, running);
  std::uint32_t told = 0;
  for (int i = 0; i < kSteps; ++i) {
    const float wild = i % 4000 < 2000 ? 1 : 30;
    const float speed_rad_s = random_between(-10 * wild, 20 * wild);
    crank::Motion<float> crank{random_between(0, 6.2831F), speed_rad_s,
                               random_between(-1e6F, 1e6F)};
    crank.speed_rad_s = i % 997 == 0 ? kInfinity - kInfinity : crank.speed_rad_s;
    crank.angle_rad = i % 991 == 0 ? kInfinity : i % 983 == 0 ? -3.0F : crank.angle_rad;
    running.state.elongation = i % 100 == 0 ? random_between(-0.01F, 0.01F) : 0.0F;
    step(model, crank, running.state, running.scratch);
    told |= running.state.health;
    if (i % 16 == 0) {
      TEST_ASSERT_TRUE(is_whole(running.state, running.scratch));
    }
  }
  TEST_ASSERT_TRUE((told & kBadCommand) != 0);
  TEST_ASSERT_TRUE((told & kReduceAgain) != 0);
  TEST_ASSERT_TRUE(running.state.bad_commands > 0);
}

void test_wear_within_the_block_slackens_the_chain() {
  start(model, 60, 0, running);
  start(model, 60, 0, other);
  other.state.elongation += 0.0002F;
  advance(model, running, 6000);
  advance(model, other, 6000);
  // The full model's strand 1: 89.6 kN, and 63.3 kN with links 0.02 % longer. What wear does to
  // wraps is known as a slope only: 3 % of the tension left.
  const float lost_N = running.state.tension_N[0] - other.state.tension_N[0];
  TEST_ASSERT_FLOAT_WITHIN(2500, 26300, lost_N);
  TEST_ASSERT_EQUAL_UINT32(0, other.state.health);
  other.state.elongation += 0.0004F;
  advance(model, other, 1);
  TEST_ASSERT_TRUE((other.state.health & kReduceAgain) != 0);
}

// Where nothing pulls at their slack end, rollers of the short wraps have climbed their teeth by
// the 7 mm that make_wrap_table() tells, and as steeply as the table ends, up to 5 mm more; those
// of long wraps keep their seats.
void test_rollers_of_short_wraps_climb_where_one_end_is_let_go() {
  constexpr float kPull_N = 300e3F;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const WrapTable& table = model.sprocket[s].wrap;
    const auto slack_give_m = [&](float ratio) {
      WrapLook look;
      look_up(table, place_in(table, kPull_N, ratio * kPull_N), 0, 1 / model.link_stiffness_N_m,
              look);
      return look.arriving_m;
    };
    const float seated_m = slack_give_m(table.least_ratio);
    TEST_ASSERT_FLOAT_WITHIN(2e-5F, seated_m, slack_give_m(0.999F * table.least_ratio));
    const bool is_short = model.sprocket[s].wrap_pitches < 10;
    TEST_ASSERT_FLOAT_WITHIN(is_short ? 3e-3F : 5e-4F, is_short ? 9.5e-3F : 0.0F,
                             seated_m - slack_give_m(0));
    TEST_ASSERT_TRUE(table.held_ratio <= table.least_ratio);
  }
}

void test_every_link_comes_round_the_loop() {
  start(model, 76, 0, running);
  advance(model, running, 1000);
  signal::ChainOutputs outputs{};
  float least_N = 1e9F;
  float most_N = 0;
  for (std::size_t link = 0; link < model.links; ++link) {
    predict(model, running.state, running.scratch, {.link = link, .roller = link}, outputs);
    least_N = outputs.tagged_link_N < least_N ? outputs.tagged_link_N : least_N;
    most_N = outputs.tagged_link_N > most_N ? outputs.tagged_link_N : most_N;
  }
  // In the middle of the long wrap little more than m V^2 is left, 10.2 kN; in strands all.
  TEST_ASSERT_TRUE(least_N > 8e3F && least_N < 35e3F);
  TEST_ASSERT_FLOAT_WITHIN(0.1F * most_N, outputs.strand_mean_N[2], most_N);
}

}  // namespace

void setUp() {
  random_bits = 1;
}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  if (!reduced_test::unpack(model)) {
    return 1;
  }
  RUN_TEST(test_bits_are_the_same_everywhere);
  RUN_TEST(test_saved_and_restored_it_goes_on_with_the_same_bits);
  RUN_TEST(test_at_rest_it_stays_at_rest);
  RUN_TEST(test_without_input_motion_dies_down);
  RUN_TEST(test_no_number_is_lost_whatever_comes_in);
  RUN_TEST(test_wear_within_the_block_slackens_the_chain);
  RUN_TEST(test_rollers_of_short_wraps_climb_where_one_end_is_let_go);
  RUN_TEST(test_every_link_comes_round_the_loop);
  return UNITY_END();
}
