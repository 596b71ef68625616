// What every hal::EntropySource must do. A Fixture makes one that has enough and has
//   source()  the source under test
#pragma once

#include <cstddef>
#include <cstdint>

#include "unity.h"
#include <etl/array.h>

#include "hal/entropy_source.h"

namespace taut::contract {

using Drawn = etl::array<std::uint8_t, 32>;

// Sources may say "not now"; none does for ever.
template <typename Source>
void draw(Source& source, etl::span<std::uint8_t> into) {
  for (std::size_t i = 0; i < 1'000'000; ++i) {
    if (source.fill(into)) {
      return;
    }
  }
  TEST_FAIL_MESSAGE("gives nothing");
}

// Equal by chance once in 2^256.
template <typename Fixture>
void entropy_differs_from_draw_to_draw() {
  Fixture fixture;
  Drawn first{};
  Drawn second{};
  draw(fixture.source(), first);
  draw(fixture.source(), second);
  TEST_ASSERT_FALSE(first == second);
}

// A quarter of the bits wrong by chance: less than once in 10^30 over 4096 bits.
template <typename Fixture>
void entropy_fills_every_byte_and_half_of_the_bits() {
  Fixture fixture;
  etl::array<std::uint8_t, 512> bytes{};
  draw(fixture.source(), bytes);
  std::uint32_t ones = 0;
  for (const std::uint8_t byte : bytes) {
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      ones += byte >> bit & 1U;
    }
  }
  TEST_ASSERT_TRUE(ones > 1536 && ones < 2560);
}

template <typename Fixture>
void entropy_leaves_what_it_was_not_given() {
  Fixture fixture;
  Drawn drawn{};
  draw(fixture.source(), {drawn.data() + 8, 16});
  for (std::size_t i = 0; i < 8; ++i) {
    TEST_ASSERT_EQUAL_UINT8(0, drawn[i]);
    TEST_ASSERT_EQUAL_UINT8(0, drawn[24 + i]);
  }
  TEST_ASSERT_TRUE(fixture.source().fill({}));
}

template <typename Fixture>
void entropy_says_always_the_same_of_its_secrecy() {
  Fixture fixture;
  const bool is_secret = fixture.source().is_secret();
  Drawn drawn{};
  draw(fixture.source(), drawn);
  TEST_ASSERT_EQUAL(is_secret, fixture.source().is_secret());
}

template <typename Fixture>
void run_entropy_source() {
  RUN_TEST(entropy_differs_from_draw_to_draw<Fixture>);
  RUN_TEST(entropy_fills_every_byte_and_half_of_the_bits<Fixture>);
  RUN_TEST(entropy_leaves_what_it_was_not_given<Fixture>);
  RUN_TEST(entropy_says_always_the_same_of_its_secrecy<Fixture>);
}

}  // namespace taut::contract
