#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/drive_library.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

std::string title_of(const drive::DriveSpec& spec) {
  return {spec.name.data(), spec.name.size()};
}

nlohmann::ordered_json to_json(const std::string& name, const LoadedDrive& drive) {
  return {{"drive", name},
          {"name", title_of(drive.spec)},
          {"file", drive.file},
          {"links", drive.spec.chain.links},
          {"pitch_m", drive.spec.chain.pitch_m},
          {"sprockets", drive.spec.sprockets.size()},
          {"guide_bars", drive.spec.guide_bars.size()},
          {"speed_rpm", drive.spec.crank.speed_rpm}};
}

void run(bool json) {
  TextTable table({"drive", "links", "pitch mm", "sprockets", "guide-bars", "speed rpm", "name"});
  constexpr std::size_t kNameColumn = 6;
  table.left(0);
  table.left(kNameColumn);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string problems;
  for (const LibraryDrive& entry : library_drives()) {
    try {
      const LoadedDrive drive = load_drive({entry.file, {}});
      const drive::DriveSpec& spec = drive.spec;
      list.push_back(to_json(entry.name, drive));
      table.add({entry.name, std::to_string(spec.chain.links), general(spec.chain.pitch_m * 1000),
                 std::to_string(spec.sprockets.size()), std::to_string(spec.guide_bars.size()),
                 general(spec.crank.speed_rpm), title_of(spec)});
    } catch (const Failure& failure) {  // show the others first
      problems += std::string(problems.empty() ? "" : "\n") + failure.what();
    }
  }
  if (json) {
    std::cout << list.dump(2) << "\n";
  } else {
    std::cout << table.text("") << "\nlibrary: " << library_folder() << "\n";
  }
  if (!problems.empty()) {
    throw Failure(ExitCode::kWrongDrive, problems);
  }
}

}  // namespace

void add_drives_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("drives", "the drives of the library");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print JSON instead of a table");
  command->footer(
      "The library is the folder named in TAUT_DRIVES, else host_tools/drives of the\n"
      "source tree, else ../share/taut/drives beside the program.\n"
      "\n"
      "Examples:\n"
      "  taut drives\n"
      "  TAUT_DRIVES=~/drives taut drives --json");
  command->callback([json] { run(*json); });
}

}  // namespace taut::tool
