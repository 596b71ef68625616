// A number for a drive: over every value of the field table, wherever it was written. What is
// computed from a drive carries it, and is not used for another. A drive's name does not count.
#pragma once

#include <cstdint>

#include "sim_core/drive/drive_spec.h"

namespace taut::drive {

[[nodiscard]] std::uint64_t hash_of(const DriveSpec& spec);

}  // namespace taut::drive
