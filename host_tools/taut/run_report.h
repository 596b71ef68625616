// What a run has shown, for people and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "host_tools/taut/chain_run.h"
#include "host_tools/taut/run_request.h"

namespace taut::tool {

// Engines in kN, small drives in N: one unit for a whole report.
struct ForceUnit {
  double N;
  const char* name;
};
[[nodiscard]] ForceUnit unit_for(double largest_N);

[[nodiscard]] std::string words_of(const std::string& model);  // "every roller"

[[nodiscard]] std::string to_text(const RunRequest& request, const RunResult& result);
[[nodiscard]] nlohmann::ordered_json to_json(const RunRequest& request, const RunResult& result);

}  // namespace taut::tool
