// One line on a terminal that says how far a long command is and how long it will still take.
// Says nothing where standard error is not a terminal.
#pragma once

#include <chrono>
#include <string>

namespace taut::tool {

class Progress {
 public:
  Progress(std::string what, double whole, std::string unit);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // wipes the line

  // At most five times a second; the note comes last.
  void show(double done, const std::string& note = "");

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  double whole_;
  std::string unit_;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_;
};

}  // namespace taut::tool
