// What wraps at rest cannot know, measured on the full model at constant speed when a block is
// made: how far rollers that meet their seats at speed ride out, and what joints, seats and rubbing
// take. Host only.
#pragma once

#include "sim_core/drive/drive_model.h"
#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::reduced_chain {

// After all else is in the block.
void calibrate(const drive::DriveModel& drive, ReducedModel& model);

}  // namespace taut::reduced_chain
