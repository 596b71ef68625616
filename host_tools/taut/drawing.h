// A drive drawn to scale as SVG: sprockets with their teeth, chain where it is placed,
// guide-bars, tightener, main dimensions. For people; nothing is computed from it.
#pragma once

#include <string>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/geometry.h"

namespace taut::tool {

[[nodiscard]] std::string draw_drive(const drive::DriveSpec& spec, const drive::Geometry& geometry,
                                     const drive::Placement& placement);

}  // namespace taut::tool
