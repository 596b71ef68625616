// The implicit chain: its solver against a dense one; rest, constant speed and the resonance
// against the full model; what it refuses. How true it is over a map: taut validate --model
// implicit.
#include <cmath>
#include <memory>

#include "unity.h"

#include "sim_core/implicit_chain/step.h"
#include "sim_core/math/dynamic_linear_algebra.h"
#include "sim_core/roller_chain/outputs.h"
#include "sim_core/roller_chain/statics.h"
#include "sim_core/roller_chain/step_size.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using drive_test::at_rest;
using drive_test::engine_6s90mc_c;
using drive_test::model_of;

constexpr std::size_t kStrands = 4;

struct Implicit {
  implicit_chain::ImplicitModel model;
  implicit_chain::ImplicitState state;
  implicit_chain::ImplicitScratch scratch;
};

std::unique_ptr<Implicit> started(const drive::DriveModel& drive, float crank_rad_s) {
  auto chain = std::make_unique<Implicit>();
  TEST_ASSERT_NULL(make_implicit_model(drive, at_rest(drive, 0).at, {}, chain->model));
  init(chain->model, crank_rad_s, chain->state, chain->scratch);
  return chain;
}

void test_solver_agrees_with_a_dense_one() {
  constexpr int kRollers = 12;
  const auto system = std::make_unique<implicit_chain::CyclicSystem>();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(2 * kRollers, 2 * kRollers);
  Eigen::VectorXd right(2 * kRollers);
  for (std::size_t i = 0; i < kRollers; ++i) {
    const auto turn = static_cast<float>(i);
    system->diagonal[i] = {20, 0, 20};
    system->link[i] = {3, 0, 3};
    system->link[i].add(200, math::sin(turn), math::cos(turn));
    system->row[i].right = {1 + turn, 5 - turn * turn};
  }
  for (int i = 0; i < kRollers; ++i) {
    const int before = (i + kRollers - 1) % kRollers;
    const implicit_chain::Symmetric& link = system->link[static_cast<std::size_t>(i)];
    system->diagonal[static_cast<std::size_t>(i)].add(link);
    system->diagonal[static_cast<std::size_t>(before)].add(link);
    Eigen::Matrix2d block;
    block << static_cast<double>(link.xx), static_cast<double>(link.xy),
        static_cast<double>(link.xy), static_cast<double>(link.yy);
    matrix.block<2, 2>(2 * i, 2 * before) -= block;
    matrix.block<2, 2>(2 * before, 2 * i) -= block;
  }
  for (int i = 0; i < kRollers; ++i) {
    const implicit_chain::Symmetric& own = system->diagonal[static_cast<std::size_t>(i)];
    matrix.block<2, 2>(2 * i, 2 * i) << static_cast<double>(own.xx), static_cast<double>(own.xy),
        static_cast<double>(own.xy), static_cast<double>(own.yy);
    const implicit_chain::Pair& side = system->row[static_cast<std::size_t>(i)].right;
    right[2 * i] = static_cast<double>(side.x);
    right[2 * i + 1] = static_cast<double>(side.y);
  }
  const Eigen::VectorXd wanted = matrix.ldlt().solve(right);
  roller_chain::PerLink<implicit_chain::Pair> found{};
  solve(kRollers, *system, found);
  for (int i = 0; i < kRollers; ++i) {
    const implicit_chain::Pair& here = found[static_cast<std::size_t>(i)];
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, wanted[2 * i], static_cast<double>(here.x));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, wanted[2 * i + 1], static_cast<double>(here.y));
  }
}

// Float places: tension within half a per cent, and no creep.
void test_rests_where_the_full_model_rests() {
  const drive::DriveModel drive = model_of(engine_6s90mc_c());
  const roller_chain::StaticsReport report = roller_chain::report(drive, at_rest(drive, 0));
  const auto chain = started(drive, 0);
  roller_chain::Outputs outputs{};
  for (int i = 0; i < 1000; ++i) {
    step(chain->model, {}, chain->state, chain->scratch);
  }
  predict(chain->model.chain, chain->state.chain, chain->scratch.chain, {}, outputs);
  for (std::size_t s = 0; s < kStrands; ++s) {
    const double wanted_N = report.strand_mean_N[s];
    TEST_ASSERT_DOUBLE_WITHIN(0.005 * wanted_N, wanted_N,
                              static_cast<double>(outputs.strand_mean_N[s]));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, report.arm_angle_rad, static_cast<double>(outputs.arm_angle_rad));
}

// Means of strands over the second half of a run.
void check_tensions(const drive_test::MotionSpec& motion, double simulated_s, double tolerance) {
  const drive::DriveModel drive = model_of(engine_6s90mc_c());
  const auto full = std::make_unique<drive_test::Moving<double, float>>();
  start(drive, at_rest(drive, 0).at, motion, *full);
  const auto chain = started(drive, static_cast<float>(full->crank_model.start_speed_rad_s));
  const long steps_a_tick = std::lround(roller_chain::kTick_s / full->model.step_s);
  const long ticks = std::lround(simulated_s / roller_chain::kTick_s);
  double full_N[kStrands] = {};
  double implicit_N[kStrands] = {};
  roller_chain::Outputs outputs{};
  for (long i = 0; i < ticks; ++i) {
    advance(*full, steps_a_tick);
    const crank::Motion<float> crank{static_cast<float>(full->crank.motion.angle_rad),
                                     static_cast<float>(full->crank.motion.speed_rad_s), 0};
    step(chain->model, crank, chain->state, chain->scratch);
    for (std::size_t s = 0; i >= ticks / 2 && s < kStrands; ++s) {
      predict(full->model, full->state, full->scratch, {}, outputs);
      full_N[s] += static_cast<double>(outputs.strand_mean_N[s]);
      predict(chain->model.chain, chain->state.chain, chain->scratch.chain, {}, outputs);
      implicit_N[s] += static_cast<double>(outputs.strand_mean_N[s]);
    }
  }
  for (std::size_t s = 0; s < kStrands; ++s) {
    TEST_ASSERT_DOUBLE_WITHIN(tolerance * full_N[s], full_N[s], implicit_N[s]);
  }
}

void test_runs_as_tight_as_the_full_model() {
  check_tensions({}, 2, 0.005);
}

// At the resonance, where friction in the wraps decides.
void test_swings_as_far_as_the_full_model() {
  check_tensions(
      {.speed_rpm = 66, .step = {.step_s = 25e-6}, .order = 6, .order_amplitude_rad_s2 = 4}, 6,
      0.02);
}

void test_refuses_what_it_leaves_out() {
  const auto model = std::make_unique<implicit_chain::ImplicitModel>();
  const roller_chain::Configuration<double> anywhere{};
  const auto left_out = [&](const drive::DriveSpec& spec) {
    return make_implicit_model(model_of(spec), anywhere, {}, *model);
  };
  TEST_ASSERT_EQUAL_STRING("a hydraulic tightener",
                           left_out(drive_test::engine_with_hydraulic_tightener()));
  TEST_ASSERT_EQUAL_STRING("supports that yield", left_out(drive_test::engine_on_supports()));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_solver_agrees_with_a_dense_one);
  RUN_TEST(test_rests_where_the_full_model_rests);
  RUN_TEST(test_runs_as_tight_as_the_full_model);
  RUN_TEST(test_swings_as_far_as_the_full_model);
  RUN_TEST(test_refuses_what_it_leaves_out);
  return UNITY_END();
}
