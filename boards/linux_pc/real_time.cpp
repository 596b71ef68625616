#include "boards/linux_pc/real_time.h"

#include <cerrno>
#include <cstddef>
#include <ctime>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

namespace taut::board {
namespace {

constexpr std::uint64_t kSecond_ns = 1'000'000'000;
// Of a thread's 8 MiB; ticks use a few KiB.
constexpr std::size_t kTouchedBytes = 256 * std::size_t{1024};

constexpr const char* kRemedy =
    "run as root, or let the user have rtprio 81 and unlimited memlock (limits.conf(5))";

}  // namespace

Grant lock_memory() {
  const bool failed = mlockall(MCL_CURRENT | MCL_FUTURE) != 0;
  return {"memory locked (mlockall)", failed ? errno : 0, kRemedy};
}

Grant pin_to_core(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  return {"pinned to one core", pthread_setaffinity_np(pthread_self(), sizeof cores, &cores),
          "name a core that there is: --core"};
}

Grant become_real_time(int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  return {"real-time scheduling (SCHED_FIFO)",
          pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters), kRemedy};
}

void touch_stack() {
  constexpr std::size_t kPage = 4096;
  volatile std::byte stack[kTouchedBytes];
  for (std::size_t i = 0; i < kTouchedBytes; i += kPage) {
    stack[i] = std::byte{1};
    static_cast<void>(stack[i]);
  }
}

std::uint64_t now_ns() {
  timespec time{};
  static_cast<void>(clock_gettime(CLOCK_MONOTONIC, &time));
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond_ns +
         static_cast<std::uint64_t>(time.tv_nsec);
}

void sleep_until_ns(std::uint64_t time_ns) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(time_ns / kSecond_ns);
  time.tv_nsec = static_cast<long>(time_ns % kSecond_ns);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

}  // namespace taut::board
