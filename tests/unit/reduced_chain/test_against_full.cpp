// The reduced chain against the full model: rest, torsion, constant speed, the sixth order, a link
// on its way round the loop. Tolerances are what the reduced chain promises on 6S90MC-C, wider
// where a short run of a drive that is never quite periodic asks for it.
#include <cmath>
#include <memory>
#include <vector>

#include "unity.h"

#include "sim_core/analysis/modes.h"
#include "sim_core/math/dynamic_linear_algebra.h"
#include "sim_core/reduced_chain/outputs.h"
#include "sim_core/reduced_chain/reduce.h"
#include "sim_core/roller_chain/potential.h"
#include "tests/unit/reduced_chain/running.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using drive_test::at_rest;
using drive_test::engine_6s90mc_c;
using drive_test::engine_with_fixed_tightener;
using drive_test::model_of;
using reduced_chain::ReducedModel;

constexpr int kStrands = 4;
constexpr int kPhases = 4;  // of teeth, over which the full model's rest is averaged

std::unique_ptr<ReducedModel> reduced(const drive::DriveModel& drive) {
  auto model = std::make_unique<ReducedModel>();
  const reduced_chain::ReduceReport report = reduced_chain::reduce(drive, *model);
  TEST_ASSERT_TRUE_MESSAGE(report.made, report.problem.c_str());
  return model;
}

const ReducedModel& engine_block() {
  static const std::unique_ptr<ReducedModel> model = reduced(model_of(engine_6s90mc_c()));
  return *model;
}

void check_rest(const drive::DriveSpec& spec) {
  const drive::DriveModel drive = model_of(spec);
  const auto model = reduced(drive);
  double strand_N[kStrands] = {};
  double arm_rad = 0;
  for (int i = 0; i < kPhases; ++i) {
    const roller_chain::Equilibrium rest = at_rest(drive, static_cast<double>(i) / kPhases);
    const roller_chain::StaticsReport report = roller_chain::report(drive, rest);
    arm_rad += report.arm_angle_rad / kPhases;
    for (int s = 0; s < kStrands; ++s) {
      strand_N[s] += report.strand_mean_N[s] / kPhases;
    }
  }
  for (std::size_t s = 0; s < kStrands; ++s) {
    const double tension_N =
        static_cast<double>(model->rest.tension_N[s] + model->strand[s].middle_weight_N);
    TEST_ASSERT_DOUBLE_WITHIN(0.005 * strand_N[s], strand_N[s], tension_N);
  }
  TEST_ASSERT_DOUBLE_WITHIN(0.005 * std::abs(arm_rad) + 1e-9, arm_rad,
                            static_cast<double>(model->rest.arm_angle_rad));
}

void test_rest_with_the_arm() {
  check_rest(engine_6s90mc_c());
}

void test_rest_with_a_fixed_tightener() {
  check_rest(engine_with_fixed_tightener());
}

void test_rest_of_a_worn_chain() {
  drive::DriveSpec spec = engine_6s90mc_c();
  spec.chain.elongation = 0.0002;
  check_rest(spec);
}

void test_rest_with_a_hydraulic_unit() {
  check_rest(drive_test::engine_with_hydraulic_tightener());
}

// Stiffness between the driven sprockets' pitch lines, all rollers at rest between them.
Eigen::MatrixXd pitch_line_stiffness(const roller_chain::Equilibrium& rest) {
  const roller_chain::Coordinates coordinates(rest.model);
  const auto rollers = static_cast<int>(2 * rest.model.links);
  const auto driven = static_cast<int>(rest.model.sprockets) - 1;
  const Eigen::MatrixXd whole = roller_chain::stiffness(rest.model, rest.at);
  const Eigen::MatrixXd coupling = whole.block(0, rollers, rollers, driven);
  Eigen::MatrixXd condensed =
      whole.block(rollers, rollers, driven, driven) -
      coupling.transpose() *
          Eigen::LDLT<Eigen::MatrixXd>(whole.topLeftCorner(rollers, rollers)).solve(coupling);
  for (int i = 0; i < driven; ++i) {
    for (int j = 0; j < driven; ++j) {
      const auto& a = rest.model.sprocket[static_cast<std::size_t>(i) + 1];
      const auto& b = rest.model.sprocket[static_cast<std::size_t>(j) + 1];
      const double a_m = a.turn * rest.model.pitch_m * a.pitch_angle_inverse_1_rad;
      const double b_m = b.turn * rest.model.pitch_m * b.pitch_angle_inverse_1_rad;
      condensed(i, j) /= a_m * b_m;
    }
  }
  return condensed;
}

