// Reads and checks a drive: a name of the library or a file, with settings laid over it.
// Everything goes through the field table; all that is wrong is said at once.
#pragma once

#include <string>
#include <vector>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/validate.h"

namespace taut::tool {

struct DriveRequest {
  std::string drive;                  // name in the library, or a path
  std::vector<std::string> settings;  // KEY=VALUE each
  drive::ChainFit fit = drive::ChainFit::kAsDrawn;
};

struct LoadedDrive {
  std::string file;
  drive::DriveSpec spec;  // has passed drive::validate()
};

// Throws a Failure with every problem found.
[[nodiscard]] LoadedDrive load_drive(const DriveRequest& request);

}  // namespace taut::tool
