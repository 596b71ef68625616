// The subcommands of taut, one file each. To add one: write command_<name>.cpp with a
// function that adds itself to the app, declare it here and call it in main.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "host_tools/taut/drive_file.h"

namespace taut::tool {

void add_a2l_command(CLI::App& app);
void add_bridge_command(CLI::App& app);
void add_check_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_drives_command(CLI::App& app);
void add_faults_command(CLI::App& app);
void add_flash_command(CLI::App& app);
void add_keys_command(CLI::App& app);
void add_live_command(CLI::App& app);
void add_modes_command(CLI::App& app);
void add_reduce_command(CLI::App& app);
void add_replay_command(CLI::App& app);
void add_retighten_command(CLI::App& app);
void add_rig_command(CLI::App& app);
void add_run_command(CLI::App& app);
void add_statics_command(CLI::App& app);
void add_sweep_command(CLI::App& app);
void add_twin_command(CLI::App& app);
void add_validate_command(CLI::App& app);

// The positional DRIVE and the repeatable --set, the same for every command.
void add_drive_option(CLI::App& command, DriveRequest& request);
void add_set_option(CLI::App& command, DriveRequest& request);
void add_drive_options(CLI::App& command, DriveRequest& request);  // both

}  // namespace taut::tool
