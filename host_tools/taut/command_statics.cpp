#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/resting_drive.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

struct StaticsOptions {
  RestRequest request;
  bool json = false;
};

bool has_tightener(const RestingDrive& resting) {
  return resting.model.spec.tightener.kind != drive::TightenerKind::kNone;
}

nlohmann::ordered_json to_json(const RestingDrive& resting) {
  const auto& found = resting.report;
  const std::size_t sprockets = resting.model.geometry.sprockets;
  const std::size_t links = resting.rest.model.links;
  nlohmann::ordered_json json;
  json["name"] = resting.model.spec.name.c_str();
  json["strands_N"] = std::vector<double>(found.strand_mean_N, found.strand_mean_N + sprockets);
  if (has_tightener(resting)) {
    json["arm_angle_rad"] = found.arm_angle_rad;
    json["centre_m"] = {found.centre_x_m, found.centre_y_m};
  }
  json["contact_max_N"] = found.largest_seat_force_N;
  json["seated_rollers"] = std::vector<int>(found.seated, found.seated + sprockets);
  json["links_N"] = std::vector<double>(found.link_force_N, found.link_force_N + links);
  json["contacts_N"] = std::vector<double>(found.seat_force_N, found.seat_force_N + links);
  json["residual_N"] = resting.rest.residual_N;
  json["steps"] = resting.rest.steps;
  return json;
}

void print(const RestingDrive& resting) {
  const auto& found = resting.report;
  std::cout << resting.model.spec.name.c_str() << " at rest\n\n";
  TextTable table({"strand", "tension [kN]", "free links", "sprocket", "seated rollers"});
  for (std::size_t s = 0; s < resting.model.geometry.sprockets; ++s) {
    const std::string number = std::to_string(s + 1);
    table.add({number, fixed(found.strand_mean_N[s] / 1e3, 2),
               std::to_string(found.strand_links[s]), number, std::to_string(found.seated[s])});
  }
  std::cout << table.text() << "\n";
  std::cout << "  largest force of a roller on a tooth: "
            << fixed(found.largest_seat_force_N / 1e3, 2) << " kN\n";
  if (has_tightener(resting)) {
    std::cout << "  tightener sprocket at (" << fixed(found.centre_x_m, 5) << ", "
              << fixed(found.centre_y_m, 5) << ") m, arm turned by "
              << fixed(found.arm_angle_rad * 1e3, 3) << " mrad\n";
  }
  std::cout << "  balanced to " << rough(resting.rest.residual_N) << " N in " << resting.rest.steps
            << " steps\n";
}

void run(const StaticsOptions& options) {
  const RestingDrive resting = rest_drive(load_spec(options.request));
  if (options.json) {
    std::cout << to_json(resting).dump(2) << "\n";
  } else {
    print(resting);
  }
}

}  // namespace

void add_statics_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("statics", "the drive at rest: tensions, tooth forces, tightener");
  auto options = std::make_shared<StaticsOptions>();
  add_rest_options(*command, options->request);
  command->add_flag("--json", options->json, "print JSON, with the force of every link");
  command->footer(
      "Examples:\n"
      "  taut statics 6s90mc-c\n"
      "  taut statics 6s90mc-c --tightener fixed --json\n"
      "  taut statics 6l60mc --set contact.form=circular");
  command->callback([options] { run(*options); });
}

}  // namespace taut::tool
