// What every board owes to main(): RAM contents as the language says, constructors
// run in time, and IEEE arithmetic without flush to zero.
#include <cstdint>
#include <limits>

#include "unity.h"

namespace {

// volatile: the compiler must not know the answers.
volatile std::uint32_t initialised = 0xC0FFEE42U;
volatile std::uint32_t zeroed;

struct Constructed {
  Constructed() : value(initialised + 1) {}
  volatile std::uint32_t value;
};
Constructed constructed;

void test_initialised_data_is_copied() {
  TEST_ASSERT_EQUAL_HEX32(0xC0FFEE42U, initialised);
}

void test_other_data_is_zero() {
  TEST_ASSERT_EQUAL_HEX32(0, zeroed);
}

void test_constructors_ran_after_the_data_was_copied() {
  TEST_ASSERT_EQUAL_HEX32(0xC0FFEE43U, constructed.value);
}

template <typename Real>
void check_float_mode() {
  volatile Real smallest_normal = std::numeric_limits<Real>::min();
  volatile Real one = 1;
  volatile Real half_ulp = std::numeric_limits<Real>::epsilon() / 2;
  volatile Real three = 3;
  const Real half = smallest_normal / 2;
  TEST_ASSERT_TRUE_MESSAGE(half > 0, "subnormal results are flushed to zero");
  TEST_ASSERT_TRUE_MESSAGE(half * 2 == smallest_normal, "subnormal inputs are flushed to zero");
  TEST_ASSERT_TRUE_MESSAGE(one + half_ulp == one, "a tie does not round to even");
  TEST_ASSERT_TRUE_MESSAGE(one + three * half_ulp == one + 4 * half_ulp,
                           "a tie does not round to even");
  TEST_ASSERT_TRUE_MESSAGE(-one - half_ulp == -one, "rounding is directed");
}

void test_float_arithmetic_is_ieee() {
  check_float_mode<float>();
}

void test_double_arithmetic_is_ieee() {
  check_float_mode<double>();
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_initialised_data_is_copied);
  RUN_TEST(test_other_data_is_zero);
  RUN_TEST(test_constructors_ran_after_the_data_was_copied);
  RUN_TEST(test_float_arithmetic_is_ieee);
  RUN_TEST(test_double_arithmetic_is_ieee);
  return UNITY_END();
}
