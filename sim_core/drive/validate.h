// Whether a DriveSpec describes a drive that can be: every field within its range
// (fields.h), and all of them together. Set-up only.
#pragma once

#include <cstdint>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/spec_error.h"

namespace taut::drive {

// How long the chain may be against the loop as drawn. A worn chain may hang slack until its
// tightener is moved: nothing else than that may be done with it.
enum class ChainFit : std::uint8_t { kAsDrawn, kToBeTightened };

// Appends what is wrong; empty afterwards means that make_geometry() and the models made
// from it will succeed.
void validate(const DriveSpec& spec, SpecErrors& errors, ChainFit fit = ChainFit::kAsDrawn);

}  // namespace taut::drive
