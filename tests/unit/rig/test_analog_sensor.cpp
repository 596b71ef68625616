// What an analog sensor of the rig gets wrong, error by error: all others are switched off.
#include <cmath>

#include "unity.h"

#include "host_tools/rig/analog_sensor.h"

namespace {

using namespace taut::rig;

constexpr int kMany = 40'000;
constexpr AnalogSpec kExact{.full_scale = 1000};

AnalogSensor sensor_of(const AnalogSpec& spec, std::uint64_t seed = 1) {
  return {spec, seed, Stream::kLinkForce};
}

void test_without_errors_it_tells_the_truth() {
  AnalogSensor sensor = sensor_of(kExact);
  for (std::uint32_t i = 1; i < 100; ++i) {
    const RawReading reading = sensor.measure(0.25 * i);
    TEST_ASSERT_TRUE(reading.value == 0.25F * static_cast<float>(i));
    TEST_ASSERT_EQUAL_UINT32(i, reading.sequence);
  }
}

void test_noise_is_white_with_its_standard_deviation() {
  AnalogSpec spec = kExact;
  spec.noise_sd = 3;
  AnalogSensor sensor = sensor_of(spec);
  double mean = 0;
  double square = 0;
  double lagged = 0;
  double last = 0;
  for (int i = 0; i < kMany; ++i) {
    const double error = static_cast<double>(sensor.measure(50).value) - 50;
    mean += error / kMany;
    square += error * error / kMany;
    lagged += error * last / kMany;
    last = error;
  }
  const double root = std::sqrt(kMany);  // five standard deviations of each
  TEST_ASSERT_DOUBLE_WITHIN(5 * 3 / root, 0, mean);
  TEST_ASSERT_DOUBLE_WITHIN(5 * 9 * std::sqrt(2.0) / root, 9, square);
  TEST_ASSERT_DOUBLE_WITHIN(5 * 9 / root, 0, lagged);
}

void test_zero_and_gain_are_drawn_once_within_their_bounds() {
  AnalogSpec spec = kExact;
  spec.zero_error = 2;
  spec.gain_error = 0.05;
  double zeros = 0;
  double gains = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    AnalogSensor sensor = sensor_of(spec, seed);
    const double at_zero = static_cast<double>(sensor.measure(0).value);
    const double gain = (static_cast<double>(sensor.measure(100).value) - at_zero) / 100;
    TEST_ASSERT_DOUBLE_WITHIN(2, 0, at_zero);
    TEST_ASSERT_DOUBLE_WITHIN(0.05 + 1e-6, 1, gain);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, at_zero, static_cast<double>(sensor.measure(0).value));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, sensor.zero(), at_zero);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, sensor.gain(), gain);
    zeros += at_zero * at_zero / 200;
    gains += (gain - 1) * (gain - 1) / 200;
  }
  // Uniform: a third of the square of the bound; five standard deviations, 0.3 of it/sqrt(200).
  TEST_ASSERT_DOUBLE_WITHIN(0.1 * 4, 4.0 / 3, zeros);
  TEST_ASSERT_DOUBLE_WITHIN(0.1 * 0.0025, 0.0025 / 3, gains);
}

void test_drift_is_a_random_walk() {
  AnalogSpec spec = kExact;
  spec.drift_sd_1_s = 0.5;
  double square = 0;
  constexpr int kSensors = 400;
  for (std::uint64_t seed = 0; seed < kSensors; ++seed) {
    AnalogSensor sensor = sensor_of(spec, seed);
    float value = 0;
    for (int i = 0; i < 2000; ++i) {  // a second
      value = sensor.measure(0).value;
    }
    square += static_cast<double>(value) * static_cast<double>(value) / kSensors;
  }
  TEST_ASSERT_DOUBLE_WITHIN(5 * 0.25 * std::sqrt(2.0 / kSensors), 0.25, square);
}

void test_readings_are_whole_quanta_within_the_range() {
  AnalogSpec spec = kExact;
  spec.full_scale = 10;
  spec.quantum = 0.25;
  AnalogSensor sensor = sensor_of(spec);
  TEST_ASSERT_TRUE(sensor.measure(3.1).value == 3.0F);
  TEST_ASSERT_TRUE(sensor.measure(3.13).value == 3.25F);
  TEST_ASSERT_TRUE(sensor.measure(-3.13).value == -3.25F);
  TEST_ASSERT_TRUE(sensor.measure(1e6).value == 10.0F);
  TEST_ASSERT_TRUE(sensor.measure(-1e6).value == -10.0F);
}

void test_it_is_late_by_its_delay() {
  AnalogSpec spec = kExact;
  spec.delay_ticks = 3;
  AnalogSensor sensor = sensor_of(spec);
  for (int i = 10; i < 50; ++i) {
    const float expected = static_cast<float>(i < 13 ? 10 : i - 3);
    TEST_ASSERT_TRUE(sensor.measure(i).value == expected);
  }
}

void test_dropouts_leave_value_and_number_as_they_were() {
  AnalogSpec spec = kExact;
  spec.dropout = 0.1;
  AnalogSensor sensor = sensor_of(spec);
  RawReading last{};
  int lost = 0;
  for (int i = 1; i <= kMany; ++i) {
    const RawReading reading = sensor.measure(i % 1000);
    if (reading.sequence == last.sequence) {
      ++lost;
      TEST_ASSERT_TRUE(reading.value == last.value);
    } else {
      TEST_ASSERT_EQUAL_UINT32(last.sequence + 1, reading.sequence);
      TEST_ASSERT_TRUE(reading.value == static_cast<float>(i % 1000));
    }
    last = reading;
  }
  TEST_ASSERT_DOUBLE_WITHIN(5 * std::sqrt(0.09 * kMany), 0.1 * kMany, lost);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_without_errors_it_tells_the_truth);
  RUN_TEST(test_noise_is_white_with_its_standard_deviation);
  RUN_TEST(test_zero_and_gain_are_drawn_once_within_their_bounds);
  RUN_TEST(test_drift_is_a_random_walk);
  RUN_TEST(test_readings_are_whole_quanta_within_the_range);
  RUN_TEST(test_it_is_late_by_its_delay);
  RUN_TEST(test_dropouts_leave_value_and_number_as_they_were);
  return UNITY_END();
}
