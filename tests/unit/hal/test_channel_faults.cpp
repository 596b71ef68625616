// Each fault of a channel: what sets it off, what just does not, and which signals pass.
#include <bit>
#include <limits>

#include "unity.h"
#include <etl/array.h>

#include "hal/channel.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/round.h"
#include "sim_core/math/sin_cos.h"
#include "tests/unit/hal/fed_channel.h"

namespace {

using namespace taut;
using hal::Fault;
using hal_test::FedChannel;
using hal_test::kPlainSpec;
using hal_test::running_channel;
using signal::Quality;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr etl::array<hal::ChannelSpec, 4> kSpecs = {
    hal::kCrankAcceleration_rad_s2, hal::kLinkForce_N, hal::kTightenerAcceleration_m_s2,
    hal::kTightenerPosition_m};

void expect_quality(Quality expected, const signal::Sample& sample) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected),
                          static_cast<std::uint8_t>(sample.quality));
}

// The fault, once, and no other.
void expect_only(Fault fault, const FedChannel& channel) {
  TEST_ASSERT_EQUAL_HEX32(bit_of(fault), channel.state.faults);
  TEST_ASSERT_EQUAL_HEX32(bit_of(fault), channel.state.latched);
  TEST_ASSERT_EQUAL_UINT32(1, channel.count_of(fault));
  TEST_ASSERT_EQUAL_UINT32(1, channel.state.spells);
}

void expect_none(const FedChannel& channel) {
  TEST_ASSERT_EQUAL_HEX32(0, channel.state.latched);
  TEST_ASSERT_EQUAL_UINT32(0, channel.state.spells);
}

void test_what_is_not_finite() {
  for (const float bad : {kNan, -kNan, kInfinity, -kInfinity}) {
    FedChannel channel = running_channel();
    expect_quality(Quality::kHeld, channel.feed(bad));
    expect_only(Fault::kNotFinite, channel);
  }
}

// A finite reading of which the scale makes an infinite value.
void test_what_the_scale_makes_infinite() {
  hal::ChannelSpec spec = kPlainSpec;
  spec.gain = 1000;
  FedChannel channel = running_channel(spec);
  expect_quality(Quality::kHeld, channel.feed(std::numeric_limits<float>::max()));
  expect_only(Fault::kNotFinite, channel);
}

void test_limits_of_the_range_are_inside_it() {
  for (const float limit : {-100.0F, 200.0F}) {
    FedChannel channel = running_channel(kPlainSpec, limit);
    expect_none(channel);
    expect_quality(Quality::kHeld, channel.feed(limit * 1.001F));
    expect_only(Fault::kOutOfRange, channel);
  }
}

void test_a_jump_beyond_the_largest_either_way() {
  for (const float sign : {-1.0F, 1.0F}) {
    FedChannel channel = running_channel();
    expect_quality(Quality::kGood, channel.feed(sign * 20));
    expect_none(channel);
    expect_quality(Quality::kHeld, channel.feed(sign * 40.1F));
    expect_only(Fault::kJump, channel);
  }
}

// A spike is two jumps; a step is one, after which the new level is believed.
void test_spike_and_step() {
  FedChannel spike = running_channel();
  static_cast<void>(spike.feed(50));
  static_cast<void>(spike.feed(0));
  TEST_ASSERT_EQUAL_UINT32(2, spike.count_of(Fault::kJump));
  FedChannel step = running_channel();
  static_cast<void>(step.feed(50));
  const signal::Sample after = step.feed_times(kPlainSpec.recover_ticks, 50);
  TEST_ASSERT_EQUAL_UINT32(1, step.count_of(Fault::kJump));
  expect_quality(Quality::kGood, after);
  TEST_ASSERT_EQUAL_FLOAT(50, after.value);
  TEST_ASSERT_EQUAL_HEX32(bit_of(Fault::kJump), step.state.latched);
}

