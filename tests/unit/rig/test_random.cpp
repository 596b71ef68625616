// The rig's random numbers: the same bits everywhere, the moments they promise, streams apart.
#include <cmath>

#include "unity.h"

#include "host_tools/rig/random.h"

namespace {

using taut::rig::Random;
using taut::rig::Stream;

constexpr int kMany = 200'000;

// The C++ standard fixes the generator: its 10000th number from the default seed. What seed_seq
// makes of (1, 0, 0) is fixed too; these bits are those of gcc 12 and must be those of all.
void test_bits_are_those_of_the_standard() {
  std::mt19937_64 engine;
  engine.discard(9999);
  TEST_ASSERT_EQUAL_UINT64(9981545732273789042ULL, engine());
  std::seed_seq words{1U, 0U, 0U};
  std::mt19937_64 seeded(words);
  Random random(1, Stream::kPlant);
  for (int i = 0; i < 10; ++i) {
    TEST_ASSERT_TRUE(random.uniform() == static_cast<double>(seeded() >> 11U) * 0x1p-53);
  }
}

void test_uniform_numbers_fill_their_interval() {
  Random random(5, Stream::kEdges);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kMany; ++i) {
    const double value = random.uniform();
    TEST_ASSERT_TRUE(value >= 0 && value < 1);
    sum += value;
    squares += value * value;
  }
  // Five standard deviations of the means: 0.29/sqrt(n), 0.3/sqrt(n).
  TEST_ASSERT_DOUBLE_WITHIN(5 * 0.29 / std::sqrt(kMany), 0.5, sum / kMany);
  TEST_ASSERT_DOUBLE_WITHIN(5 * 0.3 / std::sqrt(kMany), 1.0 / 3, squares / kMany);
}

void test_normal_numbers_have_their_moments() {
  Random random(5, Stream::kEdges);
  double moment[5] = {};
  for (int i = 0; i < kMany; ++i) {
    const double value = random.normal();
    TEST_ASSERT_TRUE(std::abs(value) <= 6);
    for (int k = 1; k <= 4; ++k) {
      moment[k] += std::pow(value, k) / kMany;
    }
  }
  // Five standard deviations of each: sqrt((E x^2k - (E x^k)^2)/n), with 1, 2, 14, 90 for k = 1..4.
  const double root = std::sqrt(kMany);
  TEST_ASSERT_DOUBLE_WITHIN(5 / root, 0, moment[1]);
  TEST_ASSERT_DOUBLE_WITHIN(5 * std::sqrt(2.0) / root, 1, moment[2]);
  TEST_ASSERT_DOUBLE_WITHIN(5 * std::sqrt(14.0) / root, 0, moment[3]);
  TEST_ASSERT_DOUBLE_WITHIN(5 * std::sqrt(90.0) / root, 2.9, moment[4]);
}

void test_seeds_and_streams_are_apart() {
  Random first(7, Stream::kLinkForce);
  Random same(7, Stream::kLinkForce);
  Random other_stream(7, Stream::kEdges);
  Random other_seed(8, Stream::kLinkForce);
  Random high_bits(7 + (std::uint64_t{1} << 40U), Stream::kLinkForce);
  double products[3] = {};
  for (int i = 0; i < kMany; ++i) {
    const double value = first.normal();
    TEST_ASSERT_TRUE(value == same.normal());
    products[0] += value * other_stream.normal() / kMany;
    products[1] += value * other_seed.normal() / kMany;
    products[2] += value * high_bits.normal() / kMany;
  }
  for (const double product : products) {  // uncorrelated: five standard deviations
    TEST_ASSERT_DOUBLE_WITHIN(5 / std::sqrt(kMany), 0, product);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_bits_are_those_of_the_standard);
  RUN_TEST(test_uniform_numbers_fill_their_interval);
  RUN_TEST(test_normal_numbers_have_their_moments);
  RUN_TEST(test_seeds_and_streams_are_apart);
  return UNITY_END();
}
