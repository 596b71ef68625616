// A board's own console cannot be read back by itself: this very test is written by it.
#include <type_traits>

#include "unity.h"

#include "board.h"
#include "hal/fakes/fake_console.h"
#include "tests/contract/console.h"

namespace {

using namespace taut;

static_assert(hal::Console<std::remove_reference_t<decltype(board::console())>>);

class FakeConsoleFixture {
 public:
  hal::fakes::FakeConsole<>& console() { return console_; }
  [[nodiscard]] const char* text() const { return console_.text(); }

 private:
  hal::fakes::FakeConsole<> console_;
};

}  // namespace

int main() {
  UNITY_BEGIN();
  contract::run_console<FakeConsoleFixture>();
  return UNITY_END();
}
