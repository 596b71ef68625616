// What is sent out each tick: the prediction, and what it took. Written by whoever calls the tick;
// the model knows no clock.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/signal/prediction.h"

namespace taut::signal {

struct OutputFrame {
  Prediction prediction;
  std::uint32_t tick_cost;        // of the tick that made it, in counts of the board's hal::Clock
  std::uint32_t worst_tick_cost;  // since the start
  std::uint32_t overruns;         // ticks that were not done when the next was due; wraps
};
static_assert(std::is_trivially_copyable_v<OutputFrame>);

}  // namespace taut::signal
