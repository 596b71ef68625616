#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/resting_drive.h"
#include "host_tools/taut/text.h"
#include "sim_core/analysis/closed_forms.h"
#include "sim_core/analysis/modes.h"

namespace taut::tool {
namespace {

struct ModesOptions {
  RestRequest request;
  double speed_rpm = -1;  // below zero: the drive's nominal speed
  bool json = false;
};

struct StrandString {
  double at_rest_Hz;
  double moving_eta0_Hz;  // centres do not yield: tension stays as at rest
  double moving_eta1_Hz;  // centres yield: the chain's own centrifugal tension adds up
};

struct Frequencies {
  double speed_rpm;
  double chain_speed_m_s;
  double tooth_Hz;
  std::vector<double> torsional_Hz;
  std::vector<double> torsional_chain_only_Hz;
  std::vector<double> pitch_line_N_m;
  std::vector<double> longitudinal_Hz;
  std::vector<StrandString> strings;
};

Frequencies find_frequencies(const RestingDrive& resting, double speed_rpm) {
  const drive::DriveModel& model = resting.model;
  const drive::ChainSpec& chain = model.spec.chain;
  Frequencies found;
  found.speed_rpm = speed_rpm;
  found.chain_speed_m_s = analysis::chain_speed_m_s(model, speed_rpm);
  found.tooth_Hz = analysis::tooth_frequency_Hz(found.chain_speed_m_s, chain.pitch_m);
  found.torsional_Hz =
      analysis::torsional_Hz(analysis::modes(resting.rest), model.geometry.sprockets - 1);
  found.torsional_chain_only_Hz = analysis::torsional_chain_only_Hz(model);
  for (const double compliance : analysis::pitch_line_compliance_m_N(resting.rest)) {
    found.pitch_line_N_m.push_back(1 / compliance);
  }
  found.longitudinal_Hz = analysis::longitudinal_Hz(model);
  for (std::size_t s = 0; s < model.geometry.sprockets; ++s) {
    analysis::StringSpec string{model.geometry.strand[s].length_m,
                                std::max(resting.report.strand_mean_N[s], 0.0),
                                chain.roller_mass_kg / chain.pitch_m, 0};
    StrandString strand{};
    strand.at_rest_Hz = analysis::string_frequency_Hz(string, 1, 0);
    strand.moving_eta0_Hz = analysis::string_frequency_Hz(string, 1, found.chain_speed_m_s);
    string.centrifugal_share = 1;
    strand.moving_eta1_Hz = analysis::string_frequency_Hz(string, 1, found.chain_speed_m_s);
    found.strings.push_back(strand);
  }
  return found;
}

nlohmann::ordered_json to_json(const Frequencies& found, const drive::DriveSpec& spec) {
  nlohmann::ordered_json json;
  json["name"] = spec.name.c_str();
  json["speed_rpm"] = found.speed_rpm;
  json["chain_speed_m_s"] = found.chain_speed_m_s;
  json["tooth_Hz"] = found.tooth_Hz;
  json["torsional_Hz"] = found.torsional_Hz;
  json["torsional_chain_only_Hz"] = found.torsional_chain_only_Hz;
  json["pitch_line_stiffness_N_m"] = found.pitch_line_N_m;
  json["longitudinal_Hz"] = found.longitudinal_Hz;
  for (const StrandString& strand : found.strings) {
    json["string_Hz"].push_back({{"at_rest", strand.at_rest_Hz},
                                 {"moving_eta0", strand.moving_eta0_Hz},
                                 {"moving_eta1", strand.moving_eta1_Hz}});
  }
  return json;
}

std::string in_a_row(const std::vector<double>& values, std::size_t most = 8) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(values.size(), most); ++i) {
    words.push_back(fixed(values[i], 2));
  }
  return joined(words) + (values.size() > most ? ", ..." : "");
}

void print(const Frequencies& found, const drive::DriveSpec& spec) {
  std::cout << spec.name.c_str() << ", natural frequencies [Hz]\n\n"
            << "  sprockets, whole drive about rest   " << in_a_row(found.torsional_Hz) << "\n"
            << "  sprockets, stiffness of chain only  " << in_a_row(found.torsional_chain_only_Hz)
            << "   (Pedersen 4.56; seats left out: too high)\n"
            << "  along the chain                     " << in_a_row(found.longitudinal_Hz)
            << "   (Pedersen 4.4.7; seats left out)\n\n";
  std::vector<std::string> stiffnesses;
  for (const double stiffness : found.pitch_line_N_m) {
    stiffnesses.push_back(fixed(stiffness * 1e-6, 1));
  }
  std::cout << "  pitch line of driven sprockets, all else held: " << joined(stiffnesses)
            << " MN/m, chain and seats together\n\n"
            << "  at " << general(found.speed_rpm) << " rpm: chain speed "
            << fixed(found.chain_speed_m_s, 2) << " m/s, teeth " << fixed(found.tooth_Hz, 1)
            << " Hz\n\n";
  TextTable table({"strand as a string", "at rest", "moving, eta 0", "moving, eta 1"});
  for (std::size_t s = 0; s < found.strings.size(); ++s) {
    const StrandString& strand = found.strings[s];
    table.add({std::to_string(s + 1), fixed(strand.at_rest_Hz, 2), fixed(strand.moving_eta0_Hz, 2),
               fixed(strand.moving_eta1_Hz, 2)});
  }
  std::cout << table.text()
            << "\n  eta: part of the centrifugal tension that adds to the one at rest\n";
}

void run(const ModesOptions& options) {
  const drive::DriveSpec spec = load_spec(options.request);
  const RestingDrive resting = rest_drive(spec);
  const double speed_rpm = options.speed_rpm < 0 ? spec.crank.speed_rpm : options.speed_rpm;
  const Frequencies found = find_frequencies(resting, speed_rpm);
  if (options.json) {
    std::cout << to_json(found, spec).dump(2) << "\n";
  } else {
    print(found, spec);
  }
}

}  // namespace

void add_modes_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("modes", "natural frequencies: sprockets, chain, strands, teeth");
  auto options = std::make_shared<ModesOptions>();
  add_rest_options(*command, options->request);
  command
      ->add_option("--speed-rpm", options->speed_rpm,
                   "crank speed for moving strands and teeth (default: the drive's)")
      ->check(CLI::Range(0.0, 20000.0));
  command->add_flag("--json", options->json, "print JSON, with all longitudinal modes");
  command->footer(
      "Examples:\n"
      "  taut modes 6s90mc-c\n"
      "  taut modes 6s90mc-c --speed-rpm 82 --json");
  command->callback([options] { run(*options); });
}

}  // namespace taut::tool
