// A drive's reduced chain as a block: made here, or read from a file that `taut reduce` wrote.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host_tools/taut/rest_comparison.h"
#include "sim_core/drive/drive_spec.h"
#include "sim_core/reduced_chain/block.h"

namespace taut::tool {

struct Reduction {
  reduced_chain::Block block;
  RestComparison rest;                // with the full model's; of a block from a file nothing
  std::vector<std::string> warnings;  // of reduce()
};

// Throws a Failure (kNoSolution) that says why where the drive is outside of what the reduced
// model is valid for, also where it rests unlike the full model.
[[nodiscard]] std::shared_ptr<const Reduction> reduce_drive(const drive::DriveSpec& spec);

// Throws a Failure (kWrongUse) where the file cannot be read or its block is not this drive's.
[[nodiscard]] std::shared_ptr<const Reduction> read_reduction(const std::string& path,
                                                              const drive::DriveSpec& spec);

}  // namespace taut::tool
