// The chain in motion against an integrator of another kind: Dormand and Prince 5(4) with error
// control, driven by the same forces. 0.2 s of 6S90MC-C at constant speed, in which 16 teeth pass;
// compared is the tension at the middle of each strand, every tick.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "unity.h"

#include "sim_core/roller_chain/step_size.h"
#include "tests/reference/adaptive_roller_chain.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;
using adaptive_roller_chain::Accuracy;
using adaptive_roller_chain::AdaptiveRun;
using adaptive_roller_chain::FastKernel;
using drive_test::Moving;

using Record = std::vector<PerSprocket<float>>;  // strand_middle_N of every tick

constexpr int kTicks = 400;

// Tolerances of RMS differences over a strand's mean tension, where they are largest.
//
// The model's promise is 0.1 % at 1 us. Measured: 5.4e-6 without friction, 3.6e-6 with, most of it
// from moments of first touch, which Verlet knows to 1 us. 1e-4 leaves it a factor of 20.
constexpr double kVerlet = 1e-4;
// What the reference moves when both its bounds are made ten times wider: 5.7e-6, below a tenth of
// the tolerance above.
constexpr double kReferenceMoves = 1e-5;
// At its default step of 50 us semi-implicit Euler is off by 2.6e-3 (and by 4.5e-5 at 1 us: of
// first order, as it should be). Both ways within a factor of two to five.
constexpr double kEulerBest = 5e-4;
constexpr double kEulerWorst = 5e-3;

constexpr Accuracy kReference{1e-8, 1e-7};
constexpr Accuracy kWider{1e-7, 1e-6};

struct Run {
  Record record;
  long evaluations = 0;
};

void sample(const Moving<>& moving, Outputs& outputs, Run& run) {
  predict(moving.model, moving.state, moving.scratch, {}, outputs);
  run.record.push_back(outputs.strand_middle_N);
}

Run run_adaptive(const drive::DriveModel& drive, const Configuration<double>& from,
                 const Accuracy& accuracy) {
  const auto moving = std::make_unique<Moving<>>();
  start(drive, from, {}, *moving);
  AdaptiveRun<FastKernel> adaptive(*moving, moving->state.engaged, accuracy);
  moving->state
      .engaged = {};  // the integrator has its own from here on: predict() looks at all links
  Outputs outputs{};
  Run run;
  for (int tick = 1; tick <= kTicks; ++tick) {
    TEST_ASSERT_TRUE_MESSAGE(adaptive.advance_to(tick * kTick_s),
                             "the adaptive integrator is stuck");
    sample(*moving, outputs, run);
  }
  run.evaluations = adaptive.evaluations();
  return run;
}

Run run_fixed(const drive::DriveModel& drive, const Configuration<double>& from,
              const StepSpec& step) {
  const auto moving = std::make_unique<Moving<>>();
  start(drive, from, {.step = step}, *moving);
  const long steps = std::lround(kTick_s / moving->model.step_s);
  Outputs outputs{};
  Run run;
  for (int tick = 0; tick < kTicks; ++tick) {
    advance(*moving, steps);
    sample(*moving, outputs, run);
  }
  run.evaluations = steps * kTicks;
  return run;
}

// RMS over the mean, of the strand where it is largest.
double largest_difference(const Run& run, const Run& reference) {
  constexpr std::size_t kStrands = 4;
  double largest = 0;
  for (std::size_t s = 0; s < kStrands; ++s) {
    double sum_N = 0;
    double squares_N2 = 0;
    for (std::size_t tick = 0; tick < kTicks; ++tick) {
      const auto tension_N = static_cast<double>(reference.record[tick][s]);
      const double error_N = static_cast<double>(run.record[tick][s]) - tension_N;
      sum_N += tension_N;
      squares_N2 += error_N * error_N;
    }
    const double mean_N = sum_N / kTicks;
    TEST_ASSERT_TRUE(mean_N > 10e3 && squares_N2 >= 0);  // a tight chain, and no NaN
    largest = std::max(largest, std::sqrt(squares_N2 / kTicks) / mean_N);
  }
  return largest;
}

void compare(const char* name, double friction_coefficient) {
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  spec.friction = {.form = drive::FrictionForm::kCubic,
                   .coefficient = friction_coefficient,
                   .speed_m_s = 0.1,
                   .sharpness = 0};
  const drive::DriveModel drive = drive_test::model_of(spec);
  const Configuration<double> from = drive_test::at_rest(drive).at;
  const Run reference = run_adaptive(drive, from, kReference);
  const Run wider = run_adaptive(drive, from, kWider);
  const Run verlet =
      run_fixed(drive, from, {.integrator = Integrator::kVelocityVerlet, .step_s = 1e-6});
  const Run euler = run_fixed(drive, from, {});
  const double moves = largest_difference(wider, reference);
  const double verlet_off = largest_difference(verlet, reference);
  const double euler_off = largest_difference(euler, reference);
  char text[200];
  std::snprintf(text, sizeof text,
                "%s: Dormand-Prince %ld evaluations (%ld: moves %.1e), "
                "Verlet %ld: %.1e, Euler %ld: %.1e of the mean",
                name, reference.evaluations, wider.evaluations, moves, verlet.evaluations,
                verlet_off, euler.evaluations, euler_off);
  TEST_MESSAGE(text);
  TEST_ASSERT_TRUE(moves < kReferenceMoves);
  TEST_ASSERT_TRUE(verlet_off < kVerlet);
  TEST_ASSERT_TRUE(euler_off > kEulerBest);
  TEST_ASSERT_TRUE(euler_off < kEulerWorst);
}

void test_chain_without_friction_moves_as_an_adaptive_integrator_says() {
  compare("no friction", 0);
}

void test_chain_with_friction_moves_as_an_adaptive_integrator_says() {
  compare("cubic friction", 0.1);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_chain_without_friction_moves_as_an_adaptive_integrator_says);
  RUN_TEST(test_chain_with_friction_moves_as_an_adaptive_integrator_says);
  return UNITY_END();
}
