// What a board checks of itself; the numbers have to pass on every target.
#include "unity.h"
#include <etl/array.h>
#include <etl/span.h>

#include "firmware/self_test.h"

namespace {

using namespace taut::firmware;

void test_numbers_are_those_of_every_target() {
  TEST_ASSERT_TRUE(check_numbers<float>() == SelfTest::kPassed);
  TEST_ASSERT_TRUE(check_numbers<double>() == SelfTest::kPassed);
  TEST_ASSERT_TRUE(numbers_hash<float>() != numbers_hash<double>());
}

void test_memory_that_holds_is_left_as_zeros() {
  static etl::array<std::uint32_t, 1000> words;
  words.fill(7);
  TEST_ASSERT_TRUE(check_memory({words.data(), words.size()}) == SelfTest::kPassed);
  for (const std::uint32_t word : words) {
    TEST_ASSERT_EQUAL_UINT32(0, word);
  }
  TEST_ASSERT_TRUE(check_memory({words.data(), std::size_t{0}}) == SelfTest::kPassed);
}

void test_every_result_has_words() {
  for (unsigned i = 0; i <= static_cast<unsigned>(SelfTest::kWrongChannels); ++i) {
    TEST_ASSERT_TRUE(reason(static_cast<SelfTest>(i))[0] != '\0');
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_numbers_are_those_of_every_target);
  RUN_TEST(test_memory_that_holds_is_left_as_zeros);
  RUN_TEST(test_every_result_has_words);
  return UNITY_END();
}
