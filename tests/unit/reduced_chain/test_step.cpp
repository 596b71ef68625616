// A reduced chain in motion, on the PC and on the boards: the same bits everywhere, nothing
// forgotten when it is saved, no number lost whatever comes in.
#include <cstring>
#include <limits>

#include "unity.h"

#include "sim_core/math/float_bits.h"
#include "sim_core/reduced_chain/outputs.h"
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

constexpr std::uint64_t kEarlyBits = 0x2529046586480C5F;
constexpr std::uint64_t kLateBits = 0xD81D2F64413EF8EA;

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

// In the middle of a strand it is what is measured there; on sprockets, nothing.
void test_the_chain_beside_its_strands() {
  start(model, 76, 7, running);
  advance(model, running, 2000);
  signal::ChainOutputs outputs{};
  predict(model, running.state, running.scratch, {}, outputs);
  float begin_pitches = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const ReducedSprocket& next = model.sprocket[s + 1 < model.sprockets ? s + 1 : 0];
    const float middle = 0.5F * (begin_pitches + next.arrives_pitches);
    const float wrapped = 0.5F * (next.arrives_pitches + next.leaves_pitches);
    TEST_ASSERT_TRUE(outputs.strand_middle_m[s] != 0);
    TEST_ASSERT_FLOAT_WITHIN(1e-6F, outputs.strand_middle_m[s],
                             beside_m(model, running.state, middle));
    TEST_ASSERT_TRUE(beside_m(model, running.state, wrapped) == 0);
    begin_pitches = next.leaves_pitches;
  }
}

// At many moments: one at which the chain is off its bars would not show what bars remember.
void test_saved_and_restored_it_goes_on_with_the_same_bits() {
  static Running saved;
  start(model, 66, 5, running);
  advance(model, running, 1000);
  for (int i = 0; i < 20; ++i) {
    std::memcpy(static_cast<void*>(&saved), static_cast<const void*>(&running), sizeof(saved));
    saved.scratch = {};  // may be thrown away
    for (const int steps : {1, 60}) {
      advance(model, running, steps);
      advance(model, saved, steps);
      TEST_ASSERT_EQUAL_HEX64(hash_of(model, running.state), hash_of(model, saved.state));
    }
  }
  advance(model, running, 1500);
  advance(model, saved, 1500);
  TEST_ASSERT_EQUAL_HEX64(hash_of(model, running.state), hash_of(model, saved.state));
}

// It begins at the mean of all tooth phases and finds the one it stands at, within their ripple of
// 0.5 %; what then still moves dies down: within 1 s to 1e-4 of the tension, and on.
void test_at_rest_it_stays_at_rest() {
#ifdef TAUT_LONG_TESTS
  constexpr int kSeconds = 60;
#else
  constexpr int kSeconds = 3;
#endif
  start(model, 0, 0, running);
  advance(model, running, 2000);
  float rest_N[4];
  for (std::size_t s = 0; s < 4; ++s) {
    rest_N[s] = running.state.tension_N[s];
    TEST_ASSERT_FLOAT_WITHIN(0.005F * rest_N[s], model.rest.tension_N[s], rest_N[s]);
  }
  float last = 1e-5F;  // m/s
  for (int second = 1; second < kSeconds; ++second) {
    float fastest = 0;
    for (int i = 0; i < 2000; ++i) {
      advance(model, running, 1);
      TEST_ASSERT_EQUAL_UINT32(0, running.state.health);
      for (std::size_t s = 0; s < 4; ++s) {
        TEST_ASSERT_FLOAT_WITHIN(1.5e-4F * rest_N[s], rest_N[s], running.state.tension_N[s]);
        TEST_ASSERT_FLOAT_WITHIN(1.5e-4F * rest_N[s], rest_N[s], running.scratch.total_N[s]);
        const float speed_m_s = math::magnitude(running.state.ahead_m_s[s]);
        fastest = speed_m_s > fastest ? speed_m_s : fastest;
      }
    }
    TEST_ASSERT_TRUE(fastest <= 1.05F * last);
    last = fastest;
  }
  TEST_ASSERT_FLOAT_WITHIN(5e-5F, model.rest.arm_angle_rad, running.state.arm_angle_rad);
  TEST_ASSERT_EQUAL_UINT32(0, running.state.turns);
}

std::uint32_t random_bits;
float random_between(float low, float high) {
  random_bits = random_bits * 1664525U + 1013904223U;  // Numerical Recipes
  return low + (high - low) * static_cast<float>(random_bits >> 8) * (1.0F / 16777216.0F);
}

