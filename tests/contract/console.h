// What every hal::Console must do. A Fixture makes one and has
//   console()  the console under test
//   text()     what whoever watches it has seen, as a C string
#pragma once

#include "unity.h"

#include "hal/console.h"

namespace taut::contract {

template <typename Fixture>
void console_shows_all_in_order() {
  Fixture fixture;
  fixture.console().write("strand ");
  fixture.console().write("");
  fixture.console().write(etl::string_view("12345", 3));
  fixture.console().write("\n");
  TEST_ASSERT_EQUAL_STRING("strand 123\n", fixture.text());
}

template <typename Fixture>
void run_console() {
  RUN_TEST(console_shows_all_in_order<Fixture>);
}

}  // namespace taut::contract
