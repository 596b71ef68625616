#include <iostream>
#include <memory>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/raw_drive.h"
#include "host_tools/taut/schema.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

std::string range(const KeyInfo& key) {
  return key.choices.empty() ? general(key.lowest) + " to " + general(key.highest)
                             : joined(key.choices, " | ");
}

void print(const SectionInfo& section) {
  std::cout << section.title();
  if (section.repeated()) {
    std::cout << "  up to " << section.capacity << " of them";
  }
  std::cout << "\n";
  TextTable table({"key", "unit", "allowed", "if absent", "meaning"});
  for (const std::size_t words : {0U, 1U, 2U, 3U, 4U}) {
    table.left(words);
  }
  for (const KeyInfo& key : section.keys) {
    table.add({key.key, key.unit.empty() ? "-" : key.unit, range(key),
               key.required ? "(required)" : written(key, key.standard), key.help});
  }
  std::cout << table.text() << "\n";
}

void run(const std::string& only) {
  if (!only.empty()) {
    const SectionInfo* section = find_section(only);
    if (section == nullptr) {
      throw Failure(ExitCode::kWrongUse,
                    only + ": unknown section; " + suggestion(only, section_names()));
    }
    print(*section);
    return;
  }
  std::cout << "A drive file is TOML: name = \"...\", then these sections. SI units, as the\n"
               "keys say. --set writes a key as section.key, of a list as section[1].key.\n\n";
  for (const SectionInfo& section : schema()) {
    print(section);
  }
}

}  // namespace

void add_keys_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("keys", "every key of a drive file: unit, range, meaning");
  auto section = std::make_shared<std::string>();
  command->add_option("SECTION", *section, "only this section");
  command->footer(
      "Examples:\n"
      "  taut keys\n"
      "  taut keys sprocket");
  command->callback([section] { run(*section); });
}

}  // namespace taut::tool
