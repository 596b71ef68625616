// A drive set in motion for a while: from rest at the equilibrium, by the full model, step
// after step; statistics over a window, outputs to a file.
#pragma once

#include <cstdint>
#include <functional>

#include "host_tools/taut/outputs_csv.h"
#include "host_tools/taut/resting_drive.h"
#include "host_tools/taut/run_request.h"
#include "host_tools/taut/run_statistics.h"

namespace taut::tool {

// Whether the crankshaft gave what the drive lost, turn for turn (sim_core's PowerBalance).
struct SteadyReport {
  bool reached = false;  // and kept until the end
  double from_s = 0;     // of use where reached
  double last_imbalance = 0;
  std::uint32_t turns = 0;  // whole ones
};

struct RunResult {
  RunStatistics statistics;
  SteadyReport steady;
  double table_mean_removed_rad_s2 = 0;
  std::uint64_t state_hash = 0;
  double wall_s = 0;
};

// Where the run starts from.
[[nodiscard]] RestingDrive rest_of(const RunRequest& request);

using OnTime = std::function<void(double simulated_s)>;

// In the precision of the request. `csv` may be null; the caller commits it. `on_time` hears
// about every tick how far the run is. Throws a Failure (kNoSolution) where the chain flies
// apart, (kWrongUse) where the crank turns backwards.
[[nodiscard]] RunResult run_roller(const RunRequest& request, const RestingDrive& resting,
                                   OutputsCsv* csv, const OnTime& on_time);

}  // namespace taut::tool
