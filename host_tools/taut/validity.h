// Whether a drive is one that the reduced model is valid for, judged by how the full model rests.
#pragma once

#include <string>
#include <vector>

#include "host_tools/taut/resting_drive.h"
#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::tool {

// Why not, with numbers and what to do; empty: it is.
[[nodiscard]] std::string outside_validity(const RestingDrive& resting,
                                           const reduced_chain::ReducedModel& model);

// Where it is, but less good than elsewhere.
[[nodiscard]] std::vector<std::string> near_validity(const RestingDrive& resting,
                                                     const reduced_chain::ReducedModel& model);

}  // namespace taut::tool
