// A PC as a board: the terminal is its console, the process its lifetime.
#pragma once

#include <cstdint>

#include <etl/string_view.h>

namespace taut::board {

// Standard output. Blocks as a terminal may; see hal::Console.
class Terminal {
 public:
  void write(etl::string_view text);
};

[[nodiscard]] Terminal& console();

// Counts instructions under valgrind's callgrind, which files each count under
// its name in its output; the program itself cannot see it.
class InstructionCounter {
 public:
  void start(etl::string_view name);
  std::uint32_t stop();  // 0: the count is in callgrind's output
};

}  // namespace taut::board
