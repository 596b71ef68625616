#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/output_file.h"
#include "host_tools/taut/sweep_report.h"

namespace taut::tool {
namespace {

// Opened before the runs: no hour of computing for a wrong path.
std::unique_ptr<OutputFile> open(const std::string& path) {
  return path.empty() ? nullptr : std::make_unique<OutputFile>(path);
}

void write(OutputFile& file, const std::string& contents) {
  file.write(contents);
  file.commit();
}

// Said last, after what the others have found; the code is that of the first.
void report_failures(const SweepReport& report) {
  constexpr std::size_t kMostShown = 10;
  std::string text;
  std::size_t failed = 0;
  std::optional<ExitCode> code;
  for (std::size_t run = 0; run < report.batch.outcomes.size(); ++run) {
    const std::optional<Failure>& failure = report.batch.outcomes[run].failure;
    if (failure && ++failed <= kMostShown) {
      code = code.value_or(failure->code());
      text += (failed > 1 ? "\n" : "") + report.sweep.name_of(run) + ": " + failure->what();
    }
  }
  if (failed > kMostShown) {
    text += "\n" + std::to_string(failed - kMostShown) + " more have failed; all: --csv, --json";
  }
  if (code) {
    throw Failure(*code, text);
  }
}

void print(const SweepReport& report, const SweepOptions& options) {
  if (options.run.json) {
    std::cout << to_json(report).dump(2) << "\n";
    return;
  }
  std::cout << to_text(report);
  if (!options.csv.empty()) {
    std::cout << "  all statistics: " << options.csv << ", " << report.batch.outcomes.size()
              << " rows\n";
  }
  if (!options.plot.empty()) {
    std::cout << "  picture: " << options.plot << "\n";
  }
}

void run(SweepOptions& options, CLI::App& command) {
  if (!options.csv.empty() && options.csv == options.plot) {
    throw Failure(ExitCode::kWrongUse,
                  "--csv, --plot: both write " + options.csv + "; choose two paths");
  }
  const Sweep sweep = make_sweep(options, command);
  if (!options.plot.empty()) {
    check_plot(sweep);
  }
  const int workers = workers_for(options.jobs, sweep.requests);
  const std::unique_ptr<OutputFile> csv = open(options.csv);
  const std::unique_ptr<OutputFile> plot = open(options.plot);
  const BatchResult batch = run_batch(sweep.requests, workers, "taut sweep");
  const SweepReport report{sweep, batch};
  if (csv) {
    write(*csv, to_csv(report));
  }
  if (plot) {
    write(*plot, draw_sweep(report));
  }
  print(report, options);
  report_failures(report);
}

}  // namespace

void add_sweep_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "sweep", "many runs at once: all values of what is swept, on all cores; resonance curves");
  auto options = std::make_shared<SweepOptions>();
  add_sweep_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  taut sweep 6s90mc-c --over speed-rpm=60:90:2 --order 6 --accel-amplitude 2 \\\n"
      "    --plot curve.svg\n"
      "  taut sweep 6s90mc-c --over speed-rpm=60:90:2 --over accel-amplitude=2,3,5 --order 6 \\\n"
      "    --csv all.csv --jobs 8\n"
      "  taut sweep 6s90mc-c 6l60mc --over chain.joint_damping_N_m_s=0.5,5 --duration-s 5\n"
      "  taut sweep 6s90mc-c --over tightener=fixed,arm --over bars=on,off --json");
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace taut::tool
