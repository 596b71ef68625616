// What a channel gives: scaled values, and what stands in for them during a spell of faults.
#include <bit>
#include <limits>

#include "unity.h"
#include <etl/array.h>

#include "hal/channel.h"
#include "hal/channels.h"
#include "sim_core/math/hash.h"
#include "tests/unit/hal/fed_channel.h"

namespace {

using namespace taut;
using hal::ChannelSpec;
using hal::Fault;
using hal_test::FedChannel;
using hal_test::kPlainSpec;
using hal_test::running_channel;
using signal::Quality;
using signal::Sample;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void expect(float value, std::uint32_t age_ticks, Quality quality, const Sample& sample) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(quality),
                          static_cast<std::uint8_t>(sample.quality));
  TEST_ASSERT_EQUAL_FLOAT(value, sample.value);
  TEST_ASSERT_EQUAL_UINT32(age_ticks, sample.age_ticks);
}

void test_scale() {
  ChannelSpec spec = kPlainSpec;
  spec.gain = -0.5;
  spec.offset = 3;
  FedChannel channel(spec);
  const Sample sample = channel.feed_times(spec.recover_ticks, 10);
  expect(-2, 0, Quality::kGood, sample);
  TEST_ASSERT_EQUAL_UINT32(spec.recover_ticks, sample.sequence);
}

void test_missing_until_it_was_good_for_long_enough() {
  FedChannel channel(kPlainSpec);
  constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t i = 1; i < kPlainSpec.recover_ticks; ++i) {
    expect(0, kNever, Quality::kMissing, channel.feed(5, 6));
  }
  expect(5, 0, Quality::kGood, channel.feed(5, 6));
  TEST_ASSERT_EQUAL_UINT32(0, channel.state.spells);
}

// Never good: missing for ever, with its faults counted.
void test_missing_while_it_was_never_good() {
  FedChannel channel(kPlainSpec);
  const Sample sample = channel.feed_times(1000, kNan, 6);
  expect(0, std::numeric_limits<std::uint32_t>::max(), Quality::kMissing, sample);
  TEST_ASSERT_EQUAL_UINT32(1000, channel.count_of(Fault::kNotFinite));
}

void test_held_then_modelled_then_good_again() {
  FedChannel channel = running_channel(kPlainSpec, 5);
  const std::uint32_t last_good = channel.sequence;
  for (std::uint32_t i = 1; i <= kPlainSpec.hold_ticks; ++i) {
    expect(5, i, Quality::kHeld, channel.feed(kNan, 6));
  }
  expect(6.5F, kPlainSpec.hold_ticks + 1, Quality::kModelled, channel.feed(kNan, 6.5F));
  for (std::uint32_t i = 1; i < kPlainSpec.recover_ticks; ++i) {
    const Sample sample = channel.feed(7, 8);
    expect(8, kPlainSpec.hold_ticks + 1 + i, Quality::kModelled, sample);
    TEST_ASSERT_EQUAL_UINT32(last_good, sample.sequence);
  }
  expect(7, 0, Quality::kGood, channel.feed(7, 8));
  TEST_ASSERT_EQUAL_UINT32(1, channel.state.spells);
}

// The model steps in although the sensor is well again, but not yet believed.
void test_a_single_bad_sample_is_bridged_until_the_sensor_is_believed() {
  FedChannel channel = running_channel(kPlainSpec, 5);
  expect(5, 1, Quality::kHeld, channel.feed(kNan, 6));
  expect(5, 4, Quality::kHeld, channel.feed_times(3, 5, 6));
  expect(6, 5, Quality::kModelled, channel.feed(5, 6));
  expect(5, 0, Quality::kGood, channel.feed_times(kPlainSpec.recover_ticks - 4, 5, 6));
}

void test_only_good_samples_in_a_row_end_a_spell() {
  FedChannel channel = running_channel();
  for (std::uint32_t i = 1; i <= 100; ++i) {
    static_cast<void>(channel.feed(kNan, 6));
    const Sample sample = channel.feed_times(kPlainSpec.recover_ticks - 1, 0, 6);
    expect(6, i * kPlainSpec.recover_ticks, Quality::kModelled, sample);
  }
  TEST_ASSERT_EQUAL_UINT32(100, channel.count_of(Fault::kNotFinite));
  TEST_ASSERT_EQUAL_UINT32(1, channel.state.spells);
}

// A measurement seen again is no further one.
void test_ticks_without_a_measurement_do_not_end_a_spell() {
  FedChannel channel = running_channel();
  static_cast<void>(channel.feed(kNan));
  for (std::uint32_t i = 1; i < kPlainSpec.recover_ticks; ++i) {
    static_cast<void>(channel.feed(0));
    static_cast<void>(channel.feed_nothing());
  }
  TEST_ASSERT_TRUE(channel.state.in_spell);
  expect(0, 0, Quality::kGood, channel.feed(0));
}

