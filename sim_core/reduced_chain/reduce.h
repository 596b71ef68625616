// Makes the reduced chain's block from a drive: wrap tables, strand modes, arm geometry, masses,
// and the state at rest. Once, on the host, in double; about a second.
#pragma once

#include <string>
#include <vector>

#include "sim_core/drive/drive_model.h"
#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::reduced_chain {

struct ReduceReport {
  bool made;
  std::string problem;                // why not, with numbers
  std::vector<std::string> warnings;  // where the block is less than the drive
};

[[nodiscard]] ReduceReport reduce(const drive::DriveModel& drive, ReducedModel& model);

// The three or so natural frequencies of the sprockets about rest, the strands straight, the arm
// held: a check against the full model's.
[[nodiscard]] std::vector<double> torsional_Hz(const ReducedModel& model);
// About any state, whether or not it is one of rest.
[[nodiscard]] std::vector<double> torsional_Hz(const ReducedModel& model,
                                               const ReducedState& state);

}  // namespace taut::reduced_chain
