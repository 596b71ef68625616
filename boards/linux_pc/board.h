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

// Nanoseconds since some moment, by a clock that nobody sets; wraps every 4.3 s. See hal::Clock.
class Clock {
 public:
  [[nodiscard]] std::uint32_t now() const;
  [[nodiscard]] std::uint32_t counts_per_s() const { return 1'000'000'000; }
};

// Counts instructions under valgrind's callgrind, which files each count under
// its name in its output; the program itself cannot see it.
class InstructionCounter {
 public:
  void start(etl::string_view name);
  std::uint32_t stop();  // 0: the count is in callgrind's output
};

}  // namespace taut::board
