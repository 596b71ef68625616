// One tick with the reduced chain: a wheel that turns evenly, and what can go wrong.
#include <cstring>
#include <limits>

#include "unity.h"

#include "sim_core/math/hash.h"
#include "sim_core/twin/chains.h"
#include "sim_core/twin/twin.h"
#include "tests/unit/reduced_chain/block.h"

namespace {

using namespace taut;
using Chain = twin::ReducedChain;

twin::TwinModel<Chain> model;
twin::TwinState<Chain> state;
Chain::Scratch scratch;

constexpr std::uint32_t kTeeth = 60;
constexpr std::uint32_t kMissing = 2;

// Integers only: the same frames everywhere.
struct Wheel {
  std::uint32_t tick = 0xFFFFFF00U;  // soon wraps
  std::uint32_t sequence = 0;
  std::uint64_t turns = 0;         // in 2^-32
  std::uint64_t a_tick = 2720000;  // 76 rpm: 0.0005 * 76 / 60 turns

  signal::SensorFrame next() {
    signal::SensorFrame frame{};
    frame.tick = tick++;
    const signal::Sample good{0, 0, ++sequence, signal::Quality::kGood};
    frame.crank_acceleration_rad_s2 = good;
    frame.link_force_N = good;
    frame.tightener_acceleration_m_s2 = good;
    frame.tightener_position_m = good;
    const std::uint64_t before = turns * kTeeth >> 32;
    turns += a_tick;
    const std::uint64_t after = turns * kTeeth >> 32;
    if (after != before && after % kTeeth < kTeeth - kMissing) {
      const std::uint64_t beyond = turns - ((after << 32) + kTeeth - 1) / kTeeth;
      frame.edges = 1;
      frame.edge[0].moment = static_cast<std::uint16_t>(65535 - beyond * 65535 / a_tick);
    }
    return frame;
  }
};

Wheel wheel;
signal::Prediction last;

void advance(int ticks) {
  for (int i = 0; i < ticks; ++i) {
    last = twin::tick(model, wheel.next(), state, scratch);
  }
}

// Of the first strand, over two seconds: its tooth-driven swing comes and goes.
float mean_N() {
  float sum_N = 0;
  for (int i = 0; i < 4000; ++i) {
    advance(1);
    sum_N += last.strand_mean_N[0];
  }
  return sum_N / 4000;
}

signal::Trust trust() {
  return signal::trust_of(last.health);
}

constexpr int kUntilValid = 8000;  // two turns to sync, 2 s to settle

void test_it_syncs_settles_and_is_valid() {
  advance(1);
  TEST_ASSERT_TRUE(trust() == signal::Trust::kInvalid);
  TEST_ASSERT_TRUE((last.health & signal::kCrankNotSynced) != 0);
  advance(4000);
  TEST_ASSERT_EQUAL_UINT32(signal::kNotSettled, last.health & ~signal::kTrustMask);
  TEST_ASSERT_TRUE(trust() == signal::Trust::kDegraded);
  advance(kUntilValid);
  TEST_ASSERT_EQUAL_UINT32(0, last.health);
  TEST_ASSERT_TRUE((last.latched & signal::kCrankNotSynced) != 0);
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, 7.958F, last.crank_speed_rad_s);
  // At rest 82 kN; centrifugal pull and riding rollers make it more, not twice as much.
  TEST_ASSERT_TRUE(last.strand_mean_N[0] > 80e3F && last.strand_mean_N[0] < 120e3F);
  TEST_ASSERT_EQUAL_UINT32(wheel.tick - 1, last.tick);
}

// The chain holds what is no number, says so, and finds back.
void test_a_state_that_is_no_number() {
  advance(kUntilValid);
  const float before_N = mean_N();
  state.chain.ahead_m[1] = std::numeric_limits<float>::quiet_NaN();
  advance(1);
  TEST_ASSERT_TRUE((last.health & signal::kModelOutside) != 0);
  TEST_ASSERT_TRUE(trust() == signal::Trust::kDegraded);
  advance(16000);
  TEST_ASSERT_EQUAL_UINT32(0, last.health);
  // Strands swing on for tens of seconds.
  TEST_ASSERT_FLOAT_WITHIN(0.05F * before_N, before_N, mean_N());
}

