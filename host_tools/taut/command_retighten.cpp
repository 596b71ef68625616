#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/resting_drive.h"
#include "host_tools/taut/text.h"
#include "sim_core/roller_chain/retighten.h"

namespace taut::tool {
namespace {

struct RetightenOptions {
  RestRequest request;
  double tension_N = 0;
  bool json = false;
};

// The --set options that make the drive what the search found.
std::vector<std::pair<std::string, double>> settings(const drive::DriveSpec& spec) {
  if (drive::has_arm(spec.tightener.kind)) {
    return {{"tightener.spring_on_ground_x_m", spec.tightener.spring_on_ground_x_m},
            {"tightener.spring_on_ground_y_m", spec.tightener.spring_on_ground_y_m}};
  }
  const auto index = static_cast<std::size_t>(spec.tightener.sprocket);
  const std::string sprocket = "sprocket[" + std::to_string(index) + "].";
  return {{sprocket + "centre_x_m", spec.sprockets[index - 1].centre_x_m},
          {sprocket + "centre_y_m", spec.sprockets[index - 1].centre_y_m}};
}

void run(const RetightenOptions& options) {
  const drive::DriveSpec spec = load_spec(options.request);
  if (spec.tightener.kind == drive::TightenerKind::kNone) {
    throw Failure(ExitCode::kWrongDrive,
                  std::string(spec.name.c_str()) +
                      ": tightener.kind = none: there is nothing to tighten with; describe the "
                      "tightener in the file, or move a sprocket by --set");
  }
  const roller_chain::Retightened found = roller_chain::retighten(spec, options.tension_N);
  if (!found.found) {
    throw Failure(ExitCode::kNoSolution,
                  std::string(spec.name.c_str()) + ": " + fixed(options.tension_N / 1e3, 2) +
                      " kN cannot be reached; the search saw " + fixed(found.lowest_N / 1e3, 2) +
                      " to " + fixed(found.highest_N / 1e3, 2) + " kN");
  }
  const bool arm = drive::has_arm(spec.tightener.kind);
  if (options.json) {
    nlohmann::ordered_json json;
    json["name"] = spec.name.c_str();
    json["tension_N"] = found.tension_N;
    json[arm ? "moved_m" : "moved_rad"] = found.moved;
    for (const auto& [key, value] : settings(found.spec)) {
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
  for (const auto& [key, value] : settings(found.spec)) {
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
                   "wanted mean tension of the strands at rest, in N")
      ->required()
      ->check(CLI::Range(1.0, 1e7));
  command->add_flag("--json", options->json, "print JSON");
  command->footer(
      "Examples:\n"
      "  taut retighten 6s90mc-c --tension-N 60000\n"
      "  taut retighten 6s90mc-c --tightener fixed --tension-N 60000 --json");
  command->callback([options] { run(*options); });
}

}  // namespace taut::tool
