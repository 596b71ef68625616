#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/taut/chain_run.h"
#include "host_tools/taut/commands.h"
#include "host_tools/taut/progress.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/run_report.h"
#include "sim_core/roller_chain/outputs.h"

namespace taut::tool {
namespace {

RunResult run_with_progress(const RunRequest& request, TableCsv* csv) {
  const RunStart start = start_of(request);
  Progress progress("taut run", request.duration_s(), "s");
  return run_chain(request, start, csv, [&](double time_s) { progress.show(time_s); });
}

void run(const RunOptions& options) {
  AccelerationFiles files;
  const RunRequest request = make_run_request(options, files);
  std::unique_ptr<TableCsv> csv;  // opened first: no hour of computing for a wrong path
  if (!request.out.empty()) {
    csv = std::make_unique<TableCsv>(request.out,
                                     std::vector<Columns>{{roller_chain::output_entries(), ""}},
                                     request.spec.sprockets.size());
  }
  const RunResult result = run_with_progress(request, csv.get());
  if (csv) {
    csv->commit();
  }
  if (options.json) {
    std::cout << to_json(request, result).dump(2) << "\n";
    return;
  }
  std::cout << to_text(request, result);
  if (csv) {
    std::cout << "  outputs over time: " << csv->path() << ", " << csv->rows() << " rows\n";
  }
}

}  // namespace

void add_run_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "run", "the drive in motion: tensions, tooth forces, tightener, spectra, powers");
  auto options = std::make_shared<RunOptions>();
  add_drive_option(*command, options->rest.drive);
  add_run_options(*command, *options);
  add_block_option(*command, *options);
  add_outputs_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  taut run 6s90mc-c\n"
      "  taut run 6s90mc-c --order 6 --accel-amplitude 7 --bars off --tightener fixed\n"
      "  taut run 6s90mc-c --accel-table measured.csv --start rest --duration-s 20 --out run.csv\n"
      "  taut run 6s90mc-c --model reduced --order 6 --accel-amplitude 7\n"
      "  taut run 6l60mc --profile circular --duration-s 3 --step-us 20 --json");
  command->callback([options] { run(*options); });
}

}  // namespace taut::tool