// +a, -a, ... has second differences of 4 a: the running mean approaches that, and from below.
void test_noise_beyond_the_largest() {
  for (const float share : {0.99F, 1.01F}) {
    FedChannel channel = running_channel();
    const float a = share * 8 / 4;
    for (int i = 0; i < 1000; ++i) {
      static_cast<void>(channel.feed(i % 2 == 0 ? a : -a));
    }
    TEST_ASSERT_FLOAT_WITHIN(1e-3F * a, 4 * a, channel.state.noise);
    TEST_ASSERT_EQUAL_HEX32(share > 1 ? bit_of(Fault::kNoise) : 0, channel.state.latched);
  }
}

// Half as large again is seen within 64 ln 3 = 70 measurements: 1 - exp(-n/64) > 2/3.
void test_loud_noise_is_seen_within_40_ms() {
  FedChannel channel = running_channel();
  int ticks = 0;
  for (; channel.state.faults == 0 && ticks < 1000; ++ticks) {
    static_cast<void>(channel.feed(ticks % 2 == 0 ? 3.0F : -3.0F));
  }
  expect_only(Fault::kNoise, channel);
  TEST_ASSERT_INT_WITHIN(4, 72, ticks);
}

// As steep as a jump may be, but straight.
void test_a_ramp_is_no_noise() {
  FedChannel channel = running_channel(kPlainSpec, -100);
  for (int i = 0; i < 15; ++i) {
    static_cast<void>(channel.feed(-100.0F + 20.0F * static_cast<float>(i)));
  }
  expect_none(channel);
  TEST_ASSERT_TRUE(channel.state.noise < 1);  // but for its beginning
}

// One spike is a jump and leaves the measure of noise alone.
void test_a_spike_is_no_noise() {
  FedChannel channel = running_channel();
  static_cast<void>(channel.feed(150));
  static_cast<void>(channel.feed_times(20, 0));
  TEST_ASSERT_EQUAL_HEX32(bit_of(Fault::kJump), channel.state.latched);
  TEST_ASSERT_EQUAL_FLOAT(0, channel.state.noise);
}

// The model swings by 10 from tick to tick, the sensor stays: after more than 50 ticks it is stuck.
void test_a_sensor_that_stays_while_the_model_moves() {
  FedChannel channel(kPlainSpec);
  int ticks = 0;
  for (; channel.state.faults == 0 && ticks < 1000; ++ticks) {
    static_cast<void>(channel.feed(1, ticks % 2 == 0 ? 0.0F : 10.0F));
  }
  expect_quality(Quality::kHeld, channel.feed(1, 0));
  TEST_ASSERT_EQUAL_INT(51, ticks);
  TEST_ASSERT_EQUAL_HEX32(bit_of(Fault::kStuck), channel.state.latched);
  // The model stands: the sensor has not moved since, and stays stuck until it does.
  expect_quality(Quality::kModelled, channel.feed_times(1000, 1, 0));
  TEST_ASSERT_EQUAL_HEX32(bit_of(Fault::kStuck), channel.state.faults);
  static_cast<void>(channel.feed(1.001F, 0));
  TEST_ASSERT_EQUAL_HEX32(0, channel.state.faults);
}

// A standing engine; a model that trembles by less than is asked for; one that creeps, in all by a
// hundred times of it.
void test_a_truly_constant_sensor_is_not_stuck() {
  FedChannel channel = running_channel();
  for (int i = 0; i < 10'000; ++i) {
    const float creep = 0.05F * static_cast<float>(i);
    static_cast<void>(channel.feed(0, creep + (i % 2 == 0 ? 0.0F : 2.0F)));
  }
  expect_none(channel);
}

// One bit of a converter now and then is enough.
void test_a_sensor_that_trembles_is_not_stuck() {
  FedChannel channel = running_channel();
  for (int i = 0; i < 1000; ++i) {
    static_cast<void>(channel.feed(i / 40 % 2 == 0 ? 0.0F : 0.1F, i % 2 == 0 ? 0.0F : 10.0F));
  }
  expect_none(channel);
}