// Within the operating range and far beyond: jumps of speed and angle, acceleration of any size,
// no numbers at all.
crank::Motion<float> random_command(int i) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  const float wild = i % 4000 < 2000 ? 1 : 30;
  crank::Motion<float> crank{random_between(0, 6.2831F), random_between(-10 * wild, 20 * wild),
                             random_between(-1e6F, 1e6F)};
  crank.speed_rad_s = i % 997 == 0 ? kNone : i % 1009 == 0 ? kInfinity : crank.speed_rad_s;
  crank.angle_rad = i % 991 == 0   ? kInfinity
                    : i % 983 == 0 ? -3.0F
                    : i % 977 == 0 ? kNone
                                   : crank.angle_rad;
  crank.acceleration_rad_s2 = i % 971 == 0 ? kNone : crank.acceleration_rad_s2;
  return crank;
}

// What a step should refuse: no number, no angle of a turn, faster than any chain.
bool is_bad(const crank::Motion<float>& crank) {
  const float speed_m_s = crank.speed_rad_s * model.sprocket[0].pitch_line_radius_m;
  return !(crank.angle_rad >= 0 && crank.angle_rad < 6.2832F) ||
         !(speed_m_s >= -100 && speed_m_s <= 100);
}

// Commands of all kinds, and wear out of range or no number: steps go on with numbers, health tells
// and counts, and when good commands come back, so does the drive.
void test_no_number_is_lost_whatever_comes_in() {
#ifdef TAUT_LONG_TESTS
  constexpr int kSteps = 10000000;
#else
  constexpr int kSteps = 20000;
#endif
  start(model, 76, 0, running);
  std::uint32_t bad = 0;
  for (int i = 0; i < kSteps; ++i) {
    const crank::Motion<float> crank = random_command(i);
    const bool worn = i % 100 == 0;
    running.state.elongation = worn ? random_between(0.001F, 0.01F) : 0.0F;
    running.state.elongation = i % 1700 == 0 ? crank.speed_rad_s / 0.0F : running.state.elongation;
    step(model, crank, running.state, running.scratch);
    bad += is_bad(crank) ? 1U : 0U;
    const std::uint32_t health = running.state.health;
    TEST_ASSERT_TRUE(((health & kBadCommand) != 0) == is_bad(crank));
    TEST_ASSERT_TRUE(((health & kReduceAgain) != 0) == worn);
    TEST_ASSERT_TRUE(is_whole(running.state, running.scratch));
  }
  TEST_ASSERT_EQUAL_UINT32(bad, running.state.bad_commands);
  TEST_ASSERT_TRUE(bad > kSteps / 10);
}

// Once more, and then 76 rpm: the drive comes back from wherever that brought it. Strands swing for
// a minute yet, and swinging takes chain: 5 % of the tension after 12 s, 2 % after 32 s, 0.3 %
// after 112 s.
void test_good_commands_bring_it_back() {
  start(model, 76, 0, running);
  start(model, 76, 0, other);
  for (int i = 0; i < 10000; ++i) {
    step(model, random_command(i), other.state, other.scratch);
  }
  constexpr long kSettling = 64000;
  advance(model, running, kSettling);
  advance(model, other, kSettling);
  constexpr int kMean = 4000;
  float mean_N[4] = {};
  float other_mean_N[4] = {};
  for (int i = 0; i < kMean; ++i) {
    advance(model, running, 1);
    advance(model, other, 1);
    TEST_ASSERT_EQUAL_UINT32(0, other.state.health);
    for (std::size_t s = 0; s < 4; ++s) {
      mean_N[s] += running.state.tension_N[s] / kMean;
      other_mean_N[s] += other.state.tension_N[s] / kMean;
    }
  }
  for (std::size_t s = 0; s < 4; ++s) {
    TEST_ASSERT_FLOAT_WITHIN(0.03F * mean_N[s], mean_N[s], other_mean_N[s]);
  }
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

// Loops of two to eight sprockets, made of one of this drive and its shortest strand: what links
// and both wraps give by the rates of all tensions is how fast each strand is stretched.
void test_rates_of_tensions_fit_any_number_of_strands() {
  static ReducedModel loop;
  for (std::uint32_t count = 2; count <= drive::kMaxSprockets; ++count) {
    loop = model;
    loop.sprockets = count;
    loop.bars = 0;
    loop.arm_sprocket = kNoArm;
    for (std::uint32_t s = 0; s < count; ++s) {
      loop.sprocket[s] = model.sprocket[1];
      loop.strand[s] = model.strand[1];
      loop.strand[s].first_mode = s * loop.strand[s].modes;
      loop.strand[s].path = 0;
      loop.rest.tension_N[s] = random_between(50e3F, 90e3F);
    }
    start(loop, 60, 0, running);
    for (std::uint32_t s = 1; s < count; ++s) {
      running.state.ahead_m_s[s] = random_between(-0.1F, 0.1F);
    }
    evaluate_rates(loop, running.state, running.scratch);
    const ReducedScratch& scratch = running.scratch;
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint32_t before = s > 0 ? s - 1 : count - 1;
      const std::uint32_t after = s + 1 < count ? s + 1 : 0;
      const PerSprocket<float>& rate_N_s = scratch.elastic_rate_N_s;
      const float given_m_s =
          (loop.strand[s].flexibility_m_N + scratch.wrap[s].leaving_by_leaving_m_N +
           scratch.wrap[after].arriving_by_arriving_m_N) *
              rate_N_s[s] +
          scratch.wrap[s].leaving_by_arriving_m_N * rate_N_s[before] +
          scratch.wrap[after].leaving_by_arriving_m_N * rate_N_s[after];
      // Sums of three floats that cancel, of up to 0.2 m/s.
      TEST_ASSERT_FLOAT_WITHIN(1e-6F, scratch.stretch_m_s[s], given_m_s);
    }
  }
}

