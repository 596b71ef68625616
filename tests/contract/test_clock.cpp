#include "unity.h"

#include "board.h"
#include "hal/fakes/fake_clock.h"
#include "tests/contract/clock.h"

namespace {

using namespace taut;

template <std::uint32_t kStart>
class FakeClockFixture {
 public:
  hal::fakes::FakeClock& clock() { return clock_; }
  void pass(std::uint32_t counts) { clock_.pass(counts); }

 private:
  hal::fakes::FakeClock clock_{kStart, 25'000'000};
};

// Bounded by the launcher's time-out, should the clock stand.
class BoardClockFixture {
 public:
  board::Clock& clock() { return clock_; }
  void pass(std::uint32_t counts) {
    const std::uint32_t before = clock_.now();
    while (clock_.now() - before < counts) {
    }
  }

 private:
  board::Clock clock_;
};
static_assert(hal::Clock<board::Clock>);

}  // namespace

int main() {
  UNITY_BEGIN();
  contract::run_clock<FakeClockFixture<0>>();
  contract::run_clock<FakeClockFixture<0xFFFFFF00U>>();  // wraps during each test
  contract::run_clock<BoardClockFixture>();
  return UNITY_END();
}
