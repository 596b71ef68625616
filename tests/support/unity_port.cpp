// Unity on the board the test runs on.
#include "board.h"
#include "tests/support/unity_mute.h"

namespace {

bool is_mute = false;

}  // namespace

void taut_test_mute(bool mute) {
  is_mute = mute;
}

extern "C" {

void taut_test_put_character(int character);
void taut_test_put_character(int character) {
  if (is_mute) {
    return;
  }
  const char text = static_cast<char>(character);
  taut::board::console().write({&text, 1});
}

// For tests that need none.
[[gnu::weak]] void setUp();
[[gnu::weak]] void setUp() {}
[[gnu::weak]] void tearDown();
[[gnu::weak]] void tearDown() {}
}