void test_no_new_measurement_for_too_long() {
  FedChannel channel = running_channel(kPlainSpec, 7);
  for (std::uint32_t age = 1; age <= kPlainSpec.stale_ticks; ++age) {
    const signal::Sample sample = channel.feed_nothing();
    expect_quality(Quality::kGood, sample);
    TEST_ASSERT_EQUAL_FLOAT(7, sample.value);
    TEST_ASSERT_EQUAL_UINT32(age, sample.age_ticks);
    TEST_ASSERT_EQUAL_UINT32(channel.sequence, sample.sequence);
  }
  expect_none(channel);
  expect_quality(Quality::kHeld, channel.feed_nothing());
  expect_only(Fault::kStale, channel);
}

// A value from before the gap is no neighbour of the one after it.
void test_no_jump_across_a_gap() {
  FedChannel channel = running_channel();
  for (int i = 0; i < 5; ++i) {
    static_cast<void>(channel.feed_nothing());
  }
  static_cast<void>(channel.feed(150));
  static_cast<void>(channel.feed(kNan));
  static_cast<void>(channel.feed(50));
  static_cast<void>(channel.feed(1000));
  static_cast<void>(channel.feed(-50));
  channel.sequence += 10;
  static_cast<void>(channel.feed(50));
  TEST_ASSERT_EQUAL_UINT32(0, channel.count_of(Fault::kJump));
}

// Two at once may come of a late tick. More, or fewer than none, is a jump of time.
void test_a_sequence_that_jumps() {
  for (const std::uint32_t advance : {3U, 1000U, 0xFFFFFFFFU, 0x80000000U}) {
    FedChannel channel = running_channel();
    channel.sequence += advance - 1;
    expect_quality(Quality::kHeld, channel.feed(0));
    expect_only(Fault::kSkipped, channel);
    expect_quality(Quality::kGood, channel.feed_times(kPlainSpec.recover_ticks, 0));
  }
  FedChannel late = running_channel();
  ++late.sequence;
  expect_quality(Quality::kGood, late.feed(0));
  expect_none(late);
}

// Any number may be the first, 0 too: it is as new as the others.
void test_a_sequence_that_begins() {
  for (const std::uint32_t before_first : {0xFFFFFFFFU, 0U, 1000U}) {
    FedChannel channel(kPlainSpec);
    channel.sequence = before_first;
    expect_quality(Quality::kGood, channel.feed_times(kPlainSpec.recover_ticks, 0));
    expect_none(channel);
  }
}

void test_a_sequence_that_wraps() {
  FedChannel channel(kPlainSpec);
  channel.sequence = 0xFFFFFFFFU - 15;
  static_cast<void>(channel.feed_times(30, 0));
  expect_none(channel);
  TEST_ASSERT_EQUAL_UINT32(14, channel.sequence);
}

float modelled_by(const hal::ChannelSpec& spec) {
  return static_cast<float>(0.1 * spec.lowest + 0.3 * spec.highest);
}

void test_every_default_may_be() {
  for (const hal::ChannelSpec& spec : kSpecs) {
    hal::ChannelModel model{};
    TEST_ASSERT_NULL(make_channel(spec, model).member);
  }
}

// 40 ms, however long it may be held. What stands in is the model, and finite from the first tick.
void test_nothing_but_nan_trips_within_80_ticks() {
  for (hal::ChannelSpec spec : kSpecs) {
    spec.hold_ticks = hal::kLongestBridge_ticks - spec.stale_ticks;
    FedChannel channel = running_channel(spec);
    signal::Sample sample{};
    for (int i = 0; i < 80; ++i) {
      sample = channel.feed(kNan, modelled_by(spec));
      TEST_ASSERT_TRUE(sample.value - sample.value == 0);
      TEST_ASSERT_FALSE(sample.quality == Quality::kGood);
    }
    expect_quality(Quality::kModelled, sample);
    TEST_ASSERT_EQUAL_FLOAT(modelled_by(spec), sample.value);
    TEST_ASSERT_EQUAL_UINT32(80, channel.count_of(Fault::kNotFinite));
  }
}

