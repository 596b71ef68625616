// An XCP session: who is heard, what is stated, what stays locked and for how long.
#include "unity.h"
#include <etl/optional.h>

#include "tests/support/xcp_bench.h"

namespace {

using namespace taut;
using hal::xcp::Error;
using test::XcpBench;

etl::optional<XcpBench> bench;

void test_nothing_is_heard_before_connect() {
  for (int command = 0xC0; command < 0xFF; ++command) {
    TEST_ASSERT_EQUAL_UINT32(0, bench->send({command, 0, 0, 0, 0, 0, 0, 0}).size);
  }
  TEST_ASSERT_EQUAL_UINT32(0, bench->send({0xFF}).size);     // too short
  TEST_ASSERT_EQUAL_UINT32(0, bench->send({0xFF, 1}).size);  // user-defined mode
  TEST_ASSERT_FALSE(bench->state.is_connected);
  TEST_ASSERT_EQUAL_UINT32(0x41, bench->state.counters.ignored);
}

void test_connect_states_what_there_is() {
  // CAL, DAQ, STIM; little endian, bytes, optional info; 64; 248
  bench->expect({0xFF, 0}, {0xFF, 0x0D, 0x80, 64, 248, 0, 1, 1});
  XcpBench without_stim(false);
  without_stim.expect({0xFF, 0}, {0xFF, 0x05, 0x80, 64, 248, 0, 1, 1});
}

void test_unknown_commands_are_refused() {
  bench->connect();
  for (const int command : {0xC0, 0xC8, 0xD0, 0xD1, 0xD2, 0xD8, 0xDB, 0xDF, 0xE3, 0xE4,
                            0xE5, 0xE6, 0xE7, 0xE8, 0xEC, 0xEE, 0xEF, 0xF1, 0xF2, 0xF3}) {
    bench->expect_error(Error::kUnknown, {command, 0, 0, 0, 0, 0, 0, 0});
  }
}

// Every command one byte shorter than it must be, and all longer than MAX_CTO.
void test_wrong_lengths_are_refused() {
  struct Length {
    int command;
    std::size_t bytes;
  };
  const Length lengths[] = {{0xFF, 2}, {0xFA, 2}, {0xF9, 4}, {0xF8, 3}, {0xF7, 2}, {0xF6, 8},
                            {0xF5, 2}, {0xF4, 8}, {0xF0, 2}, {0xED, 8}, {0xEB, 4}, {0xEA, 3},
                            {0xE2, 6}, {0xE1, 8}, {0xE0, 8}, {0xDE, 4}, {0xDD, 2}, {0xD7, 4},
                            {0xD5, 4}, {0xD4, 5}, {0xD3, 6}};
  bench->connect();
  for (const Length& length : lengths) {
    std::uint8_t packet[65] = {static_cast<std::uint8_t>(length.command)};
    for (const std::size_t size : {length.bytes - 1, std::size_t{65}}) {
      const hal::xcp::Packet& response = bench->send({packet, size});
      TEST_ASSERT_EQUAL_UINT32(2, response.size);
      TEST_ASSERT_EQUAL_HEX8(hal::xcp::kPidError, response.bytes[0]);
      TEST_ASSERT_EQUAL_HEX8(Error::kSyntax, response.bytes[1]);
    }
  }
}

void test_status_and_synch() {
  bench->connect();
  bench->expect({0xFD}, {0xFF, 0, 0x09, 0, 0, 0});
  bench->expect({0xFC}, {0xFE, 0x00});
  bench->expect({0xFB}, {0xFF, 0, 0, 0, 0, 0, 0, 0x10});
}

void test_identification_is_uploaded() {
  bench->connect();
  bench->expect({0xFA, 0}, {0xFF, 0, 0, 0, 4, 0, 0, 0});
  bench->expect({0xF5, 3}, {0xFF, 't', 'a', 'u'});
  bench->expect({0xF5, 1}, {0xFF, 't'});
  bench->expect_error(Error::kAccessDenied, {0xF5, 1});
  bench->expect({0xFA, 1}, {0xFF, 0, 0, 0, 4, 0, 0, 0});
  bench->expect({0xFA, 4}, {0xFF, 0, 0, 0, 0, 0, 0, 0});  // no file is kept
}

void test_disconnect_ends_all() {
  bench->connect();
  bench->unlock(1);
  bench->unlock(8);
  bench->expect({0xFD}, {0xFF, 0, 0, 0, 0, 0});
  bench->expect({0xFE}, {0xFF});
  TEST_ASSERT_EQUAL_UINT32(0, bench->send({0xFD}).size);
  bench->connect();
  bench->expect({0xFD}, {0xFF, 0, 0x09, 0, 0, 0});
}

void test_a_second_connect_locks_again() {
  bench->connect();
  bench->unlock(1);
  bench->connect();
  bench->expect({0xFD}, {0xFF, 0, 0x09, 0, 0, 0});
}

void test_resources_are_unlocked_one_by_one() {
  bench->connect();
  bench->unlock(8);
  bench->expect({0xFD}, {0xFF, 0, 0x01, 0, 0, 0});
  bench->expect({0xF8, 0, 8}, {0xFF, 0});  // open: no seed
  bench->expect({0xF8, 0, 4}, {0xFF, 0});  // measuring always is
  bench->unlock(1);
  bench->expect({0xFD}, {0xFF, 0, 0, 0, 0, 0});
}

void test_seed_has_its_refusals() {
  bench->connect();
  bench->expect_error(Error::kBusy, {0xF8, 0, 1});  // none drawn yet
  TEST_ASSERT_TRUE(bench->challenges.push(test::kChallenge));
  bench->expect_error(Error::kSequence, {0xF8, 1, 1});
  for (const int resource : {0, 2, 3, 9, 0x10, 0xFF}) {
    bench->expect_error(Error::kOutOfRange, {0xF8, 0, resource});
  }
  bench->expect_error(Error::kOutOfRange, {0xF8, 2, 1});
  bench->expect_error(Error::kSequence, {0xF7, 32});  // no seed was asked for
  bench->send({0xF8, 0, 1});
  TEST_ASSERT_EQUAL_UINT32(18, bench->response.size);
  TEST_ASSERT_EQUAL_UINT8(16, bench->response.bytes[1]);
  TEST_ASSERT_EQUAL_MEMORY(test::kChallenge.seed.data(), &bench->response.bytes[2], 16);
  XcpBench without_stim(false);
  without_stim.connect();
  without_stim.expect_error(Error::kOutOfRange, {0xF8, 0, 8});
}

// A key that is wrong in one bit, whichever, is wrong; and ends the session.
void try_wrong_key(std::size_t bit) {
  TEST_ASSERT_TRUE(bench->challenges.push(test::kChallenge));
  bench->connect();
  bench->expect_ok({0xF8, 0, 1});
  etl::array<std::uint8_t, 34> packet = {0xF7, 32};
  std::memcpy(&packet[2], test::kChallenge.key.data(), 32);
  packet[2 + bit / 8] = static_cast<std::uint8_t>(packet[2 + bit / 8] ^ 1U << bit % 8);
  bench->send(packet);
  TEST_ASSERT_EQUAL_HEX8(hal::xcp::kPidError, bench->response.bytes[0]);
  TEST_ASSERT_EQUAL_HEX8(Error::kAccessLocked, bench->response.bytes[1]);
  TEST_ASSERT_FALSE(bench->state.is_connected);
  TEST_ASSERT_EQUAL_UINT8(0, bench->state.unlocked);
}

void test_every_wrong_bit_of_a_key_is_seen() {
  for (std::size_t bit = 0; bit < 256; ++bit) {
    try_wrong_key(bit);
    bench->state.failures = 0;
  }
}

void test_short_keys_are_wrong() {
  bench->connect();
  TEST_ASSERT_TRUE(bench->challenges.push(test::kChallenge));
  bench->expect_ok({0xF8, 0, 1});
  bench->expect_error(Error::kAccessLocked, {0xF7, 32, 201, 2, 3});
  TEST_ASSERT_EQUAL_UINT32(1, bench->state.failures);
  bench->connect();
  TEST_ASSERT_TRUE(bench->challenges.push(test::kChallenge));
  bench->expect_ok({0xF8, 0, 1});
  bench->expect_error(Error::kAccessLocked, {0xF7, 0});
  TEST_ASSERT_EQUAL_UINT32(2, bench->state.failures);
}

void test_a_seed_is_good_for_one_try() {
  bench->connect();
  bench->unlock(1);
  bench->expect_error(Error::kSequence, {0xF7, 32});
}

void test_five_failures_lock_out_for_ten_minutes() {
  for (std::size_t i = 0; i < hal::xcp::kMaxFailures; ++i) {
    TEST_ASSERT_EQUAL_UINT32(0, bench->state.lock_out_ticks);
    try_wrong_key(i);
  }
  bench->connect();
  TEST_ASSERT_TRUE(bench->challenges.push(test::kChallenge));
  bench->expect_error(Error::kAccessLocked, {0xF8, 0, 1});
  bench->expect_error(Error::kAccessLocked, {0xF8, 0, 8});
  bench->expect_error(Error::kSequence, {0xF7, 32});
  bench->state.lock_out_ticks = 2;  // of 1 200 000
  bench->tick();
  bench->expect_error(Error::kAccessLocked, {0xF8, 0, 1});
  bench->tick();
  hal::xcp::Challenge old{};
  TEST_ASSERT_TRUE(bench->challenges.pop(old));
  bench->unlock(1);
}

void test_success_forgives_failures() {
  for (std::size_t i = 0; i + 1 < hal::xcp::kMaxFailures; ++i) {
    try_wrong_key(i);
  }
  bench->connect();
  bench->unlock(1);
  try_wrong_key(0);
  TEST_ASSERT_EQUAL_UINT32(0, bench->state.lock_out_ticks);
}

// No more than the bound in a tick, however many wait.
void test_serve_is_bounded() {
  for (std::size_t i = 0; i < 10; ++i) {
    TEST_ASSERT_TRUE(bench->in.push({2, {0xFF, 0}}));
  }
  TEST_ASSERT_EQUAL_UINT32(
      4, hal::xcp::serve(bench->model, bench->state, bench->images, bench->queues));
  TEST_ASSERT_EQUAL_UINT32(6, bench->in.size());
  TEST_ASSERT_EQUAL_UINT32(4, bench->out.size());
  TEST_ASSERT_EQUAL_UINT32(4, bench->state.counters.handled);
}

void test_responses_without_room_are_counted() {
  while (bench->out.push({})) {
  }
  TEST_ASSERT_TRUE(bench->in.push({2, {0xFF, 0}}));
  TEST_ASSERT_EQUAL_UINT32(
      1, hal::xcp::serve(bench->model, bench->state, bench->images, bench->queues));
  TEST_ASSERT_EQUAL_UINT32(1, bench->state.counters.responses_dropped);
}

}  // namespace

void setUp() {
  bench.emplace();
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_nothing_is_heard_before_connect);
  RUN_TEST(test_connect_states_what_there_is);
  RUN_TEST(test_unknown_commands_are_refused);
  RUN_TEST(test_wrong_lengths_are_refused);
  RUN_TEST(test_status_and_synch);
  RUN_TEST(test_identification_is_uploaded);
  RUN_TEST(test_disconnect_ends_all);
  RUN_TEST(test_a_second_connect_locks_again);
  RUN_TEST(test_resources_are_unlocked_one_by_one);
  RUN_TEST(test_seed_has_its_refusals);
  RUN_TEST(test_every_wrong_bit_of_a_key_is_seen);
  RUN_TEST(test_short_keys_are_wrong);
  RUN_TEST(test_a_seed_is_good_for_one_try);
  RUN_TEST(test_five_failures_lock_out_for_ten_minutes);
  RUN_TEST(test_success_forgives_failures);
  RUN_TEST(test_serve_is_bounded);
  RUN_TEST(test_responses_without_room_are_counted);
  return UNITY_END();
}
