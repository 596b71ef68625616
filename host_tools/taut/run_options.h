// The options of `taut run` as they are written on the command line; most of them also those
// of `taut sweep`, which runs a drive many times.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "host_tools/taut/resting_drive.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::tool {

inline constexpr const char* kRollerModel = "roller";
inline constexpr const char* kReducedModel = "reduced";
inline constexpr const char* kImplicitModel = "implicit";

struct RunOptions {
  RestRequest rest;
  std::string model = kRollerModel;
  std::string block;  // of the reduced model; empty: made on the spot
  std::optional<double> speed_rpm;
  std::optional<int> order;
  std::optional<double> accel_amplitude_rad_s2;
  std::string accel_table;
  std::string accel_series;
  double fade_in_s = 1;
  std::string start = "speed";
  std::optional<double> run_up_s;
  double start_phase = 0;
  double duration_s = 10;
  std::optional<double> stats_from_s;
  std::optional<double> step_us;
  std::string integrator;  // empty: euler
  std::string profile;     // empty: as the drive says
  int tag_link = 1;
  int tag_roller = 1;
  std::string precision;  // empty: double; of models in steps of a tick float
  std::string out;
  double out_interval_s = roller_chain::kTick_s;
  bool json = false;
};

// All but DRIVE and what writes one run's outputs over time.
void add_run_options(CLI::App& command, RunOptions& options);
void add_outputs_options(CLI::App& command, RunOptions& options);
void add_block_option(CLI::App& command, RunOptions& options);

// A number between two limits; CLI::Range lets a NaN through and does not know units.
[[nodiscard]] CLI::Validator between(double lowest, double highest, const std::string& unit);
[[nodiscard]] CLI::Validator whole_between(int lowest, int highest);
// What between() was told; empty for a plain number and for a word.
[[nodiscard]] std::string unit_of(CLI::Option& option);

}  // namespace taut::tool