void test_no_measurement_at_all_trips_within_80_ticks() {
  for (hal::ChannelSpec spec : kSpecs) {
    spec.hold_ticks = hal::kLongestBridge_ticks - spec.stale_ticks;
    FedChannel channel = running_channel(spec);
    for (int i = 1; i < 80; ++i) {
      static_cast<void>(channel.feed_nothing(modelled_by(spec)));
    }
    expect_quality(Quality::kModelled, channel.feed_nothing(modelled_by(spec)));
  }
}

// Random bits, and random values of the whole range: never believed after the first 40 ms.
void test_garbage_is_never_believed() {
  for (const hal::ChannelSpec& spec : kSpecs) {
    FedChannel bits = running_channel(spec);
    FedChannel values = running_channel(spec);
    std::uint32_t random = 1;
    for (int i = 0; i < 2000; ++i) {
      random = random * 1664525U + 1013904223U;
      const auto share = static_cast<float>(random >> 8) * 0x1p-24F;
      const auto lowest = static_cast<float>(spec.lowest);
      const float value = lowest + share * (static_cast<float>(spec.highest) - lowest);
      const signal::Sample of_bits = bits.feed(std::bit_cast<float>(random));
      const signal::Sample of_values = values.feed(value);
      TEST_ASSERT_TRUE(of_bits.value - of_bits.value == 0);
      TEST_ASSERT_TRUE(i < 80 || of_bits.quality == Quality::kModelled);
      TEST_ASSERT_TRUE(i < 80 || of_values.quality == Quality::kModelled);
    }
  }
}

// The 6th order of 7 rad/s^2 at 76 rpm, in steps of a converter of 12 bits over +-100 rad/s^2.
float measured_rad_s2(int tick) {
  const float angle = math::kTwoPi<float> * 7.6F * 0.0005F * static_cast<float>(tick);
  constexpr float kResolution = 200.0F / 4096;
  return math::round(7 * math::sin(angle) / kResolution) * kResolution;
}

void test_a_true_sensor_passes_and_is_seen_to_stick() {
  FedChannel channel(hal::kCrankAcceleration_rad_s2);
  for (int i = 0; i < 4000; ++i) {
    static_cast<void>(channel.feed(measured_rad_s2(i), measured_rad_s2(i)));
  }
  expect_none(channel);
  int ticks = 4000;
  for (; channel.state.faults == 0 && ticks < 6000; ++ticks) {
    static_cast<void>(channel.feed(measured_rad_s2(4000), measured_rad_s2(ticks)));
  }
  expect_only(Fault::kStuck, channel);
  TEST_ASSERT_INT_WITHIN(1, 4101, ticks);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_what_is_not_finite);
  RUN_TEST(test_what_the_scale_makes_infinite);
  RUN_TEST(test_limits_of_the_range_are_inside_it);
  RUN_TEST(test_a_jump_beyond_the_largest_either_way);
  RUN_TEST(test_spike_and_step);
  RUN_TEST(test_noise_beyond_the_largest);
  RUN_TEST(test_loud_noise_is_seen_within_40_ms);
  RUN_TEST(test_a_ramp_is_no_noise);
  RUN_TEST(test_a_spike_is_no_noise);
  RUN_TEST(test_a_sensor_that_stays_while_the_model_moves);
  RUN_TEST(test_a_truly_constant_sensor_is_not_stuck);
  RUN_TEST(test_a_sensor_that_trembles_is_not_stuck);
  RUN_TEST(test_no_new_measurement_for_too_long);
  RUN_TEST(test_no_jump_across_a_gap);
  RUN_TEST(test_a_sequence_that_jumps);
  RUN_TEST(test_a_sequence_that_begins);
  RUN_TEST(test_a_sequence_that_wraps);
  RUN_TEST(test_every_default_may_be);
  RUN_TEST(test_nothing_but_nan_trips_within_80_ticks);
  RUN_TEST(test_no_measurement_at_all_trips_within_80_ticks);
  RUN_TEST(test_garbage_is_never_believed);
  RUN_TEST(test_a_true_sensor_passes_and_is_seen_to_stick);
  return UNITY_END();
}
