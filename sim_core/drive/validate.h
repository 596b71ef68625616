// Whether a DriveSpec describes a drive that can be: every field within its range
// (fields.h), and all of them together. Set-up only.
#pragma once

#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/spec_error.h"

namespace taut::drive {

// Appends what is wrong; empty afterwards means that make_geometry() and the models made
// from it will succeed.
void validate(const DriveSpec& spec, SpecErrors& errors);

}  // namespace taut::drive
