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

// Smallest of many: a PC may be busy with other things in between. A tenth of a tick is 50 us.
template <typename Fixture>
void clock_sees_a_tenth_of_a_tick() {
  Fixture fixture;
  const std::uint32_t rate = fixture.clock().counts_per_s();
  std::uint32_t smallest = 0xFFFFFFFFU;
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t before = fixture.clock().now();
    fixture.pass(1);
    const std::uint32_t passed = fixture.clock().now() - before;
    smallest = passed < smallest ? passed : smallest;
  }
  TEST_ASSERT_TRUE(smallest <= rate / 20'000);
  TEST_ASSERT_EQUAL_UINT32(rate, fixture.clock().counts_per_s());
}

// A clock that is put together from seconds and parts of them must not show the seam.
template <typename Fixture>
void clock_goes_on_from_second_to_second() {
  Fixture fixture;
  const std::uint32_t tenth = fixture.clock().counts_per_s() / 10;
  for (int i = 0; i < 11; ++i) {
    const std::uint32_t before = fixture.clock().now();
    fixture.pass(tenth);
    const std::uint32_t passed = fixture.clock().now() - before;
    TEST_ASSERT_TRUE(passed >= tenth && passed < 0x80000000U);
  }
}

template <typename Fixture>
void run_clock() {
  RUN_TEST(clock_never_runs_back<Fixture>);
  RUN_TEST(clock_counts_what_passes<Fixture>);
  RUN_TEST(clock_goes_on_from_second_to_second<Fixture>);
  RUN_TEST(clock_sees_a_tenth_of_a_tick<Fixture>);
}

}  // namespace taut::contract
