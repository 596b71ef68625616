#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/resting_drive.h"
#include "host_tools/taut/text.h"
#include "sim_core/drive/fields.h"
#include "sim_core/roller_chain/retighten.h"

namespace taut::tool {
namespace {

struct RetightenOptions {
  RestRequest request;
  std::optional<double> tension_N;
  bool json = false;
};

// Every number of a drive by the key that --set knows it by.
std::vector<std::pair<std::string, double>> numbers_of(const drive::DriveSpec& spec) {
  std::vector<std::pair<std::string, double>> numbers;
  drive::for_each_section(spec, [&](const auto& section, int index) {
    using Section = std::decay_t<decltype(section)>;
    const etl::string_view name = drive::section_name<Section>();
    const std::string place = index > 0 ? "[" + std::to_string(index) + "]" : "";
    for (const auto& field : drive::fields<Section>()) {
      numbers.emplace_back(std::string(name.data(), name.size()) + place + "." +
                               std::string(field.key.data(), field.key.size()),
                           field.get(section));
    }
  });
  return numbers;
}

// The --set options that make the drive what the search found.
std::vector<std::pair<std::string, double>> settings(const drive::DriveSpec& before,
                                                     const drive::DriveSpec& found) {
  const auto old = numbers_of(before);
  std::vector<std::pair<std::string, double>> changed;
  for (const auto& number : numbers_of(found)) {
    if (std::find(old.begin(), old.end(), number) == old.end()) {
      changed.push_back(number);
    }
  }
  return changed;
}

// Without --tension-N: what the drive had before it wore.
double wanted_N(const RetightenOptions& options, const drive::DriveSpec& spec) {
  if (options.tension_N) {
    return *options.tension_N;
  }
  const double new_N = roller_chain::mean_tension_N(roller_chain::as_new(spec));
  if (!(new_N > 0)) {
    throw Failure(ExitCode::kNoSolution,
                  std::string(spec.name.c_str()) +
                      ": found no rest of the chain without its elongation, and so no tension to "
                      "go for; give --tension-N");
  }
  return new_N;
}

void run(const RetightenOptions& options) {
  RestRequest request = options.request;
  request.drive.fit = drive::ChainFit::kToBeTightened;
  const drive::DriveSpec spec = load_spec(request);
  if (spec.tightener.kind == drive::TightenerKind::kNone) {
    throw Failure(ExitCode::kWrongDrive,
                  std::string(spec.name.c_str()) +
                      ": tightener.kind = none: there is nothing to tighten with; describe the "
                      "tightener in the file, or move a sprocket by --set");
  }
  const double tension_N = wanted_N(options, spec);
  const roller_chain::Retightened found = roller_chain::retighten(spec, tension_N);
  if (!found.found) {
    throw Failure(ExitCode::kNoSolution,
                  std::string(spec.name.c_str()) + ": " + fixed(tension_N / 1e3, 2) +
                      " kN cannot be reached; the search saw " + fixed(found.lowest_N / 1e3, 2) +
                      " to " + fixed(found.highest_N / 1e3, 2) + " kN");
  }
  const bool arm = drive::has_arm(spec.tightener.kind);
  if (options.json) {
    nlohmann::ordered_json json;
    json["name"] = spec.name.c_str();
    json["tension_N"] = found.tension_N;
    json[arm ? "moved_m" : "moved_rad"] = found.moved;
    for (const auto& [key, value] : settings(spec, found.spec)) {
      json["set"][key] = value;
    }
    std::cout << json.dump(2) << "\n";
    return;
  }
  std::cout << spec.name.c_str() << ": mean tension of the strands at rest "
            << fixed(found.tension_N / 1e3, 3) << " kN with the "
            << (arm ? "spring's ground end moved by " + fixed(found.moved * 1e3, 3) +
                          " mm away from the arm"
                    : "tightener sprocket turned by " + fixed(found.moved * 1e3, 3) +
                          " mrad about the hinge")
            << "\n  use it with";
  for (const auto& [key, value] : settings(spec, found.spec)) {
    std::cout << " --set " << key << "=" << fixed(value, 7);
  }
  std::cout << "\n";
}

}  // namespace

void add_retighten_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "retighten", "move the tightener until the chain at rest has a wanted tension");
  auto options = std::make_shared<RetightenOptions>();
  add_rest_options(*command, options->request);
  command
      ->add_option("--tension-N", options->tension_N,
                   "wanted mean tension of the strands at rest, in N (default: that of the same "
                   "drive without elongation of its links)")
      ->check(CLI::Range(1.0, 1e7));
  command->add_flag("--json", options->json, "print JSON");
  command->footer(
      "Examples:\n"
      "  taut retighten 6s90mc-c --tension-N 60000\n"
      "  taut retighten 6s90mc-c --set chain.elongation=0.005\n"
      "  taut retighten 6s90mc-c --tightener fixed --tension-N 60000 --json");
  command->callback([options] { run(*options); });
}

}  // namespace taut::tool
