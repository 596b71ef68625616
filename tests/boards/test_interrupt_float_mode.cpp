// An exception handler starts with a fresh float context, made from FPDSCR: it must
// compute as main does. SVC is an exception that a program can call at will.
#include <limits>

#include "unity.h"

#include "boards/cortex_m/registers.h"

namespace {

volatile float smallest_normal = std::numeric_limits<float>::min();
volatile float half_in_handler;

float half_of_smallest_normal_in_handler() {
  half_in_handler = -1;
  asm volatile("svc 0" ::: "memory");
  return half_in_handler;
}

void test_an_exception_keeps_subnormals() {
  TEST_ASSERT_EQUAL_FLOAT(std::numeric_limits<float>::min() / 2,
                          half_of_smallest_normal_in_handler());
}

// The test above can see the difference: with flush to zero in FPDSCR the handler gets 0.
void test_the_handler_follows_fpdscr() {
  constexpr std::uint32_t kFlushToZero = 1U << 24U;
  volatile std::uint32_t& default_status =
      taut::cortex_m::reg32(taut::cortex_m::kFloatDefaultStatus);
  const std::uint32_t before = default_status;
  default_status = kFlushToZero;
  const float half = half_of_smallest_normal_in_handler();
  default_status = before;
  TEST_ASSERT_EQUAL_HEX32(0, before);
  TEST_ASSERT_TRUE(half == 0);
}

}  // namespace

extern "C" void SVC_Handler() {
  half_in_handler = smallest_normal / 2;
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_an_exception_keeps_subnormals);
  RUN_TEST(test_the_handler_follows_fpdscr);
  return UNITY_END();
}
