// The product by halves, which runs on 32-bit targets, equals the compiler's own on 64-bit hosts.

#include <cstdint>

#include "unity.h"

#include "sim_core/math/wide_multiply.h"
#include "tests/unit/math/inputs.h"

namespace {

using taut::math::detail::multiply_wide;
using taut::math::detail::multiply_wide_by_halves;

void expect_product(std::uint64_t high, std::uint64_t low, std::uint64_t a, std::uint64_t b) {
  TEST_ASSERT_EQUAL_HEX64(high, multiply_wide_by_halves(a, b).high);
  TEST_ASSERT_EQUAL_HEX64(low, multiply_wide_by_halves(a, b).low);
}

void known_products() {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  expect_product(0, 0, 0, kAll);
  expect_product(0, kAll, 1, kAll);
  expect_product(kAll - 1U, 1, kAll, kAll);
  expect_product(1, 0, std::uint64_t{1} << 32, std::uint64_t{1} << 32);
  expect_product(0, 0xfffffffe00000001U, 0xffffffffU, 0xffffffffU);
}

void both_ways_agree() {
  taut::math::test::Inputs inputs(0x5eed'0007U);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t a = inputs.next();
    const std::uint64_t b = inputs.next();
    const auto direct = multiply_wide(a, b);
    expect_product(direct.high, direct.low, a, b);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(known_products);
  RUN_TEST(both_ways_agree);
  return UNITY_END();
}
