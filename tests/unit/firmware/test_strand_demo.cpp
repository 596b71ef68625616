// The demo on a console that remembers: 10 000 steps, one golden hash for every machine.
#include "unity.h"

#include "firmware/strand_demo.h"
#include "hal/fakes/fake_console.h"

namespace {

void test_every_machine_reports_the_same_state() {
  static taut::hal::fakes::FakeConsole<> console;
  taut::firmware::run_strand_demo(console);
  TEST_ASSERT_EQUAL_STRING(
      "strand float middle_mm -81.691 hash a03cfb8e6dbb8e51\n"
      "strand double middle_mm -81.693 hash a22f6c29682766e3\n"
      "OK\n",
      console.text());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_every_machine_reports_the_same_state);
  return UNITY_END();
}
