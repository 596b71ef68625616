// The block that tests on boards use is still the one that reduce() makes. Not to the last bit:
// other compilers and C libraries round otherwise, and Newton's steps then end elsewhere by as
// much.
#include <cmath>
#include <cstring>
#include <memory>

#include "unity.h"

#include "sim_core/reduced_chain/reduce.h"
#include "tests/unit/drive/engines.h"
#include "tests/unit/reduced_chain/block.h"

namespace {

using namespace taut;
using reduced_test::kBlockWords;

void test_packed_block_is_what_the_drive_gives() {
  drive::DriveModel drive;
  TEST_ASSERT_TRUE(drive::make_drive_model(drive_test::engine_6s90mc_c(), drive));
  const auto made = std::make_unique<reduced_chain::ReducedModel>();
  const auto packed = std::make_unique<reduced_chain::ReducedModel>();
  TEST_ASSERT_TRUE(reduced_chain::reduce(drive, *made).made);
  const char* const kHow =
      "make it anew: build/host/tests/make_reduced_test_block > "
      "tests/unit/reduced_chain/block_6s90mc_c.inc, and the bits in test_step.cpp";
  TEST_ASSERT_TRUE_MESSAGE(reduced_test::unpack(*packed), kHow);
  std::size_t different = 0;
  for (std::size_t i = 0; i < kBlockWords; ++i) {
    float now = 0;
    float then = 0;
    std::memcpy(&now, reinterpret_cast<const char*>(made.get()) + 4 * i, 4);
    std::memcpy(&then, reinterpret_cast<const char*>(packed.get()) + 4 * i, 4);
    const float size = std::fmax(std::fabs(now), std::fabs(then));
    different += std::fabs(now - then) > 1e-3F * size ? 1U : 0U;
  }
  TEST_ASSERT_TRUE_MESSAGE(different < kBlockWords / 200, kHow);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_packed_block_is_what_the_drive_gives);
  return UNITY_END();
}
