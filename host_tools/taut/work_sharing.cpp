#include "host_tools/taut/work_sharing.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "host_tools/taut/progress.h"

namespace taut::tool {

int threads_for(const std::optional<int>& asked, std::size_t jobs) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto most = static_cast<int>(std::min<std::size_t>(jobs, kMostJobs));
  return std::min(asked.value_or(cores), most);
}

void share_work(const Workload& load, int threads,
                const std::function<void(std::size_t, const Advance&)>& job) {
  constexpr std::chrono::milliseconds kBetween{20};  // Progress shows less often
  std::atomic<std::size_t> next = 0;
  std::atomic<double> advanced = 0;
  std::mutex mutex;
  std::condition_variable job_done;
  std::size_t jobs_done = 0;  // under the mutex
  const Advance advance = [&](double more) { advanced += more; };
  // A worker's life: takes the next job until none is left.
  const auto work = [&] {
    for (std::size_t i = next++; i < load.count; i = next++) {
      job(i, advance);
      const std::scoped_lock lock(mutex);
      ++jobs_done;
      job_done.notify_one();
    }
  };
  std::vector<std::jthread> workers;
  workers.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back(work);
  }
  Progress progress(load.what, load.whole, load.unit);
  std::unique_lock lock(mutex);
  while (!job_done.wait_for(lock, kBetween, [&] { return jobs_done == load.count; })) {
    progress.show(advanced, "; " + std::to_string(jobs_done) + " of " + std::to_string(load.count) +
                                " " + load.jobs + " done");
  }
}

}  // namespace taut::tool
