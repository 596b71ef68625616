#include <iostream>
#include <memory>

#include "host_tools/taut/a2l.h"
#include "host_tools/taut/commands.h"
#include "host_tools/taut/output_file.h"

namespace taut::tool {
namespace {

void run_a2l(const std::string& path) {
  if (path.empty()) {
    std::cout << make_a2l();
    return;
  }
  OutputFile file(path);
  file.write(make_a2l());
  file.commit();
}

}  // namespace

void add_a2l_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "a2l", "describes every quantity for a tool that speaks XCP; the same for all targets");
  auto path = std::make_shared<std::string>();
  command->add_option("-o,--out", *path, "file to write; else the standard output")
      ->type_name("FILE");
  command->callback([path] { run_a2l(*path); });
}

}  // namespace taut::tool
