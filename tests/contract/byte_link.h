// What every hal::ByteLink must do. A Fixture makes one with nothing on its way and has
//   link()         the link under test
//   send(span)     from its far end; returns when all has arrived or is lost
//   receive(span)  at its far end: how many bytes came, after waiting for those on their way
#pragma once

#include <cstddef>
#include <cstdint>

#include "unity.h"
#include <etl/array.h>
#include <etl/span.h>

#include "hal/byte_link.h"

namespace taut::contract {

// More than any driver has room for.
inline constexpr std::size_t kManyBytes = 4096;

// Numbered, so that a byte out of its place shows. A prime, so that no buffer's size hides it.
struct ManyBytes {
  ManyBytes() {
    for (std::size_t i = 0; i < kManyBytes; ++i) {
      bytes[i] = static_cast<std::uint8_t>(i % 251);
    }
  }
  etl::array<std::uint8_t, kManyBytes> bytes;
};

template <typename Fixture>
void link_gives_nothing_if_nothing_arrived() {
  Fixture fixture;
  etl::array<std::uint8_t, 4> into = {1, 2, 3, 4};
  TEST_ASSERT_EQUAL_UINT32(0, fixture.link().read(into));
  TEST_ASSERT_EQUAL_UINT8(1, into[0]);
  TEST_ASSERT_EQUAL_UINT32(0, fixture.receive(into));
}

template <typename Fixture>
void link_takes_and_gives_nothing_of_no_length() {
  Fixture fixture;
  TEST_ASSERT_EQUAL_UINT32(0, fixture.link().write({}));
  const etl::array<std::uint8_t, 1> one = {7};
  fixture.send(one);
  TEST_ASSERT_EQUAL_UINT32(0, fixture.link().read({}));
  etl::array<std::uint8_t, 1> into{};
  TEST_ASSERT_EQUAL_UINT32(1, fixture.link().read(into));
  TEST_ASSERT_EQUAL_UINT8(7, into[0]);
}

// In pieces of another size than they were sent in.
template <typename Fixture>
void link_gives_what_arrived_in_order() {
  Fixture fixture;
  const etl::array<std::uint8_t, 7> sent = {0, 255, 10, 13, 17, 19, 3};
  fixture.send(sent);
  etl::array<std::uint8_t, 7> into{};
  TEST_ASSERT_EQUAL_UINT32(3, fixture.link().read({into.data(), 3}));
  TEST_ASSERT_EQUAL_UINT32(4, fixture.link().read({into.data() + 3, 4}));
  TEST_ASSERT_EQUAL_MEMORY(sent.data(), into.data(), sent.size());
  TEST_ASSERT_EQUAL_UINT32(0, fixture.link().read(into));
  TEST_ASSERT_EQUAL_UINT32(0, fixture.link().bytes_lost());
}

// Offering the rest again until all is through.
template <typename Fixture>
void link_carries_all_that_it_takes() {
  static const ManyBytes sent;
  static etl::array<std::uint8_t, kManyBytes> received;
  Fixture fixture;
  std::size_t taken = 0;
  std::size_t came = 0;
  for (std::size_t i = 0; i < kManyBytes && came < kManyBytes; ++i) {
    const std::size_t more = fixture.link().write({sent.bytes.data() + taken, kManyBytes - taken});
    TEST_ASSERT_TRUE(more <= kManyBytes - taken);
    taken += more;
    came += fixture.receive({received.data() + came, kManyBytes - came});
    TEST_ASSERT_EQUAL_UINT32(taken, came);
  }
  TEST_ASSERT_EQUAL_UINT32(kManyBytes, came);
  TEST_ASSERT_EQUAL_MEMORY(sent.bytes.data(), received.data(), kManyBytes);
}

// What arrived first is kept, and every byte is either read or counted.
template <typename Fixture>
void link_counts_what_it_loses() {
  static const ManyBytes sent;
  static etl::array<std::uint8_t, kManyBytes> received;
  Fixture fixture;
  fixture.send(sent.bytes);
  const std::size_t came = fixture.link().read(received);
  TEST_ASSERT_EQUAL_UINT32(kManyBytes, came + fixture.link().bytes_lost());
  TEST_ASSERT_TRUE(came > 0);
  TEST_ASSERT_EQUAL_MEMORY(sent.bytes.data(), received.data(), came);
}

template <typename Fixture>
void run_byte_link() {
  RUN_TEST(link_gives_nothing_if_nothing_arrived<Fixture>);
  RUN_TEST(link_takes_and_gives_nothing_of_no_length<Fixture>);
  RUN_TEST(link_gives_what_arrived_in_order<Fixture>);
  RUN_TEST(link_carries_all_that_it_takes<Fixture>);
  RUN_TEST(link_counts_what_it_loses<Fixture>);
}

}  // namespace taut::contract
