#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/rig/rig_error.h"
#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/progress.h"
#include "host_tools/taut/rig_options.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/twin_run.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::tool {
namespace {

struct TwinCommand {
  RigOptions rig;
  TwinRequest request;
  double duration_s = 20;
  bool json = false;
};

void run_twin_command(TwinCommand& command) {
  TwinRequest& request = command.request;
  request.rig = make_rig_spec(command.rig);
  request.ticks =
      static_cast<std::uint64_t>(std::llround(command.duration_s / roller_chain::kTick_s));
  const TwinReport report = [&] {
    Progress progress("taut twin", command.duration_s, "s");
    return run_twin(request, [&](double time_s) { progress.show(time_s); });
  }();
  if (command.json) {
    std::cout << to_json(request, report).dump(2) << "\n";
    return;
  }
  std::cout << to_text(request, report);
  for (const std::string& path : {request.files.log, request.files.csv}) {
    if (!path.empty()) {
      std::cout << "  written: " << path << "\n";
    }
  }
}

}  // namespace

void add_twin_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "twin", "a twin against the virtual bench: what it predicts, how true, how healthy");
  auto options = std::make_shared<TwinCommand>();
  options->request.model = kReducedModel;
  add_drive_option(*command, options->rig.rest.drive);
  add_rig_options(*command, options->rig);
  command
      ->add_option("--model", options->request.model,
                   "the twin's chain: reduced or roller (default reduced)")
      ->check(CLI::IsMember({kReducedModel, kRollerModel}));
  command
      ->add_option("--block", options->request.block,
                   "reduced: run from this file of taut reduce, not from a new reduction")
      ->type_name("FILE");
  command->add_option("--duration-s", options->duration_s, "how long it runs (default 20)")
      ->check(between(roller_chain::kTick_s, 1e5, "s"));
  command
      ->add_option("--log", options->request.files.log,
                   "record frames and predictions, for taut replay and taut convert")
      ->type_name("FILE");
  command
      ->add_option("--csv", options->request.files.csv,
                   "write measurements and predictions of every tick of 0.5 ms into this file")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print JSON instead of text");
  command->footer(
      "Examples:\n"
      "  taut twin 6s90mc-c\n"
      "  taut twin 6s90mc-c --start rest --duration-s 30 --log run.tautlog\n"
      "  taut twin 6s90mc-c --model roller --ideal\n"
      "  taut twin 6s90mc-c --faults faults.toml (see taut rig --help)\n"
      "  taut replay run.tautlog");
  command->callback([options] {
    try {
      run_twin_command(*options);
    } catch (const rig::RigError& error) {
      throw Failure(ExitCode::kNoSolution, error.what());
    }
  });
}

}  // namespace taut::tool
