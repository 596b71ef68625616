// What is kept of a run tick by tick, to be laid over another: means over each tick, since a plain
// choice of steps would fold the links' own vibration, at some kHz, onto low frequencies.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim_core/signal/chain_outputs.h"

namespace taut::tool {

struct RecordedTick {
  double time_s = 0;  // at its end
  float tagged_link_N = 0;
  float tagged_roller_N = 0;  // on a tooth
  std::array<float, signal::kMaxStrands> strand_N{};
};

class Recorder {
 public:
  explicit Recorder(std::uint64_t steps_a_tick) : steps_a_tick_(steps_a_tick) {}
  void add(const signal::ChainOutputs& outputs);
  [[nodiscard]] std::vector<RecordedTick> take() { return std::move(ticks_); }

 private:
  std::uint64_t steps_a_tick_;
  std::uint64_t steps_ = 0;
  RecordedTick sum_;
  std::vector<RecordedTick> ticks_;
};

}  // namespace taut::tool
