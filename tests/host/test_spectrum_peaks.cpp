// Main frequencies of signals that are known: what taut run says of strands and tightener.
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "unity.h"

#include "host_tools/taut/spectrum_peaks.h"

namespace {

using taut::tool::spectrum_peaks;

constexpr double kRate_Hz = 2000;

struct Sine {
  double frequency_Hz;
  double amplitude;
};

std::vector<double> sum_of(const std::vector<Sine>& sines, double mean, std::size_t samples) {
  std::vector<double> signal(samples, mean);
  for (std::size_t i = 0; i < samples; ++i) {
    for (const Sine& sine : sines) {
      const double turns = sine.frequency_Hz * static_cast<double>(i) / kRate_Hz;
      signal[i] += sine.amplitude * std::sin(2 * std::numbers::pi * turns + 0.3);
    }
  }
  return signal;
}

// Numbers between -1 and 1 without a tone (Numerical Recipes' quick generator).
std::vector<double> noise(std::size_t samples) {
  std::vector<double> signal;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < samples; ++i) {
    state = state * 1664525U + 1013904223U;
    signal.push_back(static_cast<double>(state) / 2147483648.0 - 1);
  }
  return signal;
}

// A bin of 5 s is 0.2 Hz wide; the parabola finds a hundredth of it, and 0.5 % of amplitude.
void test_sines_between_bins() {
  const std::vector<Sine> sines{{7.63, 100}, {81.07, 40}, {24.291, 15}};
  const auto peaks = spectrum_peaks(sum_of(sines, 6e4, 10007), kRate_Hz);
  TEST_ASSERT_EQUAL(sines.size(), peaks.size());
  for (std::size_t i = 0; i < sines.size(); ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(0.002, sines[i].frequency_Hz, peaks[i].frequency_Hz);
    TEST_ASSERT_DOUBLE_WITHIN(0.005 * sines[i].amplitude, sines[i].amplitude, peaks[i].amplitude);
  }
}

void test_what_is_small_or_out_of_range_is_left_out() {
  const std::vector<Sine> sines{{50, 100}, {120, 9}, {0.1, 300}, {450, 300}};
  const auto peaks = spectrum_peaks(sum_of(sines, 0, 40000), kRate_Hz);
  TEST_ASSERT_EQUAL(1, peaks.size());
  TEST_ASSERT_DOUBLE_WITHIN(0.01, 50, peaks[0].frequency_Hz);
}

void test_at_most_five_largest_first() {
  const std::vector<Sine> sines{{10, 1}, {30, 4}, {50, 3}, {70, 2}, {90, 5}, {110, 6}};
  const auto peaks = spectrum_peaks(sum_of(sines, 1, 8192), kRate_Hz);
  TEST_ASSERT_EQUAL(5, peaks.size());
  const double expected_Hz[] = {110, 90, 30, 50, 70};
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(0.02, expected_Hz[i], peaks[i].frequency_Hz);
  }
}

void test_noise_has_no_peaks_but_a_sine_in_it_is_seen() {
  std::vector<double> signal = noise(10000);
  TEST_ASSERT_EQUAL(0, spectrum_peaks(signal, kRate_Hz).size());
  const std::vector<double> sine = sum_of({{33.3, 0.5}}, 0, signal.size());
  for (std::size_t i = 0; i < signal.size(); ++i) {
    signal[i] += sine[i];
  }
  const auto peaks = spectrum_peaks(signal, kRate_Hz);
  TEST_ASSERT_EQUAL(1, peaks.size());
  TEST_ASSERT_DOUBLE_WITHIN(0.02, 33.3, peaks[0].frequency_Hz);
}

void test_nothing_in_short_or_constant_signals() {
  TEST_ASSERT_EQUAL(0, spectrum_peaks({}, kRate_Hz).size());
  TEST_ASSERT_EQUAL(0, spectrum_peaks({1, 2, 3}, kRate_Hz).size());
  TEST_ASSERT_EQUAL(0, spectrum_peaks(std::vector<double>(5000, 4.7), kRate_Hz).size());
  TEST_ASSERT_EQUAL(0, spectrum_peaks(sum_of({{50, 1}}, 0, 16), kRate_Hz).size());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_sines_between_bins);
  RUN_TEST(test_what_is_small_or_out_of_range_is_left_out);
  RUN_TEST(test_at_most_five_largest_first);
  RUN_TEST(test_noise_has_no_peaks_but_a_sine_in_it_is_seen);
  RUN_TEST(test_nothing_in_short_or_constant_signals);
  return UNITY_END();
}
