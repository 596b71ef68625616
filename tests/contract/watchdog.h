// What every hal::Watchdog must do. A Fixture makes one that has not been started and has
//   watchdog()      the watchdog under test
//   pass_ms(time)   lets time pass without feeding it
//   has_reset()     whether it has reset the board since the fixture was made
#pragma once

#include "unity.h"

#include "hal/watchdog.h"

namespace taut::contract {

inline constexpr std::uint32_t kTimeout_ms = 100;  // any hardware can do it

template <typename Fixture>
void watchdog_waits_to_be_started() {
  Fixture fixture;
  fixture.pass_ms(10 * kTimeout_ms);
  TEST_ASSERT_FALSE(fixture.has_reset());
  TEST_ASSERT_FALSE(fixture.watchdog().has_reset_board());
}

template <typename Fixture>
void watchdog_that_is_fed_in_time_is_quiet() {
  Fixture fixture;
  TEST_ASSERT_TRUE(fixture.watchdog().start(kTimeout_ms));
  for (int i = 0; i < 5; ++i) {
    fixture.pass_ms(kTimeout_ms * 9 / 10);
    fixture.watchdog().feed();
  }
  TEST_ASSERT_FALSE(fixture.has_reset());
}

template <typename Fixture>
void watchdog_that_is_not_fed_resets_the_board() {
  Fixture fixture;
  TEST_ASSERT_TRUE(fixture.watchdog().start(kTimeout_ms));
  fixture.pass_ms(kTimeout_ms / 2);
  fixture.watchdog().feed();
  fixture.pass_ms(2 * kTimeout_ms);
  TEST_ASSERT_TRUE(fixture.has_reset());
  TEST_ASSERT_TRUE(fixture.watchdog().has_reset_board());
}

template <typename Fixture>
void watchdog_refuses_what_it_cannot_do() {
  Fixture fixture;
  TEST_ASSERT_FALSE(fixture.watchdog().start(0));
  TEST_ASSERT_FALSE(fixture.watchdog().start(0xFFFFFFFFU));
  fixture.pass_ms(10 * kTimeout_ms);
  TEST_ASSERT_FALSE(fixture.has_reset());
}

template <typename Fixture>
void run_watchdog() {
  RUN_TEST(watchdog_waits_to_be_started<Fixture>);
  RUN_TEST(watchdog_that_is_fed_in_time_is_quiet<Fixture>);
  RUN_TEST(watchdog_that_is_not_fed_resets_the_board<Fixture>);
  RUN_TEST(watchdog_refuses_what_it_cannot_do<Fixture>);
}

}  // namespace taut::contract
