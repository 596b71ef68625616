#include "host_tools/taut/resting_drive.h"

#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"

namespace taut::tool {

void add_rest_options(CLI::App& command, RestRequest& request) {
  add_drive_option(command, request.drive);
  add_rest_settings(command, request);
}

void add_rest_settings(CLI::App& command, RestRequest& request) {
  add_set_option(command, request.drive);
  command
      .add_option("--tightener", request.tightener,
                  "fixed: its sprocket stands where it is drawn; arm: it hangs on the weight-arm; "
                  "hydraulic: with a hydraulic unit on it (default: as the drive says)")
      ->check(CLI::IsMember({"fixed", "arm", "hydraulic"}));
  command.add_option("--bars", request.bars, "off: the drive without its guide-bars (default on)")
      ->check(CLI::IsMember({"on", "off"}));
}

drive::DriveSpec load_spec(const RestRequest& request) {
  DriveRequest with_kind = request.drive;
  if (!request.tightener.empty()) {
    with_kind.settings.push_back("tightener.kind=" + request.tightener);
  }
  drive::DriveSpec spec = load_drive(with_kind).spec;
  if (request.bars == "off") {
    spec.guide_bars.clear();
  }
  return spec;
}

RestingDrive rest_drive(const drive::DriveSpec& spec, const roller_chain::StaticsOptions& options) {
  RestingDrive resting;
  if (!make_drive_model(spec, resting.model)) {  // validate() has seen to it
    throw Failure(ExitCode::kWrongDrive, std::string(spec.name.c_str()) + ": has no geometry");
  }
  resting.rest = roller_chain::find_equilibrium(resting.model, options);
  if (!resting.rest.found) {
    throw Failure(ExitCode::kNoSolution,
                  std::string(spec.name.c_str()) + ": found no rest in " +
                      std::to_string(resting.rest.steps) + " steps; unbalanced force " +
                      rough(resting.rest.residual_N) +
                      " N. Loads may be more than the teeth can hold, or the chain too slack: "
                      "lower sprocket load torques, or tighten (taut retighten)");
  }
  resting.report = roller_chain::report(resting.model, resting.rest);
  return resting;
}

void make_implicit_chain(const RestingDrive& resting, implicit_chain::ImplicitModel& model) {
  const char* left_out =
      implicit_chain::make_implicit_model(resting.model, resting.rest.at, {}, model);
  if (left_out != nullptr) {
    throw Failure(ExitCode::kNoSolution, std::string(resting.model.spec.name.c_str()) + ": has " +
                                             left_out +
                                             ", which the implicit model leaves out; take --model "
                                             "roller");
  }
}

}  // namespace taut::tool
