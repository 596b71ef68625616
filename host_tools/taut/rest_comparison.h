// A drive at rest by both models: strand tensions, arm and torsional frequencies side by side.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "host_tools/taut/resting_drive.h"
#include "sim_core/implicit_chain/step.h"
#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::tool {

// By the full model, and by one in steps of a tick.
struct Pair {
  double full;
  double fast;
  [[nodiscard]] double error() const { return (fast - full) / full; }
};

struct RestComparison {
  std::vector<Pair> strands_N;
  bool has_arm;
  Pair arm_rad;
  std::vector<Pair> torsional_Hz;

  [[nodiscard]] double worst_strand() const;  // part
  [[nodiscard]] double worst_torsional() const;
};

[[nodiscard]] RestComparison compare_at_rest(const RestingDrive& resting,
                                             const reduced_chain::ReducedModel& model);
// Its frequencies are the full model's: the same rollers and seats.
[[nodiscard]] RestComparison compare_at_rest(const RestingDrive& resting,
                                             const implicit_chain::ImplicitModel& model);
// `model`: what the fast one is called.
[[nodiscard]] std::string to_text(const RestComparison& comparison, const std::string& model);
[[nodiscard]] nlohmann::ordered_json to_json(const RestComparison& comparison);

// "+1.25 %", for tables of errors.
[[nodiscard]] std::string per_cent(double part, int decimals = 2);

}  // namespace taut::tool
