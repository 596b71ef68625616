// The command that needs a board: see commands.h for the others.
#pragma once

#include <CLI/CLI.hpp>

namespace taut::tool {

void add_rt_command(CLI::App& app);

}  // namespace taut::tool
