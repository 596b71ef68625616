#include <cmath>
#include <iostream>
#include <memory>

#include "host_tools/rig/rig_error.h"
#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/progress.h"
#include "host_tools/taut/rig_csv.h"
#include "host_tools/taut/rig_options.h"
#include "host_tools/taut/rig_summary.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/text.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::tool {
namespace {

struct RigCommand {
  RigOptions options;
  double duration_s = 10;
  std::string csv;
  bool json = false;
};

void run_rig(const RigCommand& command) {
  const rig::RigSpec spec = make_rig_spec(command.options);
  std::unique_ptr<RigCsv> csv;  // opened first: no computing for a wrong path
  if (!command.csv.empty()) {
    csv = std::make_unique<RigCsv>(command.csv, spec.drive.sprockets.size());
  }
  rig::Rig rig(spec);
  const auto ticks =
      static_cast<std::uint64_t>(std::llround(command.duration_s / roller_chain::kTick_s));
  RigSummary summary(ticks);
  {
    Progress progress("taut rig", command.duration_s, "s");
    for (std::uint64_t i = 0; i < ticks; ++i) {
      const rig::Rig::Tick& tick = rig.advance();
      summary.add(tick);
      if (csv) {
        csv->add(tick);
      }
      progress.show(rig.time_s());
    }
  }
  if (csv) {
    csv->commit();
  }
  if (command.json) {
    std::cout << summary.json(spec, rig).dump(2) << "\n";
    return;
  }
  std::cout << summary.text(spec, rig);
  if (csv) {
    std::cout << "  readings and truth: " << csv->path() << ", " << csv->rows() << " rows\n";
  }
}

}  // namespace

void add_rig_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "rig", "a virtual engine bench: what sensors would tell a twin, with faults, and the truth");
  auto options = std::make_shared<RigCommand>();
  add_drive_option(*command, options->options.rest.drive);
  add_rig_options(*command, options->options);
  command->add_option("--duration-s", options->duration_s, "how long it runs (default 10)")
      ->check(between(roller_chain::kTick_s, 1e5, "s"));
  command
      ->add_option("--csv", options->csv,
                   "write raw readings and truth of every tick of 0.5 ms into this file")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print JSON instead of text");
  command->footer("Sensors: " + joined(rig::sensor_names()) + "\nFaults: " +
                  joined(rig::fault_names()) + "\nDamages: " + joined(rig::damage_names()) +
                  "\n\n"
                  "Examples:\n"
                  "  taut rig 6s90mc-c --csv bench.csv\n"
                  "  taut rig 6s90mc-c --speed-rpm 70 --start rest --duration-s 15 --seed 7\n"
                  "  taut rig 6s90mc-c --order 6 --accel-amplitude 7 --ideal\n"
                  "  taut rig 6s90mc-c --faults faults.toml --csv bench.csv, with in faults.toml:\n"
                  "    [[fault]]\n"
                  "    sensor = \"link_force\"\n"
                  "    kind = \"offset\"\n"
                  "    size = 5000\n"
                  "    at_s = 4\n"
                  "    until_s = 6\n"
                  "    [[damage]]\n"
                  "    kind = \"cracked_link\"\n"
                  "    number = 20\n"
                  "    size = 0.3\n"
                  "    at_s = 7");
  command->callback([options] {
    try {
      run_rig(*options);
    } catch (const rig::RigError& error) {
      throw Failure(ExitCode::kNoSolution, error.what());
    }
  });
}

}  // namespace taut::tool
