// Writes a file whole or not at all: to a name beside it first, then renamed.
#pragma once

#include <string>

namespace taut::tool {

// Throws a Failure (kWrongUse) if it cannot be written; leaves what was there before.
void write_file(const std::string& path, const std::string& contents);

}  // namespace taut::tool