// A chain that predicts no number at its third step after a start at rest, and none later.
struct FragileChain {
  using Real = float;
  struct Model {};
  struct State {
    int steps;
  };
  struct Scratch {};

  static double step_s(const Model& /*model*/) { return signal::kTick_s; }
  static void init(const Model& /*model*/, float speed_rad_s, State& at, Scratch& /*scratch*/) {
    at.steps = speed_rad_s != 0 ? 10 : 0;
  }
  static void step(const Model& /*model*/, const crank::Motion<float>& /*crank*/, State& at,
                   Scratch& /*scratch*/) {
    ++at.steps;
  }
  static void predict(const Model& /*model*/, const State& at, const Scratch& /*scratch*/,
                      const signal::Tags& /*tags*/, signal::ChainOutputs& outputs) {
    outputs.strand_mean_N[0] = at.steps == 3 ? std::numeric_limits<float>::infinity() : 100.0F;
  }
  static std::uint32_t health(const State& /*state*/) { return 0; }
  static void set_elongation(float /*elongation*/, State& /*state*/) {}
};

void test_a_result_that_is_no_number_is_not_told() {
  twin::TwinModel<FragileChain> fragile{};
  fragile.observer = model.observer;
  fragile.steps_a_tick = 1;
  fragile.links = 100;
  fragile.crank_teeth = 50;
  fragile.loop_turns = 2;
  fragile.sprockets = 2;
  twin::TwinState<FragileChain> fragile_state{};
  FragileChain::Scratch fragile_scratch;
  twin::init(fragile, {}, fragile_state, fragile_scratch);
  std::uint32_t faulty = 0;
  for (int i = 0; i < 10; ++i) {
    const auto told = twin::tick(fragile, wheel.next(), fragile_state, fragile_scratch);
    TEST_ASSERT_EQUAL_FLOAT(100, told.strand_mean_N[0]);
    if ((told.health & signal::kFaultyModel) != 0) {
      ++faulty;
      TEST_ASSERT_TRUE(signal::trust_of(told.health) == signal::Trust::kInvalid);
    }
    TEST_ASSERT_EQUAL_UINT32(faulty, fragile_state.restarts);
    TEST_ASSERT_TRUE(((told.latched & signal::kFaultyModel) != 0) == (faulty > 0));
  }
  TEST_ASSERT_TRUE(faulty >= 1);
}

// What the frame says of itself, each for the one tick.
void test_bits_of_a_frame() {
  advance(kUntilValid + 4000);
  const auto told = [](auto spoil) {
    signal::SensorFrame frame = wheel.next();
    spoil(frame);
    last = twin::tick(model, frame, state, scratch);
    const std::uint32_t health = last.health;
    advance(200);
    TEST_ASSERT_EQUAL_UINT32(0, last.health);
    return health;
  };
  using signal::SensorFrame;
  using signal::Trust;
  const auto held = [](signal::Sample& sample) { sample.quality = signal::Quality::kHeld; };
  TEST_ASSERT_EQUAL_UINT32(signal::kBadAcceleration | static_cast<std::uint32_t>(Trust::kDegraded),
                           told([&](SensorFrame& f) { held(f.crank_acceleration_rad_s2); }));
  // Compared with the prediction, which does not need them.
  TEST_ASSERT_EQUAL_UINT32(signal::kBadLinkForce,
                           told([&](SensorFrame& f) { held(f.link_force_N); }));
  TEST_ASSERT_EQUAL_UINT32(signal::kBadTightenerAcceleration,
                           told([&](SensorFrame& f) { held(f.tightener_acceleration_m_s2); }));
  TEST_ASSERT_EQUAL_UINT32(signal::kBadTightenerPosition,
                           told([&](SensorFrame& f) { held(f.tightener_position_m); }));
  const std::uint32_t skipped = told([](SensorFrame& f) { f.tick = ++wheel.tick - 1; });
  TEST_ASSERT_TRUE((skipped & signal::kStaleFrame) != 0);
  TEST_ASSERT_TRUE(signal::trust_of(skipped) == Trust::kDegraded);
  signal::SensorFrame frame = wheel.next();
  frame.edges_lost = 3;
  last = twin::tick(model, frame, state, scratch);
  TEST_ASSERT_TRUE((last.health & signal::kEdgesLost) != 0);
}

