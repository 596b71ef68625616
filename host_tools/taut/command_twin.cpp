#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

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

constexpr const char* kRig = "rig";
constexpr double kRigDuration_s = 20;

struct TwinCommand {
  RigOptions rig;
  TwinRequest request;
  std::string against = kRig;
  std::optional<double> duration_s;
  bool json = false;
};

void set_against(const CLI::App& app, TwinCommand& command) {
  TwinRequest& request = command.request;
  if (command.against == kRig) {
    command.duration_s = command.duration_s.value_or(kRigDuration_s);
    return;
  }
  request.against = command.against;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == kRigGroup && option->count() > 0) {
      throw Failure(ExitCode::kWrongUse, option->get_name() +
                                             ": says what the rig does; leave it "
                                             "out with --against " +
                                             command.against);
    }
  }
  for (const std::string& path : {request.files.log, request.files.csv}) {
    std::error_code error;
    if (!path.empty() && std::filesystem::equivalent(path, request.against, error)) {
      throw Failure(ExitCode::kWrongUse,
                    path + ": is the log that is read; write into another file");
    }
  }
}

void run_twin_command(const CLI::App& app, TwinCommand& command) {
  TwinRequest& request = command.request;
  set_against(app, command);
  request.rig = make_rig_spec(command.rig);
  if (command.duration_s) {
    request.ticks =
        static_cast<std::uint64_t>(std::llround(*command.duration_s / roller_chain::kTick_s));
  }
  const TwinReport report = [&] {
    Progress progress("taut twin", command.duration_s.value_or(0), "s");
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
      "twin", "a twin against the virtual bench or a log: what it predicts, how true, how healthy");
  auto options = std::make_shared<TwinCommand>();
  options->request.model = kReducedModel;
  add_drive_option(*command, options->rig.rest.drive);
  add_rig_options(*command, options->rig);
  command
      ->add_option("--model", options->request.model,
                   "the twin's chain: reduced, implicit or roller (default reduced)")
      ->check(CLI::IsMember(chain_names()));
  command
      ->add_option("--block", options->request.block,
                   "reduced: run from this file of taut reduce, not from a new reduction")
      ->type_name("FILE");
  command
      ->add_option(
          "--against", options->against,
          "rig: the virtual bench; else a file of taut twin --log, whose frames it runs on "
          "(default rig)")
      ->type_name("rig|LOG");
  command
      ->add_option("--duration-s", options->duration_s,
                   "how long it runs (default 20; of a log, all of it)")
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
      "  taut twin 6s90mc-c --against run.tautlog --model roller\n"
      "  taut replay run.tautlog");
  command->callback([command, options] {
    try {
      run_twin_command(*command, *options);
    } catch (const rig::RigError& error) {
      throw Failure(ExitCode::kNoSolution, error.what());
    }
  });
}

}  // namespace taut::tool