// Good for longer than it takes to be believed, between faults: comes back, and is counted.
void test_slowly_intermittent_faults_are_counted() {
  FedChannel channel = running_channel();
  for (int i = 0; i < 7; ++i) {
    expect(0, 1, Quality::kHeld, channel.feed(kNan));  // every spell begins so
    static_cast<void>(channel.feed_times(2, kNan));
    expect(0, 0, Quality::kGood, channel.feed_times(2 * kPlainSpec.recover_ticks, 0));
  }
  TEST_ASSERT_EQUAL_UINT32(7, channel.state.spells);
  TEST_ASSERT_EQUAL_UINT32(21, channel.count_of(Fault::kNotFinite));
}

// Then the last good value is the best there is.
void test_a_model_that_is_not_finite_does_not_stand_in() {
  for (const float bad : {kNan, std::numeric_limits<float>::infinity()}) {
    FedChannel channel = running_channel(kPlainSpec, 5);
    expect(5, 1000, Quality::kHeld, channel.feed_times(1000, kNan, bad));
    expect(6, 1001, Quality::kModelled, channel.feed(kNan, 6));
    // Nor does it move: the sensor is not stuck.
    FedChannel steady = running_channel(kPlainSpec, 5);
    static_cast<void>(steady.feed_times(200, 5, bad));
    TEST_ASSERT_EQUAL_HEX32(0, steady.state.latched);
  }
}

void test_no_such_sensor() {
  ChannelSpec spec = kPlainSpec;
  spec.is_fitted = false;
  FedChannel channel(spec);
  expect(0, std::numeric_limits<std::uint32_t>::max(), Quality::kMissing,
         channel.feed_times(100, kNan, 6));
  TEST_ASSERT_EQUAL_HEX32(0, channel.state.latched);
}

void test_latched_bits_stay_until_they_are_reset() {
  FedChannel channel = running_channel();
  static_cast<void>(channel.feed(kNan));
  static_cast<void>(channel.feed(1000));
  static_cast<void>(channel.feed_times(2 * kPlainSpec.recover_ticks, 0));
  TEST_ASSERT_EQUAL_HEX32(0, channel.state.faults);
  TEST_ASSERT_EQUAL_HEX32(bit_of(Fault::kNotFinite) | bit_of(Fault::kOutOfRange),
                          channel.state.latched);
  reset_latched(channel.state);
  static_cast<void>(channel.feed(0));
  TEST_ASSERT_EQUAL_HEX32(0, channel.state.latched);
  TEST_ASSERT_EQUAL_UINT32(1, channel.count_of(Fault::kNotFinite));
}

void test_counts_end_at_their_largest() {
  FedChannel channel = running_channel();
  channel.state.counts.fill(std::numeric_limits<std::uint32_t>::max());
  static_cast<void>(channel.feed(kNan));
  TEST_ASSERT_EQUAL_UINT32(std::numeric_limits<std::uint32_t>::max(),
                           channel.count_of(Fault::kNotFinite));
}

void expect_problem(const char* member, double value, const ChannelSpec& spec) {
  hal::ChannelModel model{};
  const hal::ChannelProblem problem = make_channel(spec, model);
  TEST_ASSERT_EQUAL_STRING(member, problem.member);
  TEST_ASSERT_TRUE(problem.value == value || value != value);
  TEST_ASSERT_NOT_NULL(problem.allowed);
  TEST_ASSERT_EQUAL_FLOAT(0, model.gain);  // untouched
}

void test_specs_that_cannot_be() {
  constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {kNoNumber, kInfinity, -kInfinity, 0.0}) {
    ChannelSpec spec = kPlainSpec;
    spec.gain = bad;
    expect_problem("gain", bad, spec);
    spec = kPlainSpec;
    spec.largest_jump = bad;
    expect_problem("largest_jump", bad, spec);
    spec = kPlainSpec;
    spec.largest_noise = bad;
    expect_problem("largest_noise", bad, spec);
    spec = kPlainSpec;
    spec.stuck_model_moves = bad;
    expect_problem("stuck_model_moves", bad, spec);
  }
  for (const double bad : {kNoNumber, kInfinity}) {
    ChannelSpec spec = kPlainSpec;
    spec.offset = bad;
    expect_problem("offset", bad, spec);
    spec = kPlainSpec;
    spec.lowest = bad;
    expect_problem("lowest", bad, spec);
    spec = kPlainSpec;
    spec.highest = bad;
    expect_problem("highest", bad, spec);
  }
  ChannelSpec spec = kPlainSpec;
  spec.highest = spec.lowest;
  expect_problem("highest", -100, spec);
}

void test_times_that_cannot_be() {
  ChannelSpec spec = kPlainSpec;
  spec.stuck_ticks = 0;
  expect_problem("stuck_ticks", 0, spec);
  spec = kPlainSpec;
  spec.stale_ticks = 80;
  expect_problem("stale_ticks", 80, spec);
  spec = kPlainSpec;
  spec.stale_ticks = 30;
  spec.hold_ticks = 50;
  expect_problem("hold_ticks", 50, spec);
  spec = kPlainSpec;
  spec.recover_ticks = 0;
  expect_problem("recover_ticks", 0, spec);
}

