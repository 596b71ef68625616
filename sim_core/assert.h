// TAUT_ASSERT: the programmer is wrong, and the program cannot go on.
// Not for bad input (a status says that) and not for a bad value inside a tick
// (counted, replaced, latched). Does not depend on NDEBUG.
#pragma once

#include <cstdint>

namespace taut {

struct AssertFailure {
  const char* expression;
  const char* file;
  std::int32_t line;
  double value;  // what was wrong, as the caller chose to show it
};

// Each board defines what becomes of a failed assertion: sim_core knows no console.
[[noreturn]] void on_assert_failure(const AssertFailure& failure);

}  // namespace taut

// `value` is a number that helps to understand the failure.
#define TAUT_ASSERT(condition, value) \
  ((condition)                        \
       ? static_cast<void>(0)         \
       : ::taut::on_assert_failure({#condition, __FILE__, __LINE__, static_cast<double>(value)}))
