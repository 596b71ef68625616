// One value of TOML as a RawValue.
#pragma once

#include <toml++/toml.h>

#include "host_tools/taut/raw_drive.h"

namespace taut::tool {

[[nodiscard]] RawValue to_raw(const toml::node& node, Origin origin);

}  // namespace taut::tool
