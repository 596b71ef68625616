// What a sweep has shown: a table for people, JSON, CSV, a picture.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "host_tools/taut/run_batch.h"
#include "host_tools/taut/sweep.h"

namespace taut::tool {

struct SweepReport {
  const Sweep& sweep;
  const BatchResult& batch;  // of the sweep's requests
};

[[nodiscard]] std::string to_text(const SweepReport& report);
[[nodiscard]] nlohmann::ordered_json to_json(const SweepReport& report);
// One run of it: as `taut run` tells it, after drive, swept values and failure.
[[nodiscard]] nlohmann::ordered_json run_json(const SweepReport& report, std::size_t run);
// The same, a row each, all statistics; a cell is empty where a run has none.
[[nodiscard]] std::string to_csv(const SweepReport& report);

// Throws a Failure (kWrongUse) where the sweep has no axis, or too many charts.
void check_plot(const Sweep& sweep);
[[nodiscard]] std::string draw_sweep(const SweepReport& report);

}  // namespace taut::tool
