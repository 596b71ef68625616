// A drive run many times, one thing or several changed from run to run: a grid of all their
// values, for each drive. Everything is checked before the first run.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host_tools/taut/run_options.h"
#include "host_tools/taut/run_request.h"
#include "host_tools/taut/swept_quantity.h"

namespace taut::tool {

struct SweepOptions {
  RunOptions run;  // of every run, but for what is swept
  std::vector<std::string> drives;
  std::vector<std::string> over;
  std::optional<int> jobs;
  std::string csv;
  std::string plot;
};

struct Sweep {
  std::vector<std::string> drives;  // as written
  std::vector<SweptQuantity> over;
  // One drive after the other; within it the value of the last quantity changes first.
  std::vector<RunRequest> requests;

  [[nodiscard]] std::size_t runs_a_drive() const;
  // Runs in a row with the same value of a quantity.
  [[nodiscard]] std::size_t runs_a_value(std::size_t quantity) const;
  [[nodiscard]] const std::string& drive_of(std::size_t run) const;
  [[nodiscard]] const std::string& value_of(std::size_t run, std::size_t quantity) const;
  [[nodiscard]] std::string name_of(std::size_t run) const;  // "6s90mc-c, speed-rpm=60"
};

void add_sweep_options(CLI::App& command, SweepOptions& options);

// `command` is the one that the options were added to: a swept option is set through it, and so
// read and checked as if it had been written. Throws a Failure that says what is wrong.
[[nodiscard]] Sweep make_sweep(SweepOptions& options, CLI::App& command);

}  // namespace taut::tool
