// Every counter of a twin and of what goes into it passes its end while it matters: apart from the
// counters, predictions have the bits of a run in which none did.
#include "unity.h"

#include "tests/unit/twin/repeating_engine.h"

namespace {

using namespace taut;

twin_test::SensedTwin sensed;
twin_test::RepeatingEngine engine;

constexpr std::uint32_t kLast = 0xFFFFFFFFU;
constexpr std::uint32_t kTicks = 4600;
constexpr std::uint32_t kWrapsAt = 3600;  // ticks on: synced, before what is disturbed below
constexpr hal::RawReading hal::RawReadings::*kReadings[] = {
    &hal::RawReadings::crank_acceleration, &hal::RawReadings::link_force,
    &hal::RawReadings::tightener_acceleration, &hal::RawReadings::tightener_position};

void start() {
  twin_test::start(3, engine);
  twin_test::start(sensed);
}

// Counters go on at these moments as they would on an engine: a frame is late, edges are lost, a
// sensor skips measurements, another sends none, a value is no number, edges are missing and stray.
void disturb(std::uint32_t i, twin_test::CrankReadings& crank) {
  sensed.frame.edges_lost += i == kWrapsAt + 20 ? 2 : 0;
  sensed.frame.tick += i == kWrapsAt + 100 ? 3 : 0;
  sensed.readings.link_force.sequence += i == kWrapsAt + 1 ? 7 : 0;
  sensed.readings.tightener_position.sequence -= i > kWrapsAt + 200 && i < kWrapsAt + 300 ? 1 : 0;
  if (i > kWrapsAt + 400 && i < kWrapsAt + 420) {
    crank.acceleration_rad_s2 = crank.acceleration_rad_s2 / 0.0F;
  }
  if (i > kWrapsAt + 500 && i < kWrapsAt + 620) {
    crank.edges = 0;
  }
  if (i == kWrapsAt + 800) {
    crank.edges = 1;
    crank.edge[0] = {7, signal::EdgeKind::kTooth};
  }
}

struct Run {
  std::uint64_t hash;
  std::uint32_t health;  // all bits that were ever told
  crank::ObserverCounts counts;
};

constexpr std::uint32_t kShortBefore = 100;

// `before_wrap`: what to set a short time before, when the chain has been started at speed.
Run run(void (*before_wrap)() = [] {}) {
  math::Hash64 hash;
  Run result{};
  for (std::uint32_t i = 0; i < kTicks; ++i) {
    if (i + kShortBefore == kWrapsAt) {
      before_wrap();
    }
    twin_test::CrankReadings crank = twin_test::advance(engine);
    disturb(i, crank);
    twin_test::tick(sensed, crank);
    twin_test::add_to(hash, sensed.prediction, sensed.model.sprockets);
    result.health |= i >= kWrapsAt ? sensed.prediction.health : 0;
  }
  result.hash = hash.value();
  result.counts = sensed.state.observer.counts;
  return result;
}

Run from_zero;

void check(const Run& other) {
  TEST_ASSERT_EQUAL_HEX64(from_zero.hash, other.hash);
  TEST_ASSERT_EQUAL_HEX32(from_zero.health, other.health);
}

// Disturbances are told: a run in which they made no difference would show nothing.
void test_what_is_disturbed_is_told() {
  start();
  from_zero = run();
  constexpr std::uint32_t kAll = signal::kStaleFrame | signal::kEdgesLost | signal::kBadLinkForce |
                                 signal::kBadTightenerPosition | signal::kBadAcceleration |
                                 signal::kCrankCoasting;
  TEST_ASSERT_EQUAL_HEX32(kAll, from_zero.health & kAll);
  TEST_ASSERT_EQUAL_UINT32(0, from_zero.counts.losses);
  TEST_ASSERT_TRUE(from_zero.counts.missed_edges > 0 && from_zero.counts.stray_edges > 0);
  TEST_ASSERT_EQUAL_UINT32(1, from_zero.counts.stale_frames);
}

void test_ticks() {
  // The end falls on a good tick, on the one that is skipped, and on the stray edge.
  for (const std::uint32_t at : {kWrapsAt, kWrapsAt + 101, kWrapsAt + 800}) {
    start();
    sensed.frame.tick = kLast - at;
    check(run());
    TEST_ASSERT_TRUE(sensed.prediction.tick < kTicks);
  }
}

void test_moments_of_edges() {
  // 65536 ticks long: wherever the run begins, the sum of tick and moment is the same modulo that.
  for (const std::uint32_t first : {65'536U - kWrapsAt, 0x7FFF'0000U - kWrapsAt - 12}) {
    start();
    sensed.frame.tick = first;
    check(run());
  }
}

void test_sequences() {
  for (const std::uint32_t at : {kWrapsAt, kWrapsAt + 3, kWrapsAt + 250, kWrapsAt + 410}) {
    start();
    for (const auto reading : kReadings) {
      (sensed.readings.*reading).sequence = kLast - at;
    }
    check(run());
  }
}

void test_lost_edges() {
  start();
  sensed.frame.edges_lost = kLast;
  check(run());
  TEST_ASSERT_EQUAL_UINT32(1, sensed.frame.edges_lost);
}

void test_counts_of_the_observer() {
  start();
  sensed.state.observer.counts = {kLast, kLast, kLast, kLast, kLast};
  const Run other = run();
  check(other);
  TEST_ASSERT_EQUAL_UINT32(kLast, other.counts.losses);
  TEST_ASSERT_EQUAL_UINT32(from_zero.counts.missed_edges - 1, other.counts.missed_edges);
  TEST_ASSERT_EQUAL_UINT32(from_zero.counts.stray_edges - 1, other.counts.stray_edges);
  TEST_ASSERT_EQUAL_UINT32(0, other.counts.stale_frames);
}

// A year of teeth without a gap: the next one is no turn after the last.
void test_teeth_without_a_mark() {
  start();
  const auto advance = [](int ticks) {
    for (int i = 0; i < ticks; ++i) {
      twin_test::tick(sensed, twin_test::advance(engine));
    }
  };
  advance(400);
  TEST_ASSERT_TRUE(sensed.state.observer.has_edge);
  sensed.state.observer.mark_edges = kLast - 1;
  advance(200);
  TEST_ASSERT_EQUAL_UINT32(kLast, sensed.state.observer.mark_edges);
}

void test_steps_and_bad_commands_of_the_chain() {
  start();
  check(run([] {
    sensed.state.chain.steps = ~std::uint64_t{0} - kShortBefore;
    sensed.state.chain.bad_commands = kLast;
  }));
  TEST_ASSERT_EQUAL_UINT64(kTicks - kWrapsAt - 1, sensed.state.chain.steps);
}

// These do not wrap: they stay at their ends.
void test_restarts_ages_and_counts_of_channels_end() {
  start();
  sensed.state.restarts = kLast;
  hal::ChannelStates& channels = sensed.channel_states;
  for (hal::ChannelState* const channel :
       {&channels.crank_acceleration, &channels.link_force, &channels.tightener_position}) {
    channel->spells = kLast - 1;
    channel->counts.fill(kLast - 1);
  }
  check(run());
  TEST_ASSERT_EQUAL_UINT32(kLast, channels.link_force.spells);
  const auto at = [](const hal::ChannelState& channel, hal::Fault fault) {
    return channel.counts[static_cast<std::size_t>(fault)];
  };
  TEST_ASSERT_EQUAL_UINT32(kLast, at(channels.link_force, hal::Fault::kSkipped));
  TEST_ASSERT_EQUAL_UINT32(kLast, at(channels.tightener_position, hal::Fault::kStale));
  TEST_ASSERT_EQUAL_UINT32(kLast, at(channels.crank_acceleration, hal::Fault::kNotFinite));
  TEST_ASSERT_EQUAL_UINT32(kLast - 1, at(channels.crank_acceleration, hal::Fault::kStuck));
}

// A sensor that was silent for longer than can be counted is as old as that, and comes back.
void test_age_of_a_silent_sensor() {
  start();
  for (int i = 0; i < 100; ++i) {
    twin_test::tick(sensed, twin_test::advance(engine));
  }
  sensed.channel_states.link_force.good_age_ticks = kLast - 5;
  sensed.channel_states.link_force.unchanged_ticks = kLast - 5;
  for (int i = 0; i < 20; ++i) {
    --sensed.readings.link_force.sequence;
    twin_test::tick(sensed, twin_test::advance(engine));
    TEST_ASSERT_TRUE(sensed.frame.link_force_N.quality != signal::Quality::kGood);
  }
  TEST_ASSERT_EQUAL_UINT32(kLast, sensed.frame.link_force_N.age_ticks);
  for (int i = 0; i < 100; ++i) {
    twin_test::tick(sensed, twin_test::advance(engine));
  }
  TEST_ASSERT_EQUAL_UINT32(0, sensed.frame.link_force_N.age_ticks);
  TEST_ASSERT_TRUE(sensed.frame.link_force_N.quality == signal::Quality::kGood);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  if (!twin_test::make(twin_test::observer_of_the_engine(), sensed)) {
    return 1;
  }
  RUN_TEST(test_what_is_disturbed_is_told);
  RUN_TEST(test_ticks);
  RUN_TEST(test_moments_of_edges);
  RUN_TEST(test_sequences);
  RUN_TEST(test_lost_edges);
  RUN_TEST(test_counts_of_the_observer);
  RUN_TEST(test_teeth_without_a_mark);
  RUN_TEST(test_steps_and_bad_commands_of_the_chain);
  RUN_TEST(test_restarts_ages_and_counts_of_channels_end);
  RUN_TEST(test_age_of_a_silent_sensor);
  return UNITY_END();
}
