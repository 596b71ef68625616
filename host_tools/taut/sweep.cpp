#include "host_tools/taut/sweep.h"

#include <algorithm>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/raw_drive.h"
#include "host_tools/taut/run_batch.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw Failure(ExitCode::kWrongUse, text);
}

// The options of a run: those with one value. Not --json, --set nor what a sweep adds.
std::vector<std::string> names_of_run_options() {
  CLI::App app;
  RunOptions unused;
  add_run_options(app, unused);
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 1) {
      names.push_back(option->get_lnames().front());
    }
  }
  return names;
}

CLI::Option& option_of(const SweptQuantity& quantity, CLI::App& command) {
  return *command.get_option("--" + quantity.name);
}

void check_name(const SweptQuantity& quantity) {
  const std::vector<std::string> known = names_of_run_options();
  if (!quantity.is_drive_key() &&
      std::find(known.begin(), known.end(), quantity.name) == known.end()) {
    refuse("--over " + quantity.name + ": no such option of a run; " +
           suggestion(quantity.name, known) +
           "; a key of the drive has its section before it: chain.links (taut keys)");
  }
}

// What is swept must not be given a second time.
void check_given_once(const SweptQuantity& quantity, const std::vector<SweptQuantity>& before,
                      const SweepOptions& options, CLI::App& command) {
  const auto refuse_second = [&](const std::string& where) {
    refuse("--over " + quantity.name + ": is given a second time, by " + where + "; leave one out");
  };
  for (const SweptQuantity& other : before) {
    if (other.name == quantity.name) {
      refuse_second("another --over");
    }
  }
  if (!quantity.is_drive_key() && option_of(quantity, command).count() > 0) {
    refuse_second("--" + quantity.name);
  }
  for (const std::string& setting : options.run.rest.drive.settings) {
    if (setting.starts_with(quantity.name + "=")) {
      refuse_second("--set " + setting);
    }
  }
}

std::vector<SweptQuantity> swept_quantities(const SweepOptions& options, CLI::App& command) {
  std::vector<SweptQuantity> quantities;
  for (const std::string& text : options.over) {
    SweptQuantity quantity = parse_swept_quantity(text);
    check_name(quantity);
    check_given_once(quantity, quantities, options, command);
    if (!quantity.is_drive_key()) {
      quantity.unit = unit_of(option_of(quantity, command));
    }
    quantities.push_back(std::move(quantity));
  }
  return quantities;
}

std::size_t count_runs(const Sweep& sweep) {
  std::size_t runs = sweep.drives.size();
  std::string factors = std::to_string(runs) + (runs == 1 ? " drive" : " drives");
  for (const SweptQuantity& quantity : sweep.over) {
    runs = std::min(runs, kMostRuns + 1) * quantity.values.size();
    factors += " x " + std::to_string(quantity.values.size()) + " of " + quantity.name;
  }
  if (runs > kMostRuns) {
    refuse("--over: " + factors + " are too many runs; allowed 1 to " + std::to_string(kMostRuns) +
           "; take larger steps or fewer quantities");
  }
  return runs;
}

// As if it had been written on the command line.
void set_option(CLI::Option& option, const std::string& value) {
  option.clear();
  option.add_result(value);
  try {
    option.run_callback();
  } catch (const CLI::ParseError& error) {
    refuse(std::string("--over: ") + error.what());
  }
}

RunRequest request_of(std::size_t run, const Sweep& sweep, SweepOptions& options,
                      AccelerationFiles& files, CLI::App& command) {
  std::vector<std::string> settings = options.run.rest.drive.settings;
  for (std::size_t q = 0; q < sweep.over.size(); ++q) {
    const std::string& value = sweep.value_of(run, q);
    if (sweep.over[q].is_drive_key()) {
      settings.push_back(sweep.over[q].name + "=" + value);
    } else {
      set_option(option_of(sweep.over[q], command), value);
    }
  }
  RunOptions run_options = options.run;
  run_options.rest.drive = {sweep.drive_of(run), settings};
  try {
    return make_run_request(run_options, files);
  } catch (const Failure& failure) {
    throw Failure(failure.code(), sweep.name_of(run) + ": " + failure.what());
  }
}

}  // namespace

std::size_t Sweep::runs_a_drive() const {
  return over.empty() ? 1 : runs_a_value(0) * over.front().values.size();
}

std::size_t Sweep::runs_a_value(std::size_t quantity) const {
  std::size_t runs = 1;
  for (std::size_t q = quantity + 1; q < over.size(); ++q) {
    runs *= over[q].values.size();
  }
  return runs;
}

const std::string& Sweep::drive_of(std::size_t run) const {
  return drives[run / runs_a_drive()];
}

const std::string& Sweep::value_of(std::size_t run, std::size_t quantity) const {
  return over[quantity].values[run / runs_a_value(quantity) % over[quantity].values.size()];
}

std::string Sweep::name_of(std::size_t run) const {
  std::string name = drive_of(run);
  for (std::size_t q = 0; q < over.size(); ++q) {
    name += ", " + over[q].name + "=" + value_of(run, q);
  }
  return name;
}

void add_sweep_options(CLI::App& command, SweepOptions& options) {
  command
      .add_option("DRIVE", options.drives,
                  "names of drives in the library (taut drives), or paths of drive files")
      ->required();
  command
      .add_option("--over", options.over,
                  "what changes from run to run: an option below, without its dashes, or a key of "
                  "the drive (taut keys). FROM:TO:STEP, ends included, or VALUE,VALUE,... May be "
                  "repeated: all values of one with all of the others")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  command.add_option("--jobs", options.jobs, "runs at the same time (default: one a core)")
      ->type_name("N")
      ->check(whole_between(1, kMostJobs));
  command.add_option("--csv", options.csv, "write all statistics into this file, one row a run")
      ->type_name("FILE");
  command
      .add_option("--plot", options.plot,
                  "draw the strands' tension over the first --over into this SVG file; one chart "
                  "for each value of the others")
      ->type_name("FILE");
  add_run_options(command, options.run);
}

Sweep make_sweep(SweepOptions& options, CLI::App& command) {
  Sweep sweep{options.drives, swept_quantities(options, command), {}};
  const std::size_t runs = count_runs(sweep);
  AccelerationFiles files;
  sweep.requests.reserve(runs);
  for (std::size_t run = 0; run < runs; ++run) {
    sweep.requests.push_back(request_of(run, sweep, options, files, command));
  }
  return sweep;
}

}  // namespace taut::tool
