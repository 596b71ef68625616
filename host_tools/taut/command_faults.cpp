#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/rig/rig_error.h"
#include "host_tools/taut/commands.h"
#include "host_tools/taut/fault_matrix.h"
#include "host_tools/taut/output_file.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/rig_options.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/twin_machine.h"
#include "host_tools/taut/work_sharing.h"

namespace taut::tool {
namespace {

struct FaultsCommand {
  RigOptions rig;
  FaultMatrixRequest request;
  std::vector<std::string> sensors;
  std::vector<std::string> kinds;
  std::string csv;
  bool json = false;
};

// As named, in the order of the rig's table; all where none is named.
template <typename Enum>
std::vector<Enum> chosen(const std::vector<std::string>& named,
                         const std::vector<std::string>& names) {
  std::vector<Enum> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (named.empty() || std::find(named.begin(), named.end(), names[i]) != named.end()) {
      found.push_back(static_cast<Enum>(i));
    }
  }
  return found;
}

void run_faults(FaultsCommand& command) {
  FaultMatrixRequest& request = command.request;
  if (!command.rig.faults.empty()) {
    throw Failure(ExitCode::kWrongUse,
                  "--faults " + command.rig.faults +
                      ": faults are tried one by one here; for those of a file use taut twin");
  }
  request.rig = make_rig_spec(command.rig);
  request.sensors = chosen<rig::Sensor>(command.sensors, rig::sensor_names());
  request.kinds = chosen<rig::FaultKind>(command.kinds, rig::fault_names());
  // Opened before the runs: no hour of computing for a wrong path.
  const auto csv = command.csv.empty() ? nullptr : std::make_unique<OutputFile>(command.csv);
  const FaultMatrix matrix = run_fault_matrix(request);
  if (csv) {
    csv->write(to_csv(matrix));
    csv->commit();
  }
  if (command.json) {
    std::cout << to_json(request, matrix).dump(2) << "\n";
  } else {
    std::cout << to_text(request, matrix);
  }
  if (matrix.wrong() > 0) {
    throw Failure(ExitCode::kCheckFailed,
                  std::to_string(matrix.wrong()) + " of " + std::to_string(matrix.outcomes.size()) +
                      " faults made predictions wrong, or no numbers, with a health of valid");
  }
}

}  // namespace

void add_faults_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "faults", "every fault of every sensor on a twin: is it noticed, is it told, does it pass");
  auto options = std::make_shared<FaultsCommand>();
  FaultMatrixRequest& request = options->request;
  request.model = kReducedModel;
  add_drive_option(*command, options->rig.rest.drive);
  add_rig_options(*command, options->rig);
  command
      ->add_option("--model", request.model,
                   "the twin's chain: reduced, implicit or roller (default reduced)")
      ->check(CLI::IsMember(chain_names()));
  command
      ->add_option("--block", request.block,
                   "reduced: run from this file of taut reduce, not from a new reduction")
      ->type_name("FILE");
  command->add_option("--sensor", options->sensors, "only faults of this one; may be repeated")
      ->check(CLI::IsMember(rig::sensor_names()));
  command->add_option("--kind", options->kinds, "only this kind of fault; may be repeated")
      ->check(CLI::IsMember(rig::fault_names()));
  command
      ->add_option("--phases", request.phases,
                   "how many begins of each fault, spread over a turn of the crank (default 20)")
      ->check(whole_between(1, 1000));
  command
      ->add_option("--size-factor", request.size_factor,
                   "of the faults; 1: offsets as large as the signal itself (default 1)")
      ->type_name("FACTOR")
      ->check(between(1e-3, 1e3, ""));
  command->add_option("--fault-s", request.fault_s, "how long each fault lasts (default 2)")
      ->check(between(0.01, 1000, "s"));
  command->add_option("--watch-s", request.watch_s, "how long it is watched after (default 8)")
      ->check(between(0.5, 1000, "s"));
  command->add_option("--jobs", request.jobs, "faults tried at once (default: as many as cores)")
      ->type_name("N")
      ->check(whole_between(1, kMostJobs));
  command->add_option("--csv", options->csv, "write a row a case into this file")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print JSON instead of text");
  command->footer(
      "Exit code 4 where a prediction was wrong, or no number, and its health said valid.\n"
      "Examples:\n"
      "  taut faults 6s90mc-c --csv faults.csv\n"
      "  taut faults 6s90mc-c --sensor crank_acceleration --kind offset --size-factor 0.3\n"
      "  taut faults 6s90mc-c --model roller --phases 2");
  command->callback([options] {
    try {
      run_faults(*options);
    } catch (const rig::RigError& error) {
      throw Failure(ExitCode::kNoSolution, error.what());
    }
  });
}

}  // namespace taut::tool
