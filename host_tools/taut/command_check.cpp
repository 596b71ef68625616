#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/drawing.h"
#include "host_tools/taut/output_file.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/summary.h"
#include "sim_core/drive/geometry.h"

namespace taut::tool {
namespace {

struct CheckOptions {
  DriveRequest request;
  std::string svg;
  bool json = false;
};

void run(const CheckOptions& options) {
  const LoadedDrive loaded = load_drive(options.request);
  drive::Geometry geometry;
  if (!drive::make_geometry(loaded.spec, geometry).possible) {  // validate() has seen to it
    throw Failure(ExitCode::kWrongDrive, loaded.file + ": has no geometry");
  }
  if (!options.svg.empty()) {
    drive::Placement placement;
    drive::place(loaded.spec, geometry, 0, placement);
    write_file(options.svg, draw_drive(loaded.spec, geometry, placement));
  }
  const DriveSummary summary = summarise(loaded.spec, geometry);
  if (options.json) {
    std::cout << to_json(loaded.spec, summary).dump(2) << "\n";
    return;
  }
  std::cout << to_text(loaded.spec, summary);
  if (!options.svg.empty()) {
    std::cout << "\n  drawing: " << options.svg << "\n";
  }
}

}  // namespace

void add_check_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("check", "check a drive, print what follows from it, draw it");
  auto options = std::make_shared<CheckOptions>();
  add_drive_options(*command, options->request);
  command->add_option("--svg", options->svg, "draw the drive to scale into this file")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print JSON instead of tables");
  command->footer(
      "Examples:\n"
      "  taut check 6l60mc\n"
      "  taut check my_drive.toml --svg my_drive.svg\n"
      "  taut check 6s90mc-c --set guide_bar[1].indentation_m=0.003 --json");
  command->callback([options] { run(*options); });
}

}  // namespace taut::tool
