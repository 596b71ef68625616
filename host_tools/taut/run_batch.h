// Many drives at once: every run as it would be alone, to the bit, on as many cores as wanted.
// One that fails leaves the others be.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host_tools/taut/chain_run.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/work_sharing.h"

namespace taut::tool {

struct RunOutcome {  // one of the two
  std::optional<RunResult> result;
  std::optional<Failure> failure;
};

struct BatchResult {
  std::vector<RunOutcome> outcomes;  // in the order of the requests
  int workers = 0;
  double simulated_s = 0;  // of the runs that came to their end, together
  double wall_s = 0;

  [[nodiscard]] std::size_t failed() const;
};

// Drives that start the same way are brought to rest, or reduced, once. Shows progress, headed
// `what`. Writes no outputs over time.
[[nodiscard]] BatchResult run_batch(const std::vector<RunRequest>& requests, int workers,
                                    const std::string& what);

// As many runs at once as asked for (--jobs), or as there are cores, but not more than there are
// runs. Throws a Failure (kWrongUse) where memory would not do.
[[nodiscard]] int workers_for(const std::optional<int>& jobs,
                              const std::vector<RunRequest>& requests);

}  // namespace taut::tool
