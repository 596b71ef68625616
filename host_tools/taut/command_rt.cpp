#include "host_tools/taut/command_rt.h"

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "boards/linux_pc/xcp_udp.h"
#include "host_tools/rig/rig_error.h"
#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/rig_options.h"
#include "host_tools/taut/rt_run.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/twin_machine.h"

namespace taut::tool {
namespace {

struct RtCommand {
  RigOptions rig;
  RtRequest request;
  bool json = false;
};

void run_rt_command(RtCommand& command) {
  RtRequest& request = command.request;
  if ((request.source == kLogSource) != !request.from_log.empty()) {
    throw Failure(ExitCode::kWrongUse, "--source log and --from FILE belong together");
  }
  request.rig = make_rig_spec(command.rig);
  const RtReport report = run_rt(request);
  if (command.json) {
    std::cout << to_json(request, report).dump(2) << "\n";
  } else {
    std::cout << to_text(request, report);
  }
}

void add_source_options(CLI::App& command, RtRequest& request) {
  command
      .add_option("--source", request.source,
                  "frames from the virtual bench in this process, from a log of taut twin, or by "
                  "XCP stimulation (default rig)")
      ->check(CLI::IsMember({kRigSource, kLogSource, kXcpSource}));
  command.add_option("--from", request.from_log, "the log that is the source")->type_name("FILE");
  command
      .add_option("--xcp-address", request.address,
                  "where XCP listens (default: this machine only)")
      ->type_name("IPV4");
  command.add_option("--xcp-port", request.port, "port of it; 0: any (default 5555)");
  command
      .add_option("--xcp-secret", request.secret,
                  "file with the secret that unlocks calibration and stimulation, 64 hexadecimal "
                  "digits; without it both stay locked")
      ->type_name("FILE");
}

}  // namespace

void add_rt_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("rt", "the firmware in real time on this PC, every roller of the chain");
  auto options = std::make_shared<RtCommand>();
  RtRequest& request = options->request;
  request.model = kRollerModel;
  request.source = kRigSource;
  request.duration_s = 20;
  request.address = board::kXcpAddress;
  request.port = board::kXcpPort;
  request.core = static_cast<int>(std::thread::hardware_concurrency()) - 1;
  add_drive_option(*command, options->rig.rest.drive);
  add_rig_options(*command, options->rig);
  add_source_options(*command, request);
  command
      ->add_option("--model", request.model,
                   "the twin's chain: roller, implicit or reduced (default roller)")
      ->check(CLI::IsMember(chain_names()));
  command
      ->add_option("--block", request.block,
                   "reduced: run from this file of taut reduce, not from a new reduction")
      ->type_name("FILE");
  command->add_option("--duration-s", request.duration_s, "how long it runs (default 20)")
      ->check(between(signal::kTick_s, 1e6, "s"));
  command
      ->add_option("--core", request.core, "pin ticks to this core; -1: none (default: the last)")
      ->check(whole_between(-1, 1023));
  command->add_flag("--best-effort", request.best_effort,
                    "go on where the system grants no real time");
  command->add_flag("--cyclictest", request.cyclictest,
                    "run cyclictest (Debian package rt-tests) right after it, for as long");
  command
      ->add_option("--log", request.log,
                   "record frames and predictions, for taut replay and taut convert")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print JSON instead of text");
  command->footer(
      "Examples:\n"
      "  taut rt 6s90mc-c --duration-s 30 --cyclictest\n"
      "  taut rt 6s90mc-c --source log --from run.tautlog\n"
      "  taut rt 6s90mc-c --source xcp --xcp-secret secret.txt\n"
      "  taut rt 6s90mc-c --best-effort --log run.tautlog && taut replay run.tautlog");
  command->callback([options] {
    try {
      run_rt_command(*options);
    } catch (const rig::RigError& error) {
      throw Failure(ExitCode::kNoSolution, error.what());
    }
  });
}

}  // namespace taut::tool
