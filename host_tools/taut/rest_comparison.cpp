#include "host_tools/taut/rest_comparison.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/taut/text.h"
#include "sim_core/analysis/modes.h"
#include "sim_core/reduced_chain/reduce.h"
#include "sim_core/twin/chains.h"

namespace taut::tool {
namespace {

using Json = nlohmann::ordered_json;

// Where a chain comes to rest by itself, crank held: a block's rest is that of the mean tooth
// phase.
template <twin::ChainModel Chain>
signal::ChainOutputs outputs_at_rest(const typename Chain::Model& model) {
  constexpr int kSteps = 20'000;  // 10 s
  const auto state = std::make_unique<typename Chain::State>();
  const auto scratch = std::make_unique<typename Chain::Scratch>();
  Chain::init(model, 0, *state, *scratch);
  for (int i = 0; i < kSteps; ++i) {
    Chain::step(model, {0, 0, 0}, *state, *scratch);
  }
  signal::ChainOutputs outputs{};
  Chain::predict(model, *state, *scratch, {}, outputs);
  return outputs;
}

RestComparison compare(const RestingDrive& resting, const signal::ChainOutputs& fast) {
  RestComparison found{};
  for (std::size_t s = 0; s < resting.model.geometry.sprockets; ++s) {
    found.strands_N.push_back(
        {resting.report.strand_mean_N[s], static_cast<double>(fast.strand_mean_N[s])});
  }
  found.has_arm = drive::has_arm(resting.model.spec.tightener.kind);
  found.arm_rad = {resting.report.arm_angle_rad, static_cast<double>(fast.arm_angle_rad)};
  return found;
}

// The reduced model's are with the arm held, and of seats as they are on average over a tooth: so
// are the full one's here, the arm where it rests.
std::vector<double> torsional_Hz(const RestingDrive& resting) {
  constexpr int kPhases = 8;
  drive::DriveSpec held = resting.model.spec;
  if (drive::has_arm(held.tightener.kind)) {
    const auto axle = static_cast<std::size_t>(held.tightener.sprocket) - 1;
    held.tightener.kind = drive::TightenerKind::kFixed;
    held.sprockets[axle].centre_x_m = resting.report.centre_x_m;
    held.sprockets[axle].centre_y_m = resting.report.centre_y_m;
  }
  const std::size_t driven = resting.model.geometry.sprockets - 1;
  std::vector<double> mean_Hz(driven);
  for (int i = 0; i < kPhases; ++i) {
    const RestingDrive at_phase =
        rest_drive(held, {.tooth_phase = static_cast<double>(i) / kPhases});
    const std::vector<double> found_Hz =
        analysis::torsional_Hz(analysis::modes(at_phase.rest), driven);
    for (std::size_t mode = 0; mode < driven; ++mode) {
      mean_Hz[mode] += found_Hz[mode] / kPhases;
    }
  }
  return mean_Hz;
}

double worst(const std::vector<Pair>& pairs) {
  double largest = 0;
  for (const Pair& pair : pairs) {
    largest = std::max(largest, std::abs(pair.error()));
  }
  return largest;
}

Json pair_json(const Pair& pair) {
  return {{"full", pair.full}, {"fast", pair.fast}, {"error", pair.error()}};
}

Json pairs_json(const std::vector<Pair>& pairs) {
  Json json = Json::array();
  std::transform(pairs.begin(), pairs.end(), std::back_inserter(json), pair_json);
  return json;
}

}  // namespace

double RestComparison::worst_strand() const {
  return worst(strands_N);
}

double RestComparison::worst_torsional() const {
  return worst(torsional_Hz);
}

RestComparison compare_at_rest(const RestingDrive& resting,
                               const reduced_chain::ReducedModel& model) {
  RestComparison found = compare(resting, outputs_at_rest<twin::ReducedChain>(model));
  const std::vector<double> full_Hz = torsional_Hz(resting);
  const std::vector<double> reduced_Hz = reduced_chain::torsional_Hz(model);
  for (std::size_t i = 0; i < std::min(full_Hz.size(), reduced_Hz.size()); ++i) {
    found.torsional_Hz.push_back({full_Hz[i], reduced_Hz[i]});
  }
  return found;
}

RestComparison compare_at_rest(const RestingDrive& resting,
                               const implicit_chain::ImplicitModel& model) {
  return compare(resting, outputs_at_rest<twin::ImplicitChain>(model));
}

std::string per_cent(double part, int decimals) {
  return (part >= 0 ? "+" : "") + fixed(100 * part, decimals) + " %";
}

std::string to_text(const RestComparison& comparison, const std::string& model) {
  TextTable table({"at rest", "full", model, "error"});
  table.left(0);
  const auto add = [&](const std::string& what, const Pair& pair, double unit, int decimals) {
    table.add({what, fixed(pair.full / unit, decimals), fixed(pair.fast / unit, decimals),
               per_cent(pair.error())});
  };
  for (std::size_t s = 0; s < comparison.strands_N.size(); ++s) {
    add("strand " + std::to_string(s + 1) + " [kN]", comparison.strands_N[s], 1e3, 3);
  }
  if (comparison.has_arm) {
    add("arm [mrad]", comparison.arm_rad, 1e-3, 4);
  }
  for (const Pair& pair : comparison.torsional_Hz) {
    add(comparison.has_arm ? "torsion [Hz], arm held" : "torsion [Hz]", pair, 1, 3);
  }
  return table.text();
}

nlohmann::ordered_json to_json(const RestComparison& comparison) {
  Json json;
  json["strands_N"] = pairs_json(comparison.strands_N);
  json["arm_angle_rad"] = comparison.has_arm ? pair_json(comparison.arm_rad) : Json(nullptr);
  json["torsional_Hz"] = pairs_json(comparison.torsional_Hz);
  return json;
}

}  // namespace taut::tool
