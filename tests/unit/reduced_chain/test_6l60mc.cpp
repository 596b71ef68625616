// The reduced chain of a drive with little pre-tension, 6L60MC, against the full model: tensions
// and the first natural frequencies of its strands at constant speed. At the nominal 120 rpm m V^2
// is 88 % of the tension at rest, of which `taut reduce` warns.
#include <cmath>
#include <memory>
#include <vector>

#include "unity.h"

#include "sim_core/reduced_chain/outputs.h"
#include "sim_core/reduced_chain/reduce.h"
#include "tests/unit/reduced_chain/running.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using reduced_chain::ReducedModel;

constexpr std::size_t kStrands = 4;
constexpr int kSettling = 8000;
constexpr int kTicks = 16000;

struct Record {
  std::vector<double> middle_m[kStrands];
  double mean_N[kStrands] = {};

  void add(const signal::ChainOutputs& outputs) {
    for (std::size_t s = 0; s < kStrands; ++s) {
      mean_N[s] += static_cast<double>(outputs.strand_mean_N[s]) / kTicks;
      middle_m[s].push_back(static_cast<double>(outputs.strand_middle_m[s]));
    }
  }
};

// Where the spectrum under a Hann window is highest between two frequencies.
double peak_Hz(const std::vector<double>& samples, double from_Hz, double to_Hz) {
  constexpr double kFine_Hz = 0.02;
  constexpr auto kTick_s = static_cast<double>(reduced_chain::kStep_s);
  const auto count = static_cast<double>(samples.size());
  double mean = 0;
  for (const double sample : samples) {
    mean += sample / count;
  }
  double highest = 0;
  double found_Hz = 0;
  for (double at_Hz = from_Hz; at_Hz <= to_Hz; at_Hz += kFine_Hz) {
    double cos_sum = 0;
    double sin_sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double turn = math::kTwoPi<double> * static_cast<double>(i);
      const double value = (samples[i] - mean) * (1 - std::cos(turn / count));
      cos_sum += value * std::cos(turn * at_Hz * kTick_s);
      sin_sum += value * std::sin(turn * at_Hz * kTick_s);
    }
    if (std::hypot(cos_sum, sin_sum) > highest) {
      highest = std::hypot(cos_sum, sin_sum);
      found_Hz = at_Hz;
    }
  }
  return found_Hz;
}

// A string that moves along: (c^2 - V^2) / (2 L c).
double string_Hz(double tension_N, double mass_kg_m, double length_m, double speed_m_s) {
  const double wave_m_s = std::sqrt(tension_N / mass_kg_m);
  return (wave_m_s * wave_m_s - speed_m_s * speed_m_s) / (2 * length_m * wave_m_s);
}

// Found: means 5.6 %, 2.6 % and 1.6 % low; strings follow by the root of it.
struct Allowed {
  double speed_rpm, mean, frequency;
};

// Strand 2 is left out of the frequencies: with less than five pitches it moves as the sprockets
// beside it do, at their 22 Hz.
void check(const ReducedModel& model, const drive::DriveModel& drive, const Allowed& allowed) {
  const auto full = std::make_unique<drive_test::Moving<double>>();
  const auto small = std::make_unique<reduced_test::Running>();
  drive_test::start(drive, drive_test::at_rest(drive).at, {.speed_rpm = allowed.speed_rpm}, *full);
  reduced_test::start(model, allowed.speed_rpm, 0, *small);
  const long steps = std::lround(static_cast<double>(reduced_chain::kStep_s) / full->model.step_s);
  Record of_full;
  Record of_reduced;
  signal::ChainOutputs outputs{};
  for (int i = 0; i < kSettling + kTicks; ++i) {
    drive_test::advance(*full, steps);
    reduced_test::advance(model, *small, 1);
    if (i >= kSettling) {
      roller_chain::predict(full->model, full->state, full->scratch, {}, outputs);
      of_full.add(outputs);
      reduced_chain::predict(model, small->state, small->scratch, {}, outputs);
      of_reduced.add(outputs);
    }
  }
  for (const std::size_t s : {0U, 1U, 2U, 3U}) {
    TEST_ASSERT_DOUBLE_WITHIN(allowed.mean * of_full.mean_N[s], of_full.mean_N[s],
                              of_reduced.mean_N[s]);
  }
  for (const std::size_t s : {0U, 2U, 3U}) {
    const double string = string_Hz(
        of_full.mean_N[s], static_cast<double>(model.mass_per_length_kg_m),
        static_cast<double>(model.strand[s].length_m), static_cast<double>(small->state.chain_m_s));
    const double full_Hz = peak_Hz(of_full.middle_m[s], 0.8 * string, 1.2 * string);
    const double reduced_Hz = peak_Hz(of_reduced.middle_m[s], 0.8 * string, 1.2 * string);
    TEST_ASSERT_DOUBLE_WITHIN(allowed.frequency * full_Hz, full_Hz, reduced_Hz);
    // Both stand inside, not at an end of where they were sought.
    TEST_ASSERT_DOUBLE_WITHIN(0.15 * string, string, full_Hz);
    TEST_ASSERT_DOUBLE_WITHIN(0.15 * string, string, reduced_Hz);
  }
}

void test_tensions_and_frequencies() {
  const drive::DriveModel drive = drive_test::model_of(drive_test::engine_6l60mc());
  const auto model = std::make_unique<ReducedModel>();
  TEST_ASSERT_TRUE(reduced_chain::reduce(drive, *model).made);
  check(*model, drive, {60, 0.08, 0.05});
  check(*model, drive, {90, 0.05, 0.05});
  check(*model, drive, {120, 0.05, 0.05});
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_tensions_and_frequencies);
  return UNITY_END();
}
