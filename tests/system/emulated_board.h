// An emulated board that runs the firmware, with a file for its flash and its line in our hands.
// Throws a std::runtime_error that says what went wrong.
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

#include "tests/system/temporary_folder.h"

namespace taut::system_test {

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

  // Closes the line: by pipes the board ends by itself. Returns what its console said.
  [[nodiscard]] std::string end();

 private:
  TemporaryFolder folder_;
  Line line_;
  int from_ = -1;
  int to_ = -1;
  pid_t process_ = -1;
};

// For main(): the exit code of a test that needs this image; skipped where that is not built.
[[nodiscard]] int judged(const std::string& image, const std::function<int()>& test);

}  // namespace taut::system_test
