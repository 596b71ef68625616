// An emulated board that runs the firmware, with a file for its flash and its line in our hands.
// Throws a std::runtime_error that says what went wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

#include "host_tools/emulator/temporary_folder.h"

namespace taut::emulator {

enum class Line { kPipes, kUart };  // see boards/mps2/host_link.h

class EmulatedBoard {
 public:
  // `flash`: as taut flash writes it; the board may change it.
  EmulatedBoard(const std::string& machine, const std::string& image, const std::string& flash,
                Line line);
  EmulatedBoard(const EmulatedBoard&) = delete;
  EmulatedBoard& operator=(const EmulatedBoard&) = delete;
  ~EmulatedBoard();

  [[nodiscard]] int from_board() const { return from_; }
  [[nodiscard]] int to_board() const { return to_; }

  [[nodiscard]] bool is_running();
  // Closes the line: by pipes the board ends by itself. Returns what its console said.
  [[nodiscard]] std::string end();

 private:
  TemporaryFolder folder_;
  Line line_;
  int from_ = -1;
  int to_ = -1;
  pid_t process_ = -1;
  int status_ = 0;  // of a process that has ended
};

// What a board that was run by pipes tells of its ticks last.
struct TicksTold {
  double worst_instructions = 0;
  std::uint64_t overruns = 0;
};
// Nothing where its console does not say it.
[[nodiscard]] std::optional<TicksTold> ticks_told(const std::string& console);

}  // namespace taut::emulator
