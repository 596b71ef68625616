// A twin that an emulated board runs as firmware, stimulated by XCP, a tick when its frame has
// come. This PC does the same beside it: to draw every link, which no board tells, and to compare
// every prediction by its bits.
#pragma once

#include <memory>

#include "host_tools/live/target.h"

namespace taut::live {

// Throws a Failure where the board does not start.
[[nodiscard]] std::unique_ptr<Target> make_board_target(const TargetSpec& spec);

}  // namespace taut::live
