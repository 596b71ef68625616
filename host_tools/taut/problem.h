// What is wrong with a drive, said so that it can be mended: where it stands, what it is,
// what is allowed, what to do. Problems are collected; all of them are shown at once.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace taut::tool {

// Where a value comes from: a line of a file, or an option of the command line.
struct Origin {
  std::string file;
  int line = 0;  // from 1; 0: the file as a whole
  int column = 0;
  std::string option;  // not empty: "--set KEY=VALUE", and no file
};

struct Problem {
  Origin origin;
  std::string subject;  // "chain.pitch_m = 88.9", or empty
  std::string text;     // what is wrong; what is allowed; what to do
};

using Problems = std::vector<Problem>;

[[nodiscard]] std::string to_text(const Problem& problem);

// Ends a command; main() prints the text and returns the code.
enum class ExitCode { kOk = 0, kWrongDrive = 1, kWrongUse = 2, kNoSolution = 3, kCheckFailed = 4 };

class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
  explicit Failure(Problems problems);  // kWrongDrive; in the order of lines, options last
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace taut::tool
