// What makes ticks of a PC regular: rights of real time, and a timer over two threads that stand to
// each other as an interrupt does to a tick. Both are pinned to one core; the timer's comes first.
#pragma once

#include <atomic>
#include <cstdint>
#include <semaphore.h>
#include <thread>

#include <etl/span.h>

#include "boards/linux_pc/histogram.h"

namespace taut::board {

inline constexpr int kTimerPriority = 81;  // of SCHED_FIFO; ticks have one less

// One thing that was asked of the system: errno, or 0.
struct Grant {
  const char* what;
  int problem;
  const char* remedy;  // in words
};

// Locks memory, now and later, for the whole process. For set-up.
[[nodiscard]] Grant lock_memory();
// Of the calling thread.
[[nodiscard]] Grant pin_to_core(int core);
[[nodiscard]] Grant become_real_time(int priority);
// So much of the calling thread's stack is touched once, so that no tick waits for a page of it.
void touch_stack();

// Calls border() at every period by an absolute clock, and tick() after it where border() says so,
// at a lower priority. Times are those of the monotonic clock.
template <typename Border, typename Tick>
class PeriodicTicks {
 public:
  struct Spec {
    int core = -1;             // -1: wherever the system likes
    bool is_real_time = true;  // false: without rights, for trials
    std::uint64_t period_ns = 500'000;
    std::uint64_t ticks = 0;  // then it ends
  };

  PeriodicTicks(const Spec& spec, Border border, Tick tick)
      : spec_(spec), border_(border), tick_(tick) {
    sem_init(&due_, 0, 0);
    worker_ = std::thread([this] { run_ticks(); });
    timer_ = std::thread([this] { run_timer(); });
  }
  PeriodicTicks(const PeriodicTicks&) = delete;
  PeriodicTicks& operator=(const PeriodicTicks&) = delete;
  ~PeriodicTicks() {
    stop();
    timer_.join();
    worker_.join();
    sem_destroy(&due_);
  }

  void stop() { is_ending_.store(true); }
  [[nodiscard]] bool has_ended() const { return has_ended_.load(); }

  // After the end.
  [[nodiscard]] const Histogram& wake_up() const { return wake_up_; }
  [[nodiscard]] const Histogram& tick_time() const { return tick_time_; }

 private:
  void prepare(int priority) {
    if (spec_.core >= 0) {
      static_cast<void>(pin_to_core(spec_.core));
    }
    if (spec_.is_real_time) {
      static_cast<void>(become_real_time(priority));
    }
    touch_stack();
  }
  void run_timer();
  void run_ticks();

  Spec spec_;
  Border border_;
  Tick tick_;
  sem_t due_{};
  std::atomic<std::uint64_t> begun_{0};  // ticks
  std::atomic<bool> is_ending_{false};
  std::atomic<bool> has_ended_{false};
  Histogram wake_up_;    // from when it was due
  Histogram tick_time_;  // from border to end
  std::thread worker_;
  std::thread timer_;
};

[[nodiscard]] std::uint64_t now_ns();
// Until then; the system may come later.
void sleep_until_ns(std::uint64_t time_ns);

template <typename Border, typename Tick>
void PeriodicTicks<Border, Tick>::run_timer() {
  prepare(kTimerPriority);
  std::uint64_t due_ns = now_ns() + spec_.period_ns;
  for (std::uint64_t i = 0; i < spec_.ticks && !is_ending_.load(); ++i) {
    sleep_until_ns(due_ns);
    wake_up_.add_ns(now_ns() - due_ns);
    if (border_()) {
      begun_.store(begun_.load() + 1);
      sem_post(&due_);
    }
    due_ns += spec_.period_ns;
  }
  sem_post(&due_);  // for no tick: the end
}

template <typename Border, typename Tick>
void PeriodicTicks<Border, Tick>::run_ticks() {
  prepare(kTimerPriority - 1);
  for (std::uint64_t run = 0;; ++run) {
    while (sem_wait(&due_) != 0) {
    }
    if (run == begun_.load()) {
      has_ended_.store(true);
      return;
    }
    const std::uint64_t begin_ns = now_ns();
    tick_();
    tick_time_.add_ns(now_ns() - begin_ns);
  }
}

}  // namespace taut::board