// Each sample from its own sensor, and replaced by its own prediction.
void test_frame_of_all_channels() {
  const hal::ChannelModel model = running_channel().model;
  const hal::ChannelModels models = {model, model, model, model};
  hal::ChannelStates states{};
  init(states);
  signal::Prediction expected{};
  expected.edges_acceleration_rad_s2 = 11;
  expected.tagged_link_N = 12;
  expected.tightener_acceleration_m_s2 = 13;
  expected.tightener_position_m = 14;
  signal::SensorFrame frame{};
  std::uint32_t sequence = 0;
  for (; sequence < 20; ++sequence) {
    condition(models, states, {{1, sequence}, {2, sequence}, {3, sequence}, {4, sequence}},
              expected, frame);
  }
  expect(1, 0, Quality::kGood, frame.crank_acceleration_rad_s2);
  expect(2, 0, Quality::kGood, frame.link_force_N);
  expect(3, 0, Quality::kGood, frame.tightener_acceleration_m_s2);
  expect(4, 0, Quality::kGood, frame.tightener_position_m);
  for (; sequence < 40; ++sequence) {
    condition(models, states,
              {{kNan, sequence}, {kNan, sequence}, {kNan, sequence}, {kNan, sequence}}, expected,
              frame);
  }
  expect(11, 20, Quality::kModelled, frame.crank_acceleration_rad_s2);
  expect(12, 20, Quality::kModelled, frame.link_force_N);
  expect(13, 20, Quality::kModelled, frame.tightener_acceleration_m_s2);
  expect(14, 20, Quality::kModelled, frame.tightener_position_m);
}

// Quiet for long, with all kinds of faults between.
Sample feed_mixed(FedChannel& channel, std::uint32_t tick) {
  const std::uint32_t random = tick * 2654435761U;
  const std::uint32_t dice = random >> 24;
  const auto tremble = static_cast<float>(random >> 8 & 0xFFFFU) * 0x1p-14F;
  const bool is_quiet = tick % 512 < 300;
  channel.sequence += !is_quiet && dice < 4 ? dice : 0;
  if (!is_quiet && dice >= 4 && dice < 64) {
    return channel.feed_nothing(tremble);
  }
  const float value = is_quiet || dice < 200 ? tremble : std::bit_cast<float>(random);
  return channel.feed(value, 10 * tremble);
}

void test_every_machine_gives_the_same_samples() {
  FedChannel channel(kPlainSpec);
  math::Hash64 hash;
  etl::array<std::uint32_t, 4> of_quality{};
  for (std::uint32_t tick = 0; tick < 8192; ++tick) {
    const Sample sample = feed_mixed(channel, tick);
    hash.add(sample.value);
    hash.add(sample.age_ticks);
    hash.add(sample.sequence);
    hash.add(static_cast<std::uint32_t>(sample.quality));
    hash.add(channel.state.faults);
    hash.add(channel.state.noise);
    ++of_quality[static_cast<std::size_t>(sample.quality)];
  }
  for (const std::uint32_t number : of_quality) {
    TEST_ASSERT_TRUE(number > 5);  // the stream shows all of them
  }
  TEST_ASSERT_EQUAL_HEX64(0x5ffad34d185dc275, hash.value());
}

// The state is all there is to save.
void test_replay_from_a_saved_state() {
  FedChannel channel(kPlainSpec);
  for (std::uint32_t tick = 0; tick < 3000; ++tick) {
    static_cast<void>(feed_mixed(channel, tick));
  }
  FedChannel saved = channel;
  for (std::uint32_t tick = 3000; tick < 6000; ++tick) {
    const Sample one = feed_mixed(channel, tick);
    const Sample other = feed_mixed(saved, tick);
    expect(one.value, one.age_ticks, one.quality, other);
  }
  TEST_ASSERT_EQUAL_MEMORY(&channel.state, &saved.state, sizeof channel.state);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_scale);
  RUN_TEST(test_missing_until_it_was_good_for_long_enough);
  RUN_TEST(test_missing_while_it_was_never_good);
  RUN_TEST(test_held_then_modelled_then_good_again);
  RUN_TEST(test_a_single_bad_sample_is_bridged_until_the_sensor_is_believed);
  RUN_TEST(test_only_good_samples_in_a_row_end_a_spell);
  RUN_TEST(test_ticks_without_a_measurement_do_not_end_a_spell);
  RUN_TEST(test_slowly_intermittent_faults_are_counted);
  RUN_TEST(test_a_model_that_is_not_finite_does_not_stand_in);
  RUN_TEST(test_no_such_sensor);
  RUN_TEST(test_latched_bits_stay_until_they_are_reset);
  RUN_TEST(test_counts_end_at_their_largest);
  RUN_TEST(test_specs_that_cannot_be);
  RUN_TEST(test_times_that_cannot_be);
  RUN_TEST(test_frame_of_all_channels);
  RUN_TEST(test_every_machine_gives_the_same_samples);
  RUN_TEST(test_replay_from_a_saved_state);
  return UNITY_END();
}