// Health after `steps` in which `force` holds part of the state where the drive would not go.
template <typename Force>
std::uint32_t told_by(int steps, Force force) {
  start(model, 0, 0, running);
  advance(model, running, 10);
  TEST_ASSERT_EQUAL_UINT32(0, running.state.health);
  for (int i = 0; i < steps; ++i) {
    force(running.state);
    advance(model, running, 1);
  }
  return running.state.health;
}

void test_health_tells_what_is_wrong() {
  const auto ahead = [](float ahead_m) {
    return [ahead_m](ReducedState& state) {
      state.ahead_m[1] = ahead_m;
      state.ahead_m_s[1] = 0;
    };
  };
  // Further back than strand 1 is stretched; strand 2 is pulled by as much.
  const std::uint32_t loose = told_by(20, ahead(-0.04F));
  TEST_ASSERT_TRUE((loose & kSlack) != 0 && (loose & kBeyondHold) != 0);
  TEST_ASSERT_EQUAL_UINT32(0, loose & (kBeyondTable | kOutOfRange | kArmAtEnd));
  // Nearly two pitches: beyond the 4 MN where tables end.
  TEST_ASSERT_TRUE((told_by(40, ahead(0.2F)) & kBeyondTable) != 0);
  TEST_ASSERT_EQUAL_UINT32(0, told_by(40, ahead(0.0005F)));
  TEST_ASSERT_TRUE(
      (told_by(1, [](ReducedState& state) { state.arm_angle_rad = 0.3F; }) & kArmAtEnd) != 0);
  // A quarter of its 2.7 m.
  TEST_ASSERT_TRUE(
      (told_by(1, [](ReducedState& state) { state.mode_m[0] = 0.75F; }) & kOutOfRange) != 0);
  const auto worn = [](float elongation) {
    return [elongation](ReducedState& state) { state.elongation = model.elongation + elongation; };
  };
  TEST_ASSERT_EQUAL_UINT32(0, told_by(10, worn(0.0002F)));
  TEST_ASSERT_EQUAL_UINT32(0, told_by(1, worn(0.00049F)) & kReduceAgain);
  TEST_ASSERT_EQUAL_UINT32(0, told_by(1, worn(-0.00049F)) & kReduceAgain);
  TEST_ASSERT_TRUE((told_by(1, worn(0.00051F)) & kReduceAgain) != 0);
  TEST_ASSERT_TRUE((told_by(1, worn(-0.00051F)) & kReduceAgain) != 0);
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
  RUN_TEST(test_the_chain_beside_its_strands);
  RUN_TEST(test_saved_and_restored_it_goes_on_with_the_same_bits);
  RUN_TEST(test_at_rest_it_stays_at_rest);
  RUN_TEST(test_no_number_is_lost_whatever_comes_in);
  RUN_TEST(test_good_commands_bring_it_back);
  RUN_TEST(test_wear_within_the_block_slackens_the_chain);
  RUN_TEST(test_rates_of_tensions_fit_any_number_of_strands);
  RUN_TEST(test_health_tells_what_is_wrong);
  RUN_TEST(test_every_link_comes_round_the_loop);
  return UNITY_END();
}
