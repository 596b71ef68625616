// What is sent out each tick: the prediction, the same for analogue outputs, and what it took.
// Written by whoever calls the tick; the model knows no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/signal/prediction.h"

namespace taut::signal {

// Bits of health beside those of prediction.h, set in frames that leave a board.
inline constexpr std::uint32_t kLateTick = 1U << 24;     // no result in time: the values are older
inline constexpr std::uint32_t kSensorsLost = 1U << 25;  // nothing of the crank can be believed
inline constexpr std::uint32_t kNotRunning = 1U << 26;   // the board starts, or has a fault

// Currents of 4 to 20 mA. Which quantities they show is the firmware's affair.
inline constexpr std::size_t kAnalogOutputs = 4;

struct OutputFrame {
  Prediction prediction;
  etl::array<float, kAnalogOutputs> analog_mA;
  std::uint32_t tick_cost;        // of the tick that made it, in counts of the board's hal::Clock
  std::uint32_t worst_tick_cost;  // since the start
  std::uint32_t overruns;         // ticks that were not done when the next was due; wraps
};
static_assert(std::is_trivially_copyable_v<OutputFrame>);

}  // namespace taut::signal
