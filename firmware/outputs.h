// What leaves at the border of two ticks: the prediction as a digital frame, some of its quantities
// as currents, and what both show when there is no prediction to be used.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/array.h>

#include "sim_core/signal/output_frame.h"

namespace taut::firmware {

inline constexpr float kLiveZero_mA = 4;
inline constexpr float kFullScale_mA = 20;
// Where a current that shows a value ends (NAMUR NE 43); a receiver takes less or more as a
// failure.
inline constexpr float kLowest_mA = 3.8F;
inline constexpr float kHighest_mA = 20.5F;

struct AnalogOutputSpec {
  float signal::Prediction::*quantity;
  float at_live_zero;  // value that 4 mA stands for, in the quantity's unit
  float at_full_scale;
  float fail_mA = kLiveZero_mA;  // 0 to 24
};

// What a digital frame shows while its health says "invalid".
enum class DigitalFail : std::uint8_t { kKeepLast, kZero };

struct OutputSpec {
  etl::array<AnalogOutputSpec, signal::kAnalogOutputs> analog;
  DigitalFail digital = DigitalFail::kKeepLast;
};

// For engines of the size of 6S90MC-C: full scale is beyond what its chain shows in running.
[[nodiscard]] OutputSpec default_outputs();

// Whether every scale has a length and every fail value is one that a converter can give.
[[nodiscard]] bool is_valid(const OutputSpec& spec);

// Prediction and currents of a tick that went well.
void show(const OutputSpec& spec, const signal::Prediction& prediction, signal::OutputFrame& frame);

// Fail values, because of these bits of health; the frame is the last that left.
void fail(const OutputSpec& spec, std::uint32_t why, signal::OutputFrame& frame);

}  // namespace taut::firmware
