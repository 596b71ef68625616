// The sum in a fixed order: its value, and that the order is the promised one.
#include "unity.h"

#include "sim_core/math/sum.h"

namespace {

using namespace taut::math;

void test_adds_every_number_once() {
  double numbers[64] = {};
  for (std::size_t count = 0; count <= 60; ++count) {
    for (std::size_t i = 0; i < 64; ++i) {
      numbers[i] = static_cast<double>(i + 1);  // behind count: to be padded over
    }
    pad(numbers, count);
    const std::size_t expected = count * (count + 1) / 2;
    TEST_ASSERT_TRUE(sum(numbers, count) == static_cast<double>(expected));
  }
}

// Large numbers of lanes 0 and 4 cancel before the one of lane 1 is added; from left to right it
// would be lost.
void test_adds_lanes_in_pairs() {
  const double numbers[8] = {1e20, 1, 0, 0, -1e20, 0, 0, 0};
  TEST_ASSERT_TRUE(sum(numbers, 8) == 1);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_adds_every_number_once);
  RUN_TEST(test_adds_lanes_in_pairs);
  return UNITY_END();
}
