// A drive set in motion for a while: from rest at the equilibrium, by the full model or the
// reduced one, step after step; statistics over a window, outputs to a file.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "host_tools/taut/reduction.h"
#include "host_tools/taut/resting_drive.h"
#include "host_tools/taut/run_record.h"
#include "host_tools/taut/run_request.h"
#include "host_tools/taut/run_statistics.h"
#include "host_tools/taut/table_csv.h"

namespace taut::tool {

// Whether the crankshaft gave what the drive lost, turn for turn (sim_core's PowerBalance).
struct SteadyReport {
  bool judged = false;   // the reduced model does not tell all that it loses while it swings
  bool reached = false;  // and kept until the end
  double from_s = 0;     // of use where reached
  double last_imbalance = 0;
  std::uint32_t turns = 0;  // whole ones
};

// Why a prediction of the reduced model may not be trusted.
struct HealthColumn {
  const char* name;
  const char* in_words;
  std::uint32_t bit;
};
inline constexpr std::array<HealthColumn, 7> kHealthColumns{{
    {"slack", "a strand bears nothing", reduced_chain::kSlack},
    {"beyond_hold", "pulls so unequal that the chain would jump teeth", reduced_chain::kBeyondHold},
    {"beyond_table", "a pull larger than the tables know", reduced_chain::kBeyondTable},
    {"arm_at_end", "the arm is where its geometry is not known", reduced_chain::kArmAtEnd},
    {"reduce_again", "elongation too far from the block's", reduced_chain::kReduceAgain},
    {"bad_command", "a crank motion that is no number, or too fast", reduced_chain::kBadCommand},
    {"out_of_range", "a strand moves further than its modes tell", reduced_chain::kOutOfRange},
}};
using HealthSteps = std::array<std::uint64_t, kHealthColumns.size()>;

struct RunResult {
  RunStatistics statistics;
  std::vector<WindowStatistics> windows;  // as many as the request asks for
  std::vector<RecordedTick> record;
  SteadyReport steady;
  HealthSteps health_steps{};  // of the window, with each bit set; the full model's are 0
  double table_mean_removed_rad_s2 = 0;
  std::uint64_t state_hash = 0;
  double wall_s = 0;
};

// Where a run starts from; one of the two, by its model.
struct RunStart {
  std::unique_ptr<const RestingDrive> resting;
  std::shared_ptr<const Reduction> reduction;
};
// Throws a Failure where there is no rest, no reduction, or no block that fits.
[[nodiscard]] RunStart start_of(const RunRequest& request);

using OnTime = std::function<void(double simulated_s)>;

// By the model and in the precision of the request. `csv` may be null; the caller commits it.
// `on_time` hears about every tick how far the run is. Throws a Failure (kNoSolution) where the
// chain flies apart, (kWrongUse) where the crank turns backwards.
[[nodiscard]] RunResult run_chain(const RunRequest& request, const RunStart& start, TableCsv* csv,
                                  const OnTime& on_time);

}  // namespace taut::tool
