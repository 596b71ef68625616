// A twin's run as a page with charts: what was predicted beside what was measured or true.
#pragma once

#include <string>

#include "host_tools/taut/twin_record.h"

namespace taut::tool {

// SVG. The last seconds of link force and tightener, and the crank's speed all along.
[[nodiscard]] std::string plot_twin(const std::string& title, const TwinTraces& traces);

}  // namespace taut::tool
