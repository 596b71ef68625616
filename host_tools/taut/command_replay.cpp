#include <iostream>
#include <memory>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/twin_run.h"

namespace taut::tool {
namespace {

void run_replay(const std::string& path) {
  const ReplayReport report = replay(path);
  if (report.first_different) {
    throw Failure(ExitCode::kNoSolution,
                  path + ": row " + std::to_string(report.first_different->row + 1) + " of " +
                      std::to_string(report.rows) + ": " + report.first_different->text +
                      "; replay it with the program that wrote it");
  }
  std::cout << path << ": " << report.rows << " ticks, every prediction the same to the bit"
            << (report.is_whole ? "" : "; the log is cut off after them") << "\n";
}

}  // namespace

void add_replay_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "replay", "runs a twin's log again and compares every prediction, bit for bit");
  auto path = std::make_shared<std::string>();
  command->add_option("LOG", *path, "file of taut twin --log")->required()->type_name("");
  command->callback([path] { run_replay(*path); });
}

}  // namespace taut::tool
