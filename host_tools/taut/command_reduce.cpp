#include <array>
#include <cstring>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/output_file.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/reduction.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

struct ReduceOptions {
  RestRequest request;
  std::string out;
  std::string cpp;
  bool json = false;
};

std::string_view bytes_of(const reduced_chain::Block& block) {
  return {reinterpret_cast<const char*>(&block), sizeof block};
}

// Words of eight bytes, since a block must begin at a multiple of eight.
std::string cpp_of(const drive::DriveSpec& spec, const reduced_chain::Block& block) {
  std::array<std::uint64_t, sizeof(block) / sizeof(std::uint64_t)> words{};
  static_assert(sizeof words == sizeof block);
  std::memcpy(words.data(), &block, sizeof block);
  constexpr std::size_t kInARow = 4;
  std::string text = "// Written by taut reduce: the reduced chain of " +
                     std::string(spec.name.c_str()) + ", for read_block()\n" +
                     "// (sim_core/reduced_chain/block.h) as bytes. Not for editing.\n" +
                     "#pragma once\n\n#include <cstdint>\n\nnamespace taut::blocks {\n\n" +
                     "inline constexpr std::uint64_t kBlock[] = {";
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i % kInARow == 0 ? "\n    0x" : " 0x") + hexadecimal(words[i], 16) + ",";
  }
  return text + "\n};\n\n}  // namespace taut::blocks\n";
}

std::size_t bar_points(const reduced_chain::ReducedModel& model) {
  std::size_t points = 0;
  for (std::uint32_t i = 0; i < model.bars; ++i) {
    points += model.bar[i].points;
  }
  return points;
}

nlohmann::ordered_json to_json(const drive::DriveSpec& spec, const Reduction& reduction,
                               const ReduceOptions& options) {
  const reduced_chain::Block& block = reduction.block;
  nlohmann::ordered_json json;
  json["name"] = spec.name.c_str();
  json["file"] =
      options.out.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(options.out);
  json["block_bytes"] = sizeof block;
  json["state_bytes"] = sizeof(reduced_chain::ReducedState);
  json["scratch_bytes"] = sizeof(reduced_chain::ReducedScratch);
  json["version"] = block.header.version;
  json["drive_hash"] = hexadecimal(block.header.drive_hash, 16);
  json["crc"] = hexadecimal(block.header.crc, 8);
  json["sprockets"] = block.model.sprockets;
  json["modes"] = nlohmann::ordered_json::array();
  for (std::uint32_t s = 0; s < block.model.sprockets; ++s) {
    json["modes"].push_back(block.model.strand[s].modes);
  }
  json["bar_points"] = bar_points(block.model);
  json["at_rest"] = tool::to_json(reduction.rest);
  json["warnings"] = reduction.warnings;
  return json;
}

std::string to_text(const drive::DriveSpec& spec, const Reduction& reduction) {
  const reduced_chain::Block& block = reduction.block;
  std::vector<std::string> modes;
  for (std::uint32_t s = 0; s < block.model.sprockets; ++s) {
    modes.push_back(std::to_string(block.model.strand[s].modes));
  }
  std::string text =
      std::string(spec.name.c_str()) + ", reduced\n\n" + tool::to_text(reduction.rest, "reduced") +
      "\n  block: " + std::to_string(sizeof block) + " bytes, format " +
      std::to_string(block.header.version) + ", drive " + hexadecimal(block.header.drive_hash, 16) +
      ", checksum " + hexadecimal(block.header.crc, 8) + "\n  memory of a run: state " +
      std::to_string(sizeof(reduced_chain::ReducedState)) + " bytes, scratch " +
      std::to_string(sizeof(reduced_chain::ReducedScratch)) +
      " bytes\n  modes of strands: " + joined(modes) +
      "; points on guide-bars: " + std::to_string(bar_points(block.model)) + "\n";
  for (const std::string& warning : reduction.warnings) {
    text += "  caution: " + warning + "\n";
  }
  return text;
}

void run(const ReduceOptions& options) {
  if (!options.out.empty() && options.out == options.cpp) {
    throw Failure(ExitCode::kWrongUse,
                  "--out, --cpp: both write " + options.out + "; choose two paths");
  }
  const drive::DriveSpec spec = load_spec(options.request);
  const std::shared_ptr<const Reduction> reduction = reduce_drive(spec);
  if (!options.out.empty()) {
    write_file(options.out, std::string(bytes_of(reduction->block)));
  }
  if (!options.cpp.empty()) {
    write_file(options.cpp, cpp_of(spec, reduction->block));
  }
  if (options.json) {
    std::cout << to_json(spec, *reduction, options).dump(2) << "\n";
    return;
  }
  std::cout << to_text(spec, *reduction);
  for (const std::string& path : {options.out, options.cpp}) {
    if (!path.empty()) {
      std::cout << "  written: " << path << "\n";
    }
  }
}

}  // namespace

void add_reduce_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "reduce", "the reduced model of a drive, as a block for a microcontroller");
  auto options = std::make_shared<ReduceOptions>();
  add_rest_options(*command, options->request);
  command->add_option("-o,--out", options->out, "write the block into this file")
      ->type_name("FILE");
  command
      ->add_option("--cpp", options->cpp,
                   "write it as a C++ header, to be compiled in: taut::blocks::kBlock")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print JSON instead of tables");
  command->footer(
      "Examples:\n"
      "  taut reduce 6s90mc-c -o 6s90mc-c.tautblock\n"
      "  taut run 6s90mc-c --model reduced --block 6s90mc-c.tautblock\n"
      "  taut reduce 6s90mc-c --tightener fixed --cpp fixed_block.h");
  command->callback([options] { run(*options); });
}

}  // namespace taut::tool
