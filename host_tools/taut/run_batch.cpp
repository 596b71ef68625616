#include "host_tools/taut/run_batch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>

#include "host_tools/taut/progress.h"
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

class Batch {
 public:
  explicit Batch(const std::vector<RunRequest>& requests)
      : requests_(requests), starts_(shared_starts(requests)), outcomes_(requests.size()) {}

  // A worker's life: takes the next run until none is left.
  void work() {
    for (std::size_t i = next_++; i < requests_.size(); i = next_++) {
      outcomes_[i] = run_one(i);
      starts_[i].reset();
      const std::scoped_lock lock(mutex_);
      ++runs_done_;
      run_done_.notify_one();
    }
  }

  // Shows how far all are, until they are done.
  void watch(const std::string& what) {
    constexpr std::chrono::milliseconds kBetween{20};  // Progress shows less often
    Progress progress(what, total_s(requests_), "s");
    std::unique_lock lock(mutex_);
    while (!run_done_.wait_for(lock, kBetween, [&] { return runs_done_ == requests_.size(); })) {
      progress.show(simulated_s_, "; " + std::to_string(runs_done_) + " of " +
                                      std::to_string(requests_.size()) + " runs done");
    }
  }

  // After all workers have ended.
  std::vector<RunOutcome> take_outcomes() { return std::move(outcomes_); }

 private:
  RunOutcome run_one(std::size_t i) {
    const RunRequest& request = requests_[i];
    double reached_s = 0;
    const auto advance = [&](double time_s) {
      simulated_s_ += time_s - reached_s;
      reached_s = time_s;
    };
    RunOutcome outcome;
    try {
      outcome.result = run_chain(request, start_of(request, *starts_[i]), nullptr, advance);
    } catch (const Failure& failure) {
      outcome.failure = failure;
    } catch (const std::exception& error) {  // no memory, say
      outcome.failure = Failure(ExitCode::kNoSolution, error.what());
    }
    advance(request.duration_s());  // what a failed run leaves out takes no more time
    return outcome;
  }

  const std::vector<RunRequest>& requests_;
  std::vector<std::shared_ptr<SharedStart>> starts_;  // each touched by its run only
  std::vector<RunOutcome> outcomes_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<double> simulated_s_ = 0;
  std::mutex mutex_;
  std::condition_variable run_done_;
  std::size_t runs_done_ = 0;  // under the mutex
};

}  // namespace

std::size_t BatchResult::failed() const {
  return static_cast<std::size_t>(std::count_if(outcomes.begin(), outcomes.end(),
                                                [](const RunOutcome& run) { return !run.result; }));
}

BatchResult run_batch(const std::vector<RunRequest>& requests, int workers,
                      const std::string& what) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Batch batch(requests);
  {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(workers));
    for (int i = 0; i < workers; ++i) {
      threads.emplace_back([&] { batch.work(); });
    }
    batch.watch(what);
  }
  BatchResult result{batch.take_outcomes(), workers, 0, 0};
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
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::min({jobs.value_or(cores), most, runs});
}

}  // namespace taut::tool
