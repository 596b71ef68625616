// Many jobs that know nothing of each other, on as many threads as wanted, with a line on the
// terminal that says how far they are.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace taut::tool {

inline constexpr int kMostJobs = 1024;

// As many threads as asked for (--jobs), or as there are cores, but not more than there are jobs.
[[nodiscard]] int threads_for(const std::optional<int>& asked, std::size_t jobs);

// Tells that so much more of the whole is done; from any thread.
using Advance = std::function<void(double)>;

struct Workload {
  std::string what;  // heads the line
  double whole = 0;  // all jobs together, in
  std::string unit;
  std::string jobs;  // "runs"
  std::size_t count = 0;
};

// Each job with its number, 0 to count - 1, once; they may run in any order and must not throw.
void share_work(const Workload& load, int threads,
                const std::function<void(std::size_t, const Advance&)>& job);

}  // namespace taut::tool
