// Between the interrupt that begins a tick and the tick itself, which it may find still running.
// One word that both change; whoever comes second sees what the first did. On a PC the two are
// threads.
#pragma once

#include <cstdint>

#include <etl/atomic.h>

namespace taut::firmware {

// What the interrupt finds at the border of two ticks.
enum class Border : std::uint8_t {
  kResult,   // of the tick that has ended in time; the next may begin
  kNone,     // no result: the first tick, or one that ended late; the next may begin
  kOverrun,  // the tick still runs, for the first time
  kStalled,  // it ran at the border before, too
};

[[nodiscard]] constexpr bool begins_tick(Border border) {
  return border == Border::kResult || border == Border::kNone;
}

class TickGate {
 public:
  // Does not block. Counts as begun what begins_tick().
  Border pass_border_from_interrupt() {
    Phase phase = phase_.load();
    if (phase == kRunning) {
      if (phase_.compare_exchange_strong(phase, kLate)) {
        return Border::kOverrun;
      }
    }
    if (phase == kLate) {
      return Border::kStalled;
    }
    phase_.store(kRunning);
    return phase == kReady ? Border::kResult : Border::kNone;
  }

  // By the tick. False: too late, its result is not to leave.
  bool end_tick() {
    Phase phase = kRunning;
    if (phase_.compare_exchange_strong(phase, kReady)) {
      return true;
    }
    phase_.store(kIdle);
    return false;
  }

  [[nodiscard]] bool is_running() const {
    const Phase phase = phase_.load();
    return phase == kRunning || phase == kLate;
  }

 private:
  using Phase = std::uint32_t;
  static constexpr Phase kIdle = 0;     // nothing runs, no result
  static constexpr Phase kRunning = 1;  // began, and no border has passed since
  static constexpr Phase kReady = 2;    // ended in time
  static constexpr Phase kLate = 3;     // runs beyond a border

  etl::atomic<Phase> phase_{kIdle};
};

}  // namespace taut::firmware
