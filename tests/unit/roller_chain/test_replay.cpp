// Saved and restored, a running chain goes on with the same bits: what a step needs is in
// RollerState, what contacts remember included, and nothing of it in the scratch. And a crank
// motion that is no number is bridged.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include "unity.h"

#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;
using drive_test::Moving;

constexpr long kReplayed = 2000;  // steps: 0.1 s, in which 8 teeth pass

const drive::DriveModel& engine() {
  static const drive::DriveModel kDrive = drive_test::model_of(drive_test::engine_6s90mc_c());
  return kDrive;
}
const Configuration<double>& engine_at_rest() {
  static const Configuration<double> kRest = drive_test::at_rest(engine()).at;
  return kRest;
}

// What is saved, as bytes.
template <typename Real, typename Force>
struct Saved {
  explicit Saved(const Moving<Real, Force>& moving) {
    std::memcpy(chain, &moving.state, sizeof chain);
    std::memcpy(crank, &moving.crank, sizeof crank);
  }
  void restore(Moving<Real, Force>& moving) const {
    std::memcpy(&moving.state, chain, sizeof chain);
    std::memcpy(&moving.crank, crank, sizeof crank);
  }
  unsigned char chain[sizeof(RollerState<Real, Force>)];
  unsigned char crank[sizeof(crank::SyntheticState<Real>)];
};

struct Result {
  std::uint64_t hash;
  float strand_mean_N;
  float friction_W;
};

template <typename Real, typename Force>
Result run_on(Moving<Real, Force>& moving) {
  advance(moving, kReplayed);
  Outputs outputs{};
  predict(moving.model, moving.state, moving.scratch, {}, outputs);
  return {hash_of(moving.model, moving.state), outputs.strand_mean_N[0], outputs.friction_W};
}

void check_equal(const Result& expected, const Result& found, const char* name) {
  TEST_ASSERT_TRUE_MESSAGE(expected.hash == found.hash, name);
  TEST_ASSERT_TRUE_MESSAGE(expected.strand_mean_N == found.strand_mean_N, name);
  TEST_ASSERT_TRUE_MESSAGE(expected.friction_W == found.friction_W, name);
}

template <typename Real, typename Force>
void check_replay_from_here(Moving<Real, Force>& moving) {
  const auto saved = std::make_unique<Saved<Real, Force>>(moving);
  const Result expected = run_on(moving);

  saved->restore(moving);
  check_equal(expected, run_on(moving), "restored");

  saved->restore(moving);
  std::memset(&moving.scratch, 0xff, sizeof moving.scratch);  // NaN
  check_equal(expected, run_on(moving), "restored, scratch full of NaN");

  // As in another process: only model and saved bytes are the same, the rest of memory is not.
  const auto other = std::make_unique<Moving<Real, Force>>();
  std::memset(&other->state, 0x5a, sizeof other->state);
  std::memset(&other->scratch, 0x5a, sizeof other->scratch);
  other->model = moving.model;
  other->crank_model = moving.crank_model;
  saved->restore(*other);
  check_equal(expected, run_on(*other), "restored elsewhere");

  // That contacts remember is not idle: without, the chain moves otherwise.
  saved->restore(*other);
  for (auto& run : other->state.engaged.teeth) {
    run.inverse_first_touch_speed_s_m.fill(0);
  }
  TEST_ASSERT_TRUE(run_on(*other).hash != expected.hash);
}

// While the 6th order fades in, just after a turn of the crank, and with it in full.
template <typename Real, typename Force>
void check_replay(Integrator integrator, const drive::DriveModel& drive = engine(),
                  const Configuration<double>& from = engine_at_rest()) {
  const auto moving = std::make_unique<Moving<Real, Force>>();
  start(drive, from, {.step = {.integrator = integrator}, .order = 6, .order_amplitude_rad_s2 = 7},
        *moving);
  for (const long steps : {1L, 5000L, 9000L, 8765L}) {
    advance(*moving, steps);
    check_replay_from_here(*moving);
  }
}

void test_euler_replays_in_double() {
  check_replay<double, double>(Integrator::kSemiImplicitEuler);
}
void test_euler_replays_with_forces_in_float() {
  check_replay<double, float>(Integrator::kSemiImplicitEuler);
}
void test_verlet_replays_in_double() {
  check_replay<double, double>(Integrator::kVelocityVerlet);
}
void test_verlet_replays_with_forces_in_float() {
  check_replay<double, float>(Integrator::kVelocityVerlet);
}

