#include "unity.h"

#include "hal/fakes/fake_watchdog.h"
#include "tests/contract/watchdog.h"

namespace {

class FakeWatchdogFixture {
 public:
  taut::hal::fakes::FakeWatchdog& watchdog() { return watchdog_; }
  void pass_ms(std::uint32_t time_ms) { watchdog_.pass_ms(time_ms); }
  [[nodiscard]] bool has_reset() const { return watchdog_.has_reset_board(); }

 private:
  taut::hal::fakes::FakeWatchdog watchdog_;
};

}  // namespace

int main() {
  UNITY_BEGIN();
  taut::contract::run_watchdog<FakeWatchdogFixture>();
  return UNITY_END();
}
