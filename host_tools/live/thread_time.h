// Processor time of the calling thread, waiting not counted.
#pragma once

#include <ctime>

namespace taut::live {

[[nodiscard]] inline double thread_time_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace taut::live
