#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/rig/rig_error.h"
#include "host_tools/taut/board_flash.h"
#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/rig_options.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

struct FlashCommand {
  RigOptions rig;
  std::string out;
  std::string block;
  bool begin_anew = false;
  bool json = false;
};

nlohmann::ordered_json to_json(const FlashCommand& command, const rig::RigSpec& spec,
                               const firmware::TwinBlock& block, const FlashWrite& write) {
  nlohmann::ordered_json json;
  json["name"] = spec.drive.name.c_str();
  json["file"] = command.out;
  json["is_new"] = write.is_new;
  json["block_bytes"] = sizeof block;
  json["version"] = block.header.version;
  json["drive_hash"] = hexadecimal(block.header.drive_hash, 16);
  json["crc"] = hexadecimal(block.header.crc, 8);
  json["calibration"] = {{"tagged_link", write.calibration.tagged_link},
                         {"gauge_is_placed", write.calibration.gauge_is_placed},
                         {"tagged_roller", write.calibration.tagged_roller},
                         {"elongation", write.calibration.elongation}};
  return json;
}

std::string to_text(const FlashCommand& command, const rig::RigSpec& spec,
                    const firmware::TwinBlock& block, const FlashWrite& write) {
  return std::string(spec.drive.name.c_str()) +
         ", for a board\n  block: " + std::to_string(sizeof block) + " bytes, format " +
         std::to_string(block.header.version) + ", drive " +
         hexadecimal(block.header.drive_hash, 16) + ", checksum " +
         hexadecimal(block.header.crc, 8) + "\n  calibration" +
         (write.is_new ? "" : ", as the board keeps it") + ": tagged link " +
         std::to_string(write.calibration.tagged_link) + ", tagged roller " +
         std::to_string(write.calibration.tagged_roller) + ", elongation " +
         rough(static_cast<double>(write.calibration.elongation)) + "\n  " +
         (write.is_new ? "written: " : "the older of two blocks replaced: ") + command.out + "\n";
}

void run(const FlashCommand& command) {
  const rig::RigSpec spec = make_rig_spec(command.rig);
  const auto block = make_twin_block(spec, command.block);
  const FlashWrite write = write_flash(command.out, *block, command.begin_anew);
  if (command.json) {
    std::cout << to_json(command, spec, *block, write).dump(2) << "\n";
  } else {
    std::cout << to_text(command, spec, *block, write);
  }
}

}  // namespace

void add_flash_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("flash", "the flash of an emulated board, which makes it a drive's twin");
  auto options = std::make_shared<FlashCommand>();
  add_drive_option(*command, options->rig.rest.drive);
  add_rig_options(*command, options->rig);
  command
      ->add_option(
          "-o,--out", options->out,
          "the file; one that is there gets the block in place of its older one, and keeps "
          "what the board has calibrated")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--block", options->block,
                   "take the chain from this file of taut reduce, not from a new reduction")
      ->type_name("FILE");
  command->add_flag("--new", options->begin_anew,
                    "begin the file anew: forgets what was calibrated, and which drive it was for");
  command->add_flag("--json", options->json, "print JSON instead of text");
  command->footer(
      "Of the virtual bench only its sensors count: what the twin is to know of them.\n"
      "How an emulated board is started with it: boards/mps2/README.md.\n"
      "Examples:\n"
      "  taut flash 6s90mc-c -o board.flash\n"
      "  taut flash 6s90mc-c --block 6s90mc-c.tautblock -o board.flash\n"
      "  taut flash 6l60mc -o board.flash --new");
  command->callback([options] {
    try {
      run(*options);
    } catch (const rig::RigError& error) {
      throw Failure(ExitCode::kNoSolution, error.what());
    }
  });
}

}  // namespace taut::tool
