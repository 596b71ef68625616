#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/output_file.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/validation.h"

namespace taut::tool {
namespace {

// Said last, after what the others have found; the code is that of the first.
void report_failures(const Validation& validation) {
  std::string text;
  std::optional<ExitCode> code;
  for (const PointComparison& point : validation.points) {
    if (point.failure) {
      code = code.value_or(point.failure->code());
      text += (text.empty() ? "" : "\n") + point.point.name() + ": " + point.failure->what();
    }
  }
  if (code) {
    throw Failure(*code, text);
  }
}

void run(const ValidateOptions& options) {
  if (!options.csv.empty() && options.csv == options.plot) {
    throw Failure(ExitCode::kWrongUse,
                  "--csv, --plot: both write " + options.csv + "; choose two paths");
  }
  // Opened before the runs: no hour of computing for a wrong path.
  const auto open = [](const std::string& path) {
    return path.empty() ? nullptr : std::make_unique<OutputFile>(path);
  };
  const std::unique_ptr<OutputFile> csv = open(options.csv);
  const std::unique_ptr<OutputFile> plot = open(options.plot);
  const Validation validation = validate_drive(options);
  if (csv) {
    csv->write(to_csv(validation));
    csv->commit();
  }
  if (plot) {
    plot->write(draw_validation(validation));
    plot->commit();
  }
  if (options.json) {
    std::cout << to_json(validation).dump(2) << "\n";
  } else {
    std::cout << to_text(validation);
  }
  report_failures(validation);
}

}  // namespace

void add_validate_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "validate", "models for microcontrollers against the full one: errors over a map of running");
  auto options = std::make_shared<ValidateOptions>();
  add_validate_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  taut validate 6s90mc-c --csv errors.csv --plot errors.svg\n"
      "  taut validate 6s90mc-c --constant 40:90:5 --orders none\n"
      "  taut validate 6s90mc-c --tightener fixed --bars off --amplitudes 3,5 --speeds 60:80:1\n"
      "  taut validate 6s90mc-c --points tests/data/reduced_holdouts.toml --json\n"
      "  taut validate 6s90mc-c --constant 76 --speeds 70 --amplitudes 3 --settle-s 3 "
      "--window-s 2");
  command->callback([options] { run(*options); });
}

}  // namespace taut::tool
