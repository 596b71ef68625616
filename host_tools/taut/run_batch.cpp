#include "host_tools/taut/run_batch.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "host_tools/taut/work_sharing.h"
#include "sim_core/drive/spec_hash.h"

namespace taut::tool {
namespace {

// Where a drive starts: found by the first run that needs it, gone with the last.
struct SharedStart {
  std::once_flag once;
  RunStart start;
  std::optional<Failure> failure;
};

const RunStart& start_of(const RunRequest& request, SharedStart& shared) {
  std::call_once(shared.once, [&] {
    try {
      shared.start = start_of(request);
    } catch (const Failure& failure) {  // kept: no other run would fare better
      shared.failure = failure;
    }
  });
  if (shared.failure) {
    throw Failure(*shared.failure);
  }
  return shared.start;
}

// All that a start depends on, and the name that a failure to find it tells.
using StartKey = std::tuple<std::string, std::string, std::string, double, std::uint64_t>;
StartKey key_of(const RunRequest& request) {
  return {request.spec.name.c_str(), request.model, request.block, request.tooth_phase,
          drive::hash_of(request.spec)};
}

std::vector<std::shared_ptr<SharedStart>> shared_starts(const std::vector<RunRequest>& requests) {
  std::map<StartKey, std::shared_ptr<SharedStart>> known;
  std::vector<std::shared_ptr<SharedStart>> starts;
  for (const RunRequest& request : requests) {
    std::shared_ptr<SharedStart>& start = known[key_of(request)];
    if (!start) {
      start = std::make_shared<SharedStart>();
    }
    starts.push_back(start);
  }
  return starts;
}

double total_s(const std::vector<RunRequest>& requests) {
  double sum_s = 0;
  for (const RunRequest& request : requests) {
    sum_s += request.duration_s();
  }
  return sum_s;
}

RunOutcome run_one(const RunRequest& request, SharedStart& shared, const Advance& advance) {
  double reached_s = 0;
  const auto reach = [&](double time_s) {
    advance(time_s - reached_s);
    reached_s = time_s;
  };
  RunOutcome outcome;
  try {
    outcome.result = run_chain(request, start_of(request, shared), nullptr, reach);
  } catch (const Failure& failure) {
    outcome.failure = failure;
  } catch (const std::exception& error) {  // no memory, say
    outcome.failure = Failure(ExitCode::kNoSolution, error.what());
  }
  reach(request.duration_s());  // what a failed run leaves out takes no more time
  return outcome;
}

}  // namespace

std::size_t BatchResult::failed() const {
  return static_cast<std::size_t>(std::count_if(outcomes.begin(), outcomes.end(),
                                                [](const RunOutcome& run) { return !run.result; }));
}

BatchResult run_batch(const std::vector<RunRequest>& requests, int workers,
                      const std::string& what) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  std::vector<std::shared_ptr<SharedStart>> starts = shared_starts(requests);
  BatchResult result{std::vector<RunOutcome>(requests.size()), workers, 0, 0};
  share_work({what, total_s(requests), "s", "runs", requests.size()}, workers,
             [&](std::size_t i, const Advance& advance) {  // each touches its own only
               result.outcomes[i] = run_one(requests[i], *starts[i], advance);
               starts[i].reset();
             });
  for (std::size_t i = 0; i < requests.size(); ++i) {
    result.simulated_s += result.outcomes[i].result ? requests[i].duration_s() : 0;
  }
  result.wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

int workers_for(const std::optional<int>& jobs, const std::vector<RunRequest>& requests) {
  std::uint64_t samples = 1;
  for (const RunRequest& request : requests) {
    samples = std::max(samples, request.samples());
  }
  const int most = static_cast<int>(std::min<std::uint64_t>(kMostSamples / samples, kMostJobs));
  const int runs = static_cast<int>(requests.size());
  if (std::min(jobs.value_or(1), runs) > most) {
    throw Failure(ExitCode::kWrongUse,
                  "--jobs " + std::to_string(*jobs) +
                      ": more samples than memory is planned for; allowed 1 to " +
                      std::to_string(most) +
                      ", or a shorter window of statistics (--stats-from-s, --duration-s)");
  }
  return std::min(threads_for(jobs, requests.size()), most);
}

}  // namespace taut::tool