void test_torsion() {
  const drive::DriveModel drive = model_of(engine_with_fixed_tightener());
  const auto model = reduced(drive);
  constexpr int kDriven = kStrands - 1;
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(kDriven, kDriven);
  for (int i = 0; i < kPhases; ++i) {
    stiffness += pitch_line_stiffness(at_rest(drive, static_cast<double>(i) / kPhases)) / kPhases;
  }
  Eigen::MatrixXd mobility(kDriven, kDriven);
  for (std::size_t i = 0; i < kDriven; ++i) {
    for (std::size_t j = 0; j < kDriven; ++j) {
      mobility(static_cast<int>(i), static_cast<int>(j)) =
          static_cast<double>(model->mobility[i][j]);
    }
  }
  const Eigen::VectorXcd squares = (mobility * stiffness).eigenvalues();
  std::vector<double> full_Hz;
  for (int i = 0; i < kDriven; ++i) {
    full_Hz.push_back(std::sqrt(squares[i].real()) / math::kTwoPi<double>);
  }
  std::sort(full_Hz.begin(), full_Hz.end());
  const std::vector<double> reduced_Hz = reduced_chain::torsional_Hz(*model);
  for (std::size_t i = 0; i < kDriven; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * full_Hz[i], full_Hz[i], reduced_Hz[i]);
  }
}

struct Moments {
  double sum = 0, squares = 0;
  int count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double sd() const {
    return std::sqrt(std::fmax(squares / count - mean() * mean(), 0));
  }
};

// Both models, tick by tick.
struct Compared {
  Moments full_N[kStrands], reduced_N[kStrands];
  Moments full_link_N, link_difference_N;  // of all links, one after the other
  Moments full_tooth_N, tooth_difference_N;
  Moments full_W, reduced_W;

  void add(const signal::ChainOutputs& full, const signal::ChainOutputs& reduced) {
    for (std::size_t s = 0; s < kStrands; ++s) {
      full_N[s].add(static_cast<double>(full.strand_mean_N[s]));
      reduced_N[s].add(static_cast<double>(reduced.strand_mean_N[s]));
    }
    full_link_N.add(static_cast<double>(full.tagged_link_N));
    link_difference_N.add(static_cast<double>(reduced.tagged_link_N - full.tagged_link_N));
    full_tooth_N.add(static_cast<double>(full.tagged_roller_contact_N));
    tooth_difference_N.add(
        static_cast<double>(reduced.tagged_roller_contact_N - full.tagged_roller_contact_N));
    full_W.add(static_cast<double>(full.driver_W));
    reduced_W.add(static_cast<double>(reduced.driver_W));
  }
  [[nodiscard]] double link_error() const {
    return std::hypot(link_difference_N.mean(), link_difference_N.sd()) / full_link_N.mean();
  }
};

struct CompareSpec {
  double speed_rpm = 76;
  double amplitude_rad_s2 = 0;
  bool reverse = false;
  int settling = 4000;
  int ticks = 4000;
};

template <typename Real>
crank::Motion<Real> turned(const crank::Motion<Real>& motion, bool reverse) {
  return reverse ? crank::Motion<Real>{math::kTwoPi<Real> - motion.angle_rad, -motion.speed_rad_s,
                                       -motion.acceleration_rad_s2}
                 : motion;
}

Compared compare(const ReducedModel& model, const drive::DriveModel& drive,
                 const CompareSpec& spec) {
  const auto full = std::make_unique<drive_test::Moving<double>>();
  const auto small = std::make_unique<reduced_test::Running>();
  const roller_chain::Equilibrium rest = at_rest(drive);
  drive_test::start(drive, rest.at,
                    {.speed_rpm = spec.speed_rpm,
                     .step = {},
                     .order = 6,
                     .order_amplitude_rad_s2 = spec.amplitude_rad_s2},
                    *full);
  reduced_test::start(model, spec.speed_rpm, spec.amplitude_rad_s2, *small);
  if (spec.reverse) {
    roller_chain::init(full->model, rest.at, -full->crank_model.start_speed_rad_s, full->state,
                       full->scratch);
    reduced_chain::init(model, -small->crank_model.start_speed_rad_s, small->state, small->scratch);
  }
  const long steps = std::lround(static_cast<double>(reduced_chain::kStep_s) / full->model.step_s);
  Compared compared;
  signal::ChainOutputs of_full{};
  signal::ChainOutputs of_reduced{};
  for (int i = 0; i < spec.settling + spec.ticks; ++i) {
    for (long k = 0; k < steps; ++k) {
      crank::advance(full->crank_model, full->crank);
      roller_chain::step(full->model, turned(full->crank.motion, spec.reverse), full->state,
                         full->scratch);
    }
    crank::advance(small->crank_model, small->crank);
    reduced_chain::step(model, turned(small->crank.motion, spec.reverse), small->state,
                        small->scratch);
    if (i < spec.settling) {
      continue;
    }
    // All links, and rollers, in turn: one of them takes seconds round the loop.
    const std::size_t tagged = static_cast<std::size_t>(i) % model.links;
    const signal::Tags tags{.link = tagged, .roller = tagged};
    roller_chain::predict(full->model, full->state, full->scratch, tags, of_full);
    reduced_chain::predict(model, small->state, small->scratch, tags, of_reduced);
    compared.add(of_full, of_reduced);
  }
  return compared;
}

