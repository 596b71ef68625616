// Options of a command that runs the rig, as written, and the rig they ask for.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "host_tools/rig/rig.h"
#include "host_tools/taut/resting_drive.h"

namespace taut::tool {

struct RigOptions {
  RestRequest rest;
  std::optional<double> speed_rpm;
  std::string start = "speed";
  std::optional<double> run_up_s;
  double torque_factor = 1;
  std::string torque_orders;
  std::optional<int> order;
  std::optional<double> accel_amplitude_rad_s2;
  std::uint64_t seed = 1;
  bool ideal = false;
  std::string faults;
  int tag_link = 1;
};

// What --help lists options of the bench under, all but those of the drive.
inline constexpr const char* kRigGroup = "Virtual bench";

// All but DRIVE.
void add_rig_options(CLI::App& command, RigOptions& options);

// Reads the files that the options name. Throws a Failure that says what is wrong.
[[nodiscard]] rig::RigSpec make_rig_spec(const RigOptions& options);

}  // namespace taut::tool
