// A drive at rest, for the commands that start from there: loads it, chooses its tightener,
// finds the equilibrium, and fails in words where there is none.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "host_tools/taut/drive_file.h"
#include "sim_core/drive/drive_model.h"
#include "sim_core/implicit_chain/step.h"
#include "sim_core/roller_chain/statics.h"

namespace taut::tool {

struct RestRequest {
  DriveRequest drive;
  std::string tightener;    // "fixed", "arm", "hydraulic", or empty: as the drive says
  std::string bars = "on";  // "off": without guide-bars
};

struct RestingDrive {
  drive::DriveModel model;
  roller_chain::Equilibrium rest;
  roller_chain::StaticsReport report;
};

// DRIVE, --set, --tightener and --bars.
void add_rest_options(CLI::App& command, RestRequest& request);
// Without DRIVE, for a command that takes it in another way.
void add_rest_settings(CLI::App& command, RestRequest& request);

// The drive as asked for; throws a Failure where it is wrong.
[[nodiscard]] drive::DriveSpec load_spec(const RestRequest& request);

// Throws a Failure (kNoSolution) where no rest is found.
[[nodiscard]] RestingDrive rest_drive(const drive::DriveSpec& spec,
                                      const roller_chain::StaticsOptions& options = {});

// From there, in steps of a tick. Throws a Failure (kNoSolution) where the drive has parts that the
// implicit model leaves out.
void make_implicit_chain(const RestingDrive& resting, implicit_chain::ImplicitModel& model);

}  // namespace taut::tool
