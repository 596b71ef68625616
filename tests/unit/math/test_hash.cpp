// The hash is FNV-1a 64 over little-endian bytes, tells numbers apart and takes all NaN for one.

#include <cstdint>
#include <limits>

#include "unity.h"

#include "sim_core/math/hash.h"

namespace {

using taut::math::from_bits;
using taut::math::Hash64;

template <typename... Values>
constexpr std::uint64_t hash_of(Values... values) {
  Hash64 hash;
  (hash.add(values), ...);
  return hash.value();
}

void empty_hash_is_the_offset_basis() {
  TEST_ASSERT_EQUAL_HEX64(0xcbf29ce484222325U, hash_of());
}

// The hashes of the texts "foob" and "12345678", computed byte by byte with another program.
void bytes_enter_low_first() {
  TEST_ASSERT_EQUAL_HEX64(0xdd120e790c2512afU, hash_of(std::uint32_t{0x626f6f66U}));
  TEST_ASSERT_EQUAL_HEX64(0x173932c41a90a42dU, hash_of(std::uint64_t{0x3837363534333231U}));
}

void words_split_where_their_bytes_do() {
  TEST_ASSERT_EQUAL_HEX64(hash_of(std::uint64_t{0x0123456789abcdefU}),
                          hash_of(std::uint32_t{0x89abcdefU}, std::uint32_t{0x01234567U}));
}

void numbers_hash_as_their_bits() {
  TEST_ASSERT_EQUAL_HEX64(hash_of(std::uint32_t{0x3f800000U}), hash_of(1.0F));
  TEST_ASSERT_EQUAL_HEX64(hash_of(std::uint64_t{0x3ff0000000000000U}), hash_of(1.0));
}

void zeros_of_different_sign_differ() {
  TEST_ASSERT_TRUE(hash_of(0.0F) != hash_of(-0.0F));
  TEST_ASSERT_TRUE(hash_of(0.0) != hash_of(-0.0));
}

void order_matters() {
  TEST_ASSERT_TRUE(hash_of(1.0, 2.0) != hash_of(2.0, 1.0));
}

void all_nan_are_one() {
  const std::uint64_t float_nan = hash_of(std::numeric_limits<float>::quiet_NaN());
  TEST_ASSERT_EQUAL_HEX64(float_nan, hash_of(from_bits<float>(0xffc00000U)));
  TEST_ASSERT_EQUAL_HEX64(float_nan, hash_of(from_bits<float>(0x7fffffffU)));
  TEST_ASSERT_TRUE(float_nan != hash_of(std::numeric_limits<float>::infinity()));
  const std::uint64_t double_nan = hash_of(std::numeric_limits<double>::quiet_NaN());
  TEST_ASSERT_EQUAL_HEX64(double_nan, hash_of(from_bits<double>(0xfff8000000000000U)));
  TEST_ASSERT_EQUAL_HEX64(double_nan, hash_of(from_bits<double>(0x7fffffffffffffffU)));
  TEST_ASSERT_TRUE(double_nan != hash_of(std::numeric_limits<double>::infinity()));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(empty_hash_is_the_offset_basis);
  RUN_TEST(bytes_enter_low_first);
  RUN_TEST(words_split_where_their_bytes_do);
  RUN_TEST(numbers_hash_as_their_bits);
  RUN_TEST(zeros_of_different_sign_differ);
  RUN_TEST(order_matters);
  RUN_TEST(all_nan_are_one);
  return UNITY_END();
}