// Means of strands, of the driver's power and of forces on teeth, and every link.
void check_steady(const Compared& compared, double power) {
  for (const int s : {0, 1, 2, 3}) {
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * compared.full_N[s].mean(), compared.full_N[s].mean(),
                              compared.reduced_N[s].mean());
  }
  TEST_ASSERT_DOUBLE_WITHIN(power * compared.full_W.mean(), compared.full_W.mean(),
                            compared.reduced_W.mean());
  TEST_ASSERT_TRUE(compared.link_error() < 0.05);
  TEST_ASSERT_DOUBLE_WITHIN(0.02 * compared.full_tooth_N.mean(), 0,
                            compared.tooth_difference_N.mean());
}

// Between the speeds that the block was measured at, and where the full model's losses change most
// with speed: they nearly double from 42 to 50 rpm.
void test_constant_speed() {
  const drive::DriveModel drive = model_of(engine_6s90mc_c());
  for (const double speed_rpm : {42.0, 50.0, 66.0, 85.0}) {
    check_steady(compare(engine_block(), drive, {.speed_rpm = speed_rpm}), 0.1);
  }
}

// Losses are measured forwards: in reverse they differ a little.
void test_reverse() {
  const drive::DriveModel drive = model_of(engine_6s90mc_c());
  check_steady(compare(engine_block(), drive, {.speed_rpm = 66, .reverse = true}), 0.15);
}

void test_sixth_order() {
  const drive::DriveModel drive = model_of(engine_6s90mc_c());
  for (const double speed_rpm : {60.0, 76.0}) {
    const Compared compared =
        compare(engine_block(), drive,
                {.speed_rpm = speed_rpm, .amplitude_rad_s2 = 5, .settling = 8000, .ticks = 12000});
    for (const int s : {0, 1, 2, 3}) {
      TEST_ASSERT_DOUBLE_WITHIN(0.06 * compared.full_N[s].mean(), compared.full_N[s].mean(),
                                compared.reduced_N[s].mean());
      TEST_ASSERT_DOUBLE_WITHIN(0.15 * compared.full_N[s].sd(), compared.full_N[s].sd(),
                                compared.reduced_N[s].sd());
    }
  }
}

// Tension of strand 1 over the first tenth of a second under the sixth order: the error of the
// method is of first order.
void test_steps_converge() {
  const ReducedModel& model = engine_block();
  constexpr int kSamples = 100;  // a millisecond each
  double tension_N[3][kSamples];
  const long steps[3] = {4, 2, 1};
  for (int k = 0; k < 3; ++k) {
    reduced_test::Running running;
    reduced_test::start(model, 76, 0, running, 1e-3 / static_cast<double>(steps[k]));
    running.state.ahead_m_s[1] = 0.1F;
    for (double& sample_N : tension_N[k]) {
      reduced_test::advance(model, running, steps[k]);
      sample_N = static_cast<double>(running.state.tension_N[0]);
    }
  }
  double fine_N = 0;
  double coarse_N = 0;
  for (int i = 0; i < kSamples; ++i) {
    fine_N = std::fmax(fine_N, std::abs(tension_N[1][i] - tension_N[0][i]));
    coarse_N = std::fmax(coarse_N, std::abs(tension_N[2][i] - tension_N[0][i]));
  }
  // With errors of h: (1 - 1/4) / (1/2 - 1/4) = 3.
  TEST_ASSERT_DOUBLE_WITHIN(1, 3, coarse_N / fine_N);
  TEST_ASSERT_TRUE(fine_N < 0.02 * tension_N[0][0]);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_rest_with_the_arm);
  RUN_TEST(test_rest_with_a_fixed_tightener);
  RUN_TEST(test_rest_of_a_worn_chain);
  RUN_TEST(test_rest_with_a_hydraulic_unit);
  RUN_TEST(test_torsion);
  RUN_TEST(test_constant_speed);
  RUN_TEST(test_reverse);
  RUN_TEST(test_sixth_order);
  RUN_TEST(test_steps_converge);
  return UNITY_END();
}
