// The description of a target for a measuring and calibration tool (ASAM MCD-2 MC, ASAP2 1.71),
// made from the twin's table. One for all targets: addresses are rows, not memory.
#pragma once

#include <string>

namespace taut::tool {

[[nodiscard]] std::string make_a2l();

}  // namespace taut::tool
