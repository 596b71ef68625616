// Texts that every board writes to its console in the same words.
#pragma once

#include <etl/string.h>
#include <etl/string_stream.h>

#include "hal/console.h"
#include "sim_core/assert.h"

namespace taut::hal {

// Blocks as the console does. For the end of a program, not for a tick.
template <Console ConsoleT>
void report(ConsoleT& console, const AssertFailure& failure) {
  console.write(failure.file);
  etl::string<64> text;
  etl::string_stream out(text);
  out << ":" << failure.line << etl::setprecision(6) << ": assertion failed, value "
      << failure.value << ": ";
  console.write(text);
  console.write(failure.expression);
  console.write("\n");
}

}  // namespace taut::hal
