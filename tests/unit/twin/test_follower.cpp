// The crank as the chain is told to turn it.
#include <unity.h>

#include "sim_core/twin/follower.h"

namespace {

using namespace taut::twin;

constexpr std::uint32_t kLoopTurns = 9;
constexpr float kTurn_rad = taut::math::kTwoPi<float>;

// An observed crank at constant speed, from this angle on.
struct Crank {
  double turns;
  double rad_s;
  [[nodiscard]] std::uint32_t angle() const {
    const double part = turns - static_cast<double>(static_cast<long>(turns));
    return static_cast<std::uint32_t>((part < 0 ? part + 1 : part) * 4294967296.0);
  }
  void advance() { turns += rad_s * 0.5e-3 / taut::math::kTwoPi<double>; }
};

void run(Crank& crank, Follower& follower, int ticks) {
  for (int i = 0; i < ticks; ++i) {
    crank.advance();
    follow(crank.angle(), static_cast<float>(crank.rad_s), true, kLoopTurns, follower);
  }
}

float lag_rad(const Crank& crank, const Follower& follower) {
  return taut::crank::to_signed_rad(crank.angle() - follower.behind - follower.angle);
}

// 100 s at 8 rad/s: nothing but the rounding of one tick is ever behind.
void test_at_speed_it_keeps_up() {
  Crank crank{0, 8};
  Follower follower{0, 0, 0, 8};
  run(crank, follower, 200000);
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0, lag_rad(crank, follower));
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, 8, follower.speed_rad_s);
  TEST_ASSERT_EQUAL_UINT32(static_cast<std::uint32_t>(crank.turns) % kLoopTurns, follower.turns);
}

// 0.1 rad behind are made up for with e^(-4 t), and never by more than 0.25 rad/s.
void test_a_small_lag_is_made_up_for() {
  Crank crank{0.1 / taut::math::kTwoPi<double>, 8};
  Follower follower{0, 0, 0, 8};
  run(crank, follower, 500);
  TEST_ASSERT_FLOAT_WITHIN(0.005F, 0.1F * 0.44F, lag_rad(crank, follower));  // after 0.25 s, two of
                                                                             // them at the limit
  run(crank, follower, 4000);
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, 0, lag_rad(crank, follower));
  TEST_ASSERT_EQUAL_UINT32(0, follower.behind);
}

// A third of a turn takes 8 s: the chain is not jolted to get there.
void test_a_large_lag_is_made_up_for_slowly() {
  Crank crank{0.3, 8};
  Follower follower{0, 0, 0, 8};
  for (int i = 0; i < 20000; ++i) {
    run(crank, follower, 1);
    TEST_ASSERT_TRUE(follower.speed_rad_s < 8 + kMostLead_rad_s + 1e-3F);
    TEST_ASSERT_TRUE(i > 14000 || lag_rad(crank, follower) > 0.05F);
  }
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, 0, lag_rad(crank, follower));
}

void test_started_there_is_no_lag() {
  Crank crank{0.3, 8};
  Follower follower{};
  start_at(crank.angle(), 8, follower);
  run(crank, follower, 10);
  TEST_ASSERT_EQUAL_UINT32(0, follower.turns);
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0, lag_rad(crank, follower));
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, 0.3F * kTurn_rad, taut::crank::to_signed_rad(follower.behind));
}

void test_speed_changes_no_faster_than_an_engine() {
  Crank crank{0, 50};
  Follower follower{};
  run(crank, follower, 1);
  TEST_ASSERT_FLOAT_WITHIN(1e-6F, 0.05F, follower.speed_rad_s);
  crank.rad_s = 1e30;
  for (int i = 0; i < 4000; ++i) {
    follow(0, 1e30F, true, kLoopTurns, follower);
    TEST_ASSERT_TRUE(follower.speed_rad_s <= kMostSpeed_rad_s);
  }
}

void test_turns_count_both_ways() {
  Crank crank{0, -8};
  Follower follower{0, 0, 0, -8};
  run(crank, follower, 10);
  TEST_ASSERT_EQUAL_UINT32(kLoopTurns - 1, follower.turns);
  crank.rad_s = 8;
  follower.speed_rad_s = 8;
  run(crank, follower, 40);
  TEST_ASSERT_EQUAL_UINT32(0, follower.turns);
}

// The last of a tick's parts ends where the tick does; halfway is by the mean of speeds.
void test_parts_of_a_tick() {
  const Follower before{1000, 0, 0, 8};
  Follower after = before;
  follow(1000, 8.04F, false, kLoopTurns, after);
  const auto end = motion_within<double>(before, after, 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(2e-9, taut::crank::to_rad<double>(after.angle), end.angle_rad);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, static_cast<double>(after.speed_rad_s), end.speed_rad_s);
  const auto half = motion_within<double>(before, after, 0.5);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 8.02, half.speed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, taut::crank::to_rad<double>(before.angle) + 0.25e-3 * 8.01,
                            half.angle_rad);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_at_speed_it_keeps_up);
  RUN_TEST(test_a_small_lag_is_made_up_for);
  RUN_TEST(test_a_large_lag_is_made_up_for_slowly);
  RUN_TEST(test_started_there_is_no_lag);
  RUN_TEST(test_speed_changes_no_faster_than_an_engine);
  RUN_TEST(test_turns_count_both_ways);
  RUN_TEST(test_parts_of_a_tick);
  return UNITY_END();
}
