// Energy of a reduced chain: struck while the crank stands, it only ever loses, and in the end all
// that was given; at constant speed it loses what the driver gives.
#include "unity.h"

#include "sim_core/reduced_chain/outputs.h"
#include "tests/unit/reduced_chain/block.h"
#include "tests/unit/reduced_chain/energy.h"
#include "tests/unit/reduced_chain/running.h"

namespace {

using namespace taut;
using namespace taut::reduced_chain;
using reduced_test::Running;

// Static: too large for a target's stack.
ReducedModel model;
ReducedState state;
ReducedState state_before;
ReducedScratch scratch;
ReducedScratch scratch_before;
Running running;

#ifdef TAUT_LONG_TESTS
constexpr bool kLong = true;
#else
constexpr bool kLong = false;
#endif

struct Kick {
  float sprocket_m_s, strand_m_s, arm_rad_s;
};

struct Course {
  double given_J;      // by the kick
  double largest_J;    // rise above the least energy that was before
  double left_J;       // at the end
  std::uint32_t told;  // health
};

// Chain and arm at rest, the crank held from then on.
void rest() {
  init(model, 0, state, scratch);
  for (int i = 0; i < (kLong ? 40000 : 2000); ++i) {
    step(model, {0, 0, 0}, state, scratch);
  }
}

// All energies but that of stretching, which is summed as it changes.
double seen_J(const reduced_test::Inertia& inertia) {
  return reduced_test::kinetic_J(model, inertia, state_before, state) +
         reduced_test::strands_J(model, state) + reduced_test::arm_J(model, state) +
         reduced_test::bars_J(model, state);
}

// Energy counts from rest, before the kick.
Course struck(const Kick& kick, long steps) {
  const reduced_test::Inertia inertia = reduced_test::inertia_of(model);
  rest();
  state_before = state;
  const double rest_J = seen_J(inertia);
  state.ahead_m_s[1] += kick.sprocket_m_s;
  state.mode_m_s[0] += kick.strand_m_s;
  state.arm_speed_rad_s += kick.arm_rad_s;
  state_before = state;
  Course course{seen_J(inertia) - rest_J, 0, 0, 0};
  double stretched_J = 0;
  double least_J = 1e30;
  for (long i = 0; i < steps; ++i) {
    state_before = state;
    scratch_before = scratch;
    step(model, {0, 0, 0}, state, scratch);
    course.told |= state.health;
    stretched_J += reduced_test::stretching_J(model, state_before, scratch_before, state, scratch);
    course.left_J = seen_J(inertia) + stretched_J - rest_J;
    const double rise_J = course.left_J - least_J;
    course.largest_J = rise_J > course.largest_J ? rise_J : course.largest_J;
    least_J = course.left_J < least_J ? course.left_J : least_J;
  }
  return course;
}

// Rounding: a stretch of 9 mm is known to 1e-9 m, which 84 kN of tension turn into 8e-5 J, in each
// of four strands.
constexpr double kRounding_J = 3.2e-4;

void check(const Kick& kick, long steps) {
  const Course course = struck(kick, steps);
  TEST_ASSERT_TRUE(course.given_J > 1);
  TEST_ASSERT_TRUE(course.largest_J < kRounding_J);
  TEST_ASSERT_TRUE(course.left_J < 0.5 * course.given_J);
}

// As the bars and the arm ring, tensions between 50 and 190 kN: a million steps, in which all of it
// is lost, and not more: tables that gave other work on the way out than on the way back would
// leave a rest here.
void test_a_moderate_kick() {
  const Course course = struck({0.2F, 1, 0.2F}, kLong ? 1000000 : 2000);
  TEST_ASSERT_DOUBLE_WITHIN(3, 303, course.given_J);
  TEST_ASSERT_TRUE(course.largest_J < kRounding_J);
  TEST_ASSERT_EQUAL_UINT32(0, course.told);
  const double most = kLong ? 1e-3 : 0.5;
  TEST_ASSERT_DOUBLE_WITHIN(most * course.given_J, 0, course.left_J);
}

void test_a_kick_for_each_part() {
  const long steps = kLong ? 40000 : 2000;
  check({0.4F, 0, 0}, steps);
  check({0, 2, 0}, steps);
  check({0, 0, 1}, steps);
}

// Strands go slack, and wraps beyond what they hold: still nothing is won.
void test_a_hard_kick() {
  const Course course = struck({2, 5, 1}, kLong ? 1000000 : 2000);
  TEST_ASSERT_TRUE((course.told & kSlack) != 0 && (course.told & kBeyondHold) != 0);
  TEST_ASSERT_TRUE(course.largest_J < kRounding_J);
  // Newton's steps are held back where a strand tightens from slack: its tension lags.
  const double most = kLong ? 0.01 : 0.5;
  TEST_ASSERT_DOUBLE_WITHIN(most * course.given_J, 0, course.left_J);
}

// Over whole turns at constant speed, when all has settled. What is left: the sprockets' speed at
// both ends of the window.
void test_the_driver_gives_what_is_lost() {
  constexpr double kSpeed_rpm = 75;
  constexpr long kTurn = 1600;  // steps
  const long turns = kLong ? 20 : 2;
  reduced_test::start(model, kSpeed_rpm, 0, running);
  reduced_test::advance(model, running, kLong ? 20000 : 4000);
  signal::ChainOutputs outputs{};
  double given_J = 0;
  double lost_J = 0;
  for (long i = 0; i < turns * kTurn; ++i) {
    reduced_test::advance(model, running, 1);
    predict(model, running.state, running.scratch, {}, outputs);
    given_J += static_cast<double>(outputs.driver_W);
    lost_J += static_cast<double>(outputs.friction_W + outputs.contact_W + outputs.joint_W +
                                  outputs.link_W + outputs.bearing_W + outputs.load_W +
                                  outputs.tightener_W);
  }
  TEST_ASSERT_DOUBLE_WITHIN((kLong ? 0.002 : 0.02) * lost_J, lost_J, given_J);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  if (!reduced_test::unpack(model)) {
    return 1;
  }
  RUN_TEST(test_a_moderate_kick);
  RUN_TEST(test_a_kick_for_each_part);
  RUN_TEST(test_a_hard_kick);
  RUN_TEST(test_the_driver_gives_what_is_lost);
  return UNITY_END();
}