void test_wear_beyond_the_block() {
  advance(kUntilValid + 4000);
  twin::Calibration calibration = state.calibration;
  calibration.elongation += 0.0006F;
  twin::calibrate(calibration, state);
  advance(1);
  TEST_ASSERT_TRUE((last.health & signal::kReduceAgain) != 0);
  TEST_ASSERT_TRUE(trust() == signal::Trust::kDegraded);
}

// A clock of edges that jumps by half a tick to and fro: no edge is amiss, and the chain is shaken
// by what is not there. Told in time, until it has forgotten that.
void test_edges_that_scatter() {
  const auto advance_jumping = [](int ticks) {
    for (int i = 0; i < ticks; ++i) {
      signal::SensorFrame frame = wheel.next();
      frame.edge[0].moment ^= 0x8000U;
      last = twin::tick(model, frame, state, scratch);
    }
  };
  advance(kUntilValid + 4000);
  TEST_ASSERT_EQUAL_UINT32(0, last.health);
  advance_jumping(1200);
  constexpr std::uint32_t kTold = signal::kBadEdges | signal::kNotSettled;
  TEST_ASSERT_EQUAL_UINT32(kTold, last.health & ~signal::kTrustMask);
  TEST_ASSERT_TRUE(trust() == signal::Trust::kDegraded);
  advance(3000);
  TEST_ASSERT_EQUAL_UINT32(signal::kNotSettled, last.health & ~signal::kTrustMask);
  advance(2000);
  TEST_ASSERT_EQUAL_UINT32(0, last.health);
}

// Also the bits that every target has to reach.
void test_restored_it_goes_on_with_the_same_bits() {
  const auto hash_of = [](int ticks) {
    math::Hash64 hash;
    for (int i = 0; i < ticks; ++i) {
      advance(1);
      hash.add(last.health);
      hash.add(last.tagged_link_N);
      hash.add(last.strand_middle_N[3]);
      hash.add(last.tightener_acceleration_m_s2);
      hash.add(last.chain_pitches);
    }
    return hash.value();
  };
  advance(4000);
  const auto saved = state;
  const Wheel saved_wheel = wheel;
  const std::uint64_t first = hash_of(500);
  state = saved;
  wheel = saved_wheel;
  scratch = {};
  TEST_ASSERT_EQUAL_HEX64(first, hash_of(500));
  constexpr std::uint64_t kBits = 0x35BD75AFA29175E6U;
  TEST_ASSERT_EQUAL_HEX64(kBits, first);
}

}  // namespace

void setUp() {
  wheel = {};
  twin::Calibration calibration{};
  calibration.elongation = model.chain.elongation;
  twin::init(model, calibration, state, scratch);
}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  if (!reduced_test::unpack(model.chain)) {
    return 1;
  }
  model.observer = crank::make_observer({});
  model.steps_a_tick = 1;
  model.links = model.chain.links;
  model.crank_teeth = static_cast<std::uint32_t>(model.chain.crank_teeth);
  model.loop_turns = model.chain.loop_turns;
  model.sprockets = model.chain.sprockets;
  model.tightener_lever_m = 1;
  RUN_TEST(test_it_syncs_settles_and_is_valid);
  RUN_TEST(test_a_state_that_is_no_number);
  RUN_TEST(test_a_result_that_is_no_number_is_not_told);
  RUN_TEST(test_bits_of_a_frame);
  RUN_TEST(test_wear_beyond_the_block);
  RUN_TEST(test_edges_that_scatter);
  RUN_TEST(test_restored_it_goes_on_with_the_same_bits);
  return UNITY_END();
}
