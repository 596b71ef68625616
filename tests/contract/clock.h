// What every hal::Clock must do. A Fixture makes one and has
//   clock()       the clock under test
//   pass(counts)  returns after at least so many counts
#pragma once

#include "unity.h"

#include "hal/clock.h"

namespace taut::contract {

template <typename Fixture>
void clock_never_runs_back() {
  Fixture fixture;
  std::uint32_t before = fixture.clock().now();
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t now = fixture.clock().now();
    TEST_ASSERT_TRUE(now - before < 0x80000000U);
    before = now;
  }
}

template <typename Fixture>
void clock_counts_what_passes() {
  Fixture fixture;
  for (const std::uint32_t counts : {1U, 100U, 10'000U}) {
    const std::uint32_t before = fixture.clock().now();
    fixture.pass(counts);
    const std::uint32_t passed = fixture.clock().now() - before;
    TEST_ASSERT_TRUE(passed >= counts && passed < 0x80000000U);
  }
}

// Fine enough to see a tenth of a per cent of a tick, and so slow that a tick is far from a wrap.
template <typename Fixture>
void clock_has_a_rate_that_suits_ticks() {
  Fixture fixture;
  const std::uint32_t rate = fixture.clock().counts_per_s();
  TEST_ASSERT_TRUE(rate >= 2'000'000);
  fixture.pass(100);
  TEST_ASSERT_EQUAL_UINT32(rate, fixture.clock().counts_per_s());
}

template <typename Fixture>
void run_clock() {
  RUN_TEST(clock_never_runs_back<Fixture>);
  RUN_TEST(clock_counts_what_passes<Fixture>);
  RUN_TEST(clock_has_a_rate_that_suits_ticks<Fixture>);
}

}  // namespace taut::contract
