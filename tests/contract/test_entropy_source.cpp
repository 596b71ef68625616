#include "unity.h"

#include "hal/fakes/fake_entropy_source.h"
#include "tests/contract/entropy_source.h"
#ifdef __linux__
#include "boards/linux_pc/kernel_entropy.h"
#endif

namespace {

using namespace taut;

template <typename Source>
class Fixture {
 public:
  Source& source() { return source_; }

 private:
  Source source_;
};

// The fake's own: nothing of what it was given is touched.
void test_fake_runs_out() {
  hal::fakes::FakeEntropySource source;
  source.run_out();
  std::uint8_t byte = 7;
  TEST_ASSERT_FALSE(source.fill({&byte, 1}));
  TEST_ASSERT_EQUAL_UINT8(7, byte);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  contract::run_entropy_source<Fixture<hal::fakes::FakeEntropySource>>();
#ifdef __linux__
  contract::run_entropy_source<Fixture<board::KernelEntropy>>();
#endif
  RUN_TEST(test_fake_runs_out);
  return UNITY_END();
}
