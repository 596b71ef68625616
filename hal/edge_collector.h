// Edges of the crank's pick-up, from the interrupt that sees them to the frame of their tick.
// A bounded queue between one interrupt and one tick; what does not fit is counted, not waited for.
// Not for filtering: what bounces or rings on the wire comes through.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/atomic.h>
#include <etl/queue_spsc_atomic.h>

#include "sim_core/assert.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::hal {

class EdgeCollector {
 public:
  // Counts of the free-running counter that stamps the edges; see clock.h.
  explicit EdgeCollector(std::uint32_t counts_per_tick)
      : counts_per_tick_(counts_per_tick), late_counts_(counts_per_tick / kLateParts) {
    TAUT_ASSERT(counts_per_tick >= kLateParts && counts_per_tick <= kMostCounts, counts_per_tick);
    // Rounded up: even the last count of 2^24 stays below a whole tick.
    moment_per_count_ = ((std::uint64_t{1} << 48) + counts_per_tick - 1) / counts_per_tick;
  }

  // From one interrupt, or from several that cannot interrupt each other. `counter` as it stood at
  // the edge. Does not block.
  void push_from_interrupt(std::uint32_t counter, signal::EdgeKind kind) {
    if (!queue_.push({counter, kind})) {
      const std::uint32_t overflows = overflows_.load(etl::memory_order_relaxed);
      overflows_.store(overflows + 1, etl::memory_order_relaxed);
    }
  }

  // From the tick, once, after its end: writes `edges`, `edge` and `edges_lost`. `tick_begin` is
  // the counter at the begin of the tick that has ended; edges after that tick wait for the next.
  void collect(std::uint32_t tick_begin, signal::SensorFrame& frame) {
    frame.edges = 0;
    Stamp stamp{};
    for (std::size_t i = 0; i < kQueued && queue_.front(stamp); ++i) {
      const auto after_begin = static_cast<std::int32_t>(stamp.counter - tick_begin);
      if (is_of_next_tick(after_begin)) {
        break;
      }
      static_cast<void>(queue_.pop());
      if (is_of_this_tick(after_begin) && frame.edges < signal::kMaxEdges) {
        insert({moment_of(after_begin), stamp.kind}, frame);
      } else {
        ++misplaced_;
      }
    }
    frame.edges_lost = overflows_.load(etl::memory_order_relaxed) + misplaced_;
  }

 private:
  // A full frame, and as much while that is being emptied.
  static constexpr std::size_t kQueued = 2 * signal::kMaxEdges;
  static constexpr std::uint32_t kMostCounts = 1U << 24;
  // An interrupt that was held up by 1/64 tick (8 us) still delivers into its next tick, at its
  // begin; what is older would mislead more than its absence.
  static constexpr std::uint32_t kLateParts = 64;

  struct Stamp {
    std::uint32_t counter;
    signal::EdgeKind kind;
  };

  // More than a tick ahead is not of the next one: the counter jumped.
  [[nodiscard]] bool is_of_next_tick(std::int32_t after_begin) const {
    const auto tick = static_cast<std::int32_t>(counts_per_tick_);
    return after_begin >= tick && after_begin - tick < tick;
  }

  [[nodiscard]] bool is_of_this_tick(std::int32_t after_begin) const {
    return after_begin >= -static_cast<std::int32_t>(late_counts_) &&
           after_begin < static_cast<std::int32_t>(counts_per_tick_);
  }

  [[nodiscard]] std::uint16_t moment_of(std::int32_t after_begin) const {
    const auto counts = static_cast<std::uint64_t>(after_begin < 0 ? 0 : after_begin);
    return static_cast<std::uint16_t>(counts * moment_per_count_ >> 32);
  }

  // In order of time: interrupts that wait together are served in an order of their own.
  static void insert(signal::Edge edge, signal::SensorFrame& frame) {
    std::size_t place = frame.edges;
    for (; place > 0 && frame.edge[place - 1].moment > edge.moment; --place) {
      frame.edge[place] = frame.edge[place - 1];
    }
    frame.edge[place] = edge;
    ++frame.edges;
  }

  std::uint32_t counts_per_tick_;
  std::uint32_t late_counts_;
  std::uint64_t moment_per_count_;  // in 2^-48 ticks
  etl::queue_spsc_atomic<Stamp, kQueued> queue_;
  etl::atomic<std::uint32_t> overflows_{0};  // written by the interrupt only
  std::uint32_t misplaced_ = 0;              // written by the tick only
};

}  // namespace taut::hal
