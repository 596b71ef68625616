// Keys against published vectors, and the way from a seed to an unlocked resource.
#include "unity.h"
#include <etl/optional.h>

#include "hal/fakes/fake_entropy_source.h"
#include "hal/xcp/seed_key.h"
#include "tests/support/xcp_bench.h"

namespace {

using namespace taut;
using test::XcpBench;
using Key = etl::array<std::uint8_t, hal::xcp::kKeyBytes>;

etl::optional<XcpBench> bench;

// RFC 4231, case 1 and 2: HMAC fills a key up with zeros, so theirs fit a secret of 32 bytes.
void test_keys_are_hmac_sha256() {
  hal::xcp::Secret secret{};
  for (std::size_t i = 0; i < 20; ++i) {
    secret[i] = 0x0B;
  }
  const std::uint8_t hi_there[] = {'H', 'i', ' ', 'T', 'h', 'e', 'r', 'e'};
  Key key{};
  TEST_ASSERT_TRUE(hal::xcp::make_key(secret, hi_there, key));
  const Key first = {0xB0, 0x34, 0x4C, 0x61, 0xD8, 0xDB, 0x38, 0x53, 0x5C, 0xA8, 0xAF,
                     0xCE, 0xAF, 0x0B, 0xF1, 0x2B, 0x88, 0x1D, 0xC2, 0x00, 0xC9, 0x83,
                     0x3D, 0xA7, 0x26, 0xE9, 0x37, 0x6C, 0x2E, 0x32, 0xCF, 0xF7};
  TEST_ASSERT_EQUAL_MEMORY(first.data(), key.data(), key.size());
  const hal::xcp::Secret jefe = {'J', 'e', 'f', 'e'};
  const char* what = "what do ya want for nothing?";
  TEST_ASSERT_TRUE(
      hal::xcp::make_key(jefe, {reinterpret_cast<const std::uint8_t*>(what), 28}, key));
  const Key second = {0x5B, 0xDC, 0xC1, 0x46, 0xBF, 0x60, 0x75, 0x4E, 0x6A, 0x04, 0x24,
                      0x26, 0x08, 0x95, 0x75, 0xC7, 0x5A, 0x00, 0x3F, 0x08, 0x9D, 0x27,
                      0x39, 0x83, 0x9D, 0xEC, 0x58, 0xB9, 0x64, 0xEC, 0x38, 0x43};
  TEST_ASSERT_EQUAL_MEMORY(second.data(), key.data(), key.size());
}

void test_a_master_that_knows_the_secret_unlocks() {
  const hal::xcp::Secret secret = {9, 8, 7};
  hal::fakes::FakeEntropySource entropy;
  entropy.run_out();
  hal::xcp::top_up(bench->challenges, secret, entropy);
  bench->connect();
  bench->expect_error(hal::xcp::Error::kBusy, {0xF8, 0, 1});
  entropy.run_out(false);
  hal::xcp::top_up(bench->challenges, secret, entropy);
  hal::xcp::top_up(bench->challenges, secret, entropy);  // is full: draws none
  bench->expect_ok({0xF8, 0, 1});
  Key key{};
  TEST_ASSERT_TRUE(hal::xcp::make_key(secret, {&bench->response.bytes[2], 16}, key));
  std::uint8_t packet[2 + sizeof key] = {0xF7, sizeof key};
  std::memcpy(packet + 2, key.data(), key.size());
  bench->send(packet);
  TEST_ASSERT_EQUAL_HEX8(0xFF, bench->response.bytes[0]);
  TEST_ASSERT_EQUAL_HEX8(0x08, bench->response.bytes[1]);
}

void test_seeds_differ() {
  hal::fakes::FakeEntropySource entropy;
  hal::xcp::Challenge first{};
  hal::xcp::Challenge second{};
  hal::xcp::top_up(bench->challenges, {}, entropy);
  TEST_ASSERT_TRUE(bench->challenges.pop(first));
  hal::xcp::top_up(bench->challenges, {}, entropy);
  TEST_ASSERT_TRUE(bench->challenges.pop(second));
  TEST_ASSERT_FALSE(first.seed == second.seed);
  TEST_ASSERT_FALSE(first.key == second.key);
}

}  // namespace

void setUp() {
  bench.emplace();
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_keys_are_hmac_sha256);
  RUN_TEST(test_a_master_that_knows_the_secret_unlocks);
  RUN_TEST(test_seeds_differ);
  return UNITY_END();
}
