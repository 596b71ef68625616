#include "host_tools/taut/run_batch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "host_tools/taut/progress.h"
#include "sim_core/drive/fields.h"

namespace taut::tool {
namespace {

// A drive's rest: found by the first run that needs it, gone with the last.
struct SharedRest {
  std::once_flag once;
  std::unique_ptr<const RestingDrive> resting;
  std::optional<Failure> failure;
};

const RestingDrive& rest_of(const RunRequest& request, SharedRest& shared) {
  std::call_once(shared.once, [&] {
    try {
      shared.resting = std::make_unique<const RestingDrive>(rest_of(request));
    } catch (const Failure& failure) {  // kept: no other run would fare better
      shared.failure = failure;
    }
  });
  if (shared.failure) {
    throw Failure(*shared.failure);
  }
  return *shared.resting;
}

void append(std::string& bytes, double value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// All that a rest depends on, and the name that a failure to find it tells.
std::string rest_key(const RunRequest& request) {
  std::string key(request.spec.name.begin(), request.spec.name.end());
  append(key, request.tooth_phase);
  drive::for_each_section(request.spec, [&](const auto& section, int index) {
    using Section = std::decay_t<decltype(section)>;
    append(key, index);
    for (const auto& field : drive::fields<Section>()) {
      append(key, field.get(section));
    }
  });
  return key;
}

std::vector<std::shared_ptr<SharedRest>> shared_rests(const std::vector<RunRequest>& requests) {
  std::map<std::string, std::shared_ptr<SharedRest>> known;
  std::vector<std::shared_ptr<SharedRest>> rests;
  for (const RunRequest& request : requests) {
    std::shared_ptr<SharedRest>& rest = known[rest_key(request)];
    if (!rest) {
      rest = std::make_shared<SharedRest>();
    }
    rests.push_back(rest);
  }
  return rests;
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
      : requests_(requests), rests_(shared_rests(requests)), outcomes_(requests.size()) {}

  // A worker's life: takes the next run until none is left.
  void work() {
    for (std::size_t i = next_++; i < requests_.size(); i = next_++) {
      outcomes_[i] = run_one(i);
      rests_[i].reset();
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
      outcome.result = run_roller(request, rest_of(request, *rests_[i]), nullptr, advance);
    } catch (const Failure& failure) {
      outcome.failure = failure;
    } catch (const std::exception& error) {  // no memory, say
      outcome.failure = Failure(ExitCode::kNoSolution, error.what());
    }
    advance(request.duration_s());  // what a failed run leaves out takes no more time
    return outcome;
  }

  const std::vector<RunRequest>& requests_;
  std::vector<std::shared_ptr<SharedRest>> rests_;  // each touched by its run only
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

}  // namespace taut::tool
