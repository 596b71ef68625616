// When a drive counts as settled.
#include "unity.h"

#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/power_balance.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;

constexpr int kSteps = 100;

// One turn of the crank, in which it gives driver_W and 100 W are lost.
void turn(double driver_W, PowerBalance& balance) {
  Powers<double> powers{};
  powers.driver_W = driver_W;
  powers.friction_W = 60;
  powers.load_W = 40;
  for (int i = 1; i <= kSteps; ++i) {
    const crank::Motion<double> crank{math::kTwoPi<double> * (i % kSteps) / kSteps, 1, 0};
    add(powers, crank, 1e-3, balance);
  }
}

void test_two_even_turns_make_it_steady() {
  PowerBalance balance{};
  turn(103, balance);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.03, balance.imbalance);
  TEST_ASSERT_FALSE(is_steady(balance));
  turn(97, balance);
  TEST_ASSERT_TRUE(is_steady(balance));
  TEST_ASSERT_EQUAL(2, balance.turns);
}

void test_an_uneven_turn_ends_it() {
  PowerBalance balance{};
  turn(100, balance);
  turn(100, balance);
  turn(110, balance);
  TEST_ASSERT_FALSE(is_steady(balance));
  turn(100, balance);
  TEST_ASSERT_FALSE(is_steady(balance));
}

// What the oil supply gives counts as what the crankshaft gives.
void test_an_oil_supply_gives_too() {
  Powers<double> powers{};
  powers.driver_W = 70;
  powers.supply_W = 30;
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 100, given_W(powers));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, lost_W(powers));
}

// A crank that swings back a little has made no turn.
void test_swinging_back_is_no_turn() {
  PowerBalance balance{};
  const Powers<double> powers{};
  for (const double angle_rad : {1.0, 0.9, 1.1, 1.0, 1.2}) {
    add(powers, crank::Motion<double>{angle_rad, 1, 0}, 1e-3, balance);
  }
  TEST_ASSERT_EQUAL(0, balance.turns);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_two_even_turns_make_it_steady);
  RUN_TEST(test_an_uneven_turn_ends_it);
  RUN_TEST(test_an_oil_supply_gives_too);
  RUN_TEST(test_swinging_back_is_no_turn);
  return UNITY_END();
}
