#include "host_tools/taut/commands.h"

namespace taut::tool {

void add_drive_option(CLI::App& command, DriveRequest& request) {
  command
      .add_option("DRIVE", request.drive,
                  "name of a drive in the library (taut drives), or path of a drive file")
      ->required();
}

void add_set_option(CLI::App& command, DriveRequest& request) {
  command
      .add_option("--set", request.settings,
                  "replace one value of the file; may be repeated. Keys: taut keys")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_drive_options(CLI::App& command, DriveRequest& request) {
  add_drive_option(command, request);
  add_set_option(command, request);
}

}  // namespace taut::tool