void test_all_other_parts_replay() {
  drive::DriveSpec spec = drive_test::engine_with_counterweights();
  spec.tightener.kind = drive::TightenerKind::kHydraulic;
  spec.hydraulic = drive_test::hydraulic_6s90mc_c();
  const drive::DriveModel drive = drive_test::model_of(spec);
  check_replay<double, double>(Integrator::kSemiImplicitEuler, drive,
                               drive_test::at_rest(drive).at);
}

bool is_finite(const RollerModel<double>& model, const RollerState<double>& state) {
  double sum = state.at.arm_angle_rad + state.rate.arm_angle_rad_s + state.forces.arm_moment_N_m;
  for (std::size_t i = 0; i < model.links; ++i) {
    sum += state.at.x_m[i] + state.at.y_m[i] + state.rate.x_m_s[i] + state.rate.y_m_s[i] +
           state.forces.x_N[i] + state.forces.y_N[i];
    for (const auto& run : state.engaged.teeth) {
      sum += run.inverse_first_touch_speed_s_m[i];
    }
    for (const auto& run : state.engaged.bars) {
      sum += run.inverse_first_touch_speed_s_m[i];
    }
  }
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    sum += state.at.angle_rad[s] + state.rate.angle_rad_s[s] + state.forces.torque_N_m[s];
  }
  return std::isfinite(sum);  // one NaN or infinity makes the sum so
}

double largest_tension_N(const Moving<>& moving) {
  double largest_N = 0;
  for (std::size_t i = 0; i < moving.model.links; ++i) {
    largest_N = std::max(largest_N, std::abs(moving.scratch.tension_N[i]));
  }
  return largest_N;
}

// At constant speed the last speed is the right one: a bridged chain runs as one with every
// motion good. Friction of cubic form, for a step of 50 us does not resolve that of tanh form and
// makes much of round-off.
void check_bridge(Integrator integrator, const crank::Motion<double>& bad) {
  constexpr int kGood = 500;
  constexpr int kBad = 300;
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  spec.friction.form = drive::FrictionForm::kCubic;
  const auto bridged = std::make_unique<Moving<>>();
  start(drive_test::model_of(spec), engine_at_rest(), {.step = {.integrator = integrator}},
        *bridged);
  const auto good = std::make_unique<Moving<>>(*bridged);
  for (int step = 0; step < 2 * kGood + kBad; ++step) {
    const bool is_bad = step >= kGood && step < kGood + kBad;
    advance(*good);
    crank::advance(bridged->crank_model, bridged->crank);
    const double last_rad_s = bridged->state.rate.angle_rad_s[0];
    roller_chain::step(bridged->model, is_bad ? bad : bridged->crank.motion, bridged->state,
                       bridged->scratch);
    TEST_ASSERT_TRUE(is_finite(bridged->model, bridged->state));
    TEST_ASSERT_TRUE(bridged->state.rate.angle_rad_s[0] == last_rad_s);
    // Adding 300 times what a step turns rounds at 1e-16 rad each.
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, good->state.at.angle_rad[0], bridged->state.at.angle_rad[0]);
  }
  TEST_ASSERT_EQUAL(kBad, bridged->state.bad_commands);
  TEST_ASSERT_EQUAL(0, good->state.bad_commands);
  TEST_ASSERT_EQUAL(2 * kGood + kBad, static_cast<int>(bridged->state.steps));
  // 1e-12 rad at 1.2 m against 2 GN/m are 2 mN; links have about 100 kN.
  const double tension_N = largest_tension_N(*good);
  TEST_ASSERT_TRUE(tension_N > 50e3 && tension_N < 200e3);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, tension_N, largest_tension_N(*bridged));
}

void test_crank_motion_that_is_no_number_is_bridged_and_counted() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr crank::Motion<double> kBad[] = {
      {kNan, 8, 0}, {1, kNan, 0}, {1, kInfinity, 0}, {-kInfinity, 8, 0}, {kNan, -kInfinity, kNan}};
  for (const crank::Motion<double>& bad : kBad) {
    check_bridge(Integrator::kSemiImplicitEuler, bad);
    check_bridge(Integrator::kVelocityVerlet, bad);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_euler_replays_in_double);
  RUN_TEST(test_euler_replays_with_forces_in_float);
  RUN_TEST(test_verlet_replays_in_double);
  RUN_TEST(test_verlet_replays_with_forces_in_float);
  RUN_TEST(test_all_other_parts_replay);
  RUN_TEST(test_crank_motion_that_is_no_number_is_bridged_and_counted);
  return UNITY_END();
}
