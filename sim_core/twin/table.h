// Every quantity that enters, leaves or steers a twin while it runs, as one table: CSV, logs, XCP,
// A2L and the live page are made of it. A row's number in it stays the same on every target.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/span.h>

#include "sim_core/signal/entry.h"

namespace taut::twin {

enum class Part : std::uint8_t { kInput, kMeasurement, kCalibration };
inline constexpr std::size_t kParts = 3;

// Of SensorFrame, Prediction and Calibration, in the order of Part. Rows of the three one after
// the other are the whole table.
[[nodiscard]] etl::span<const signal::Entry> entries(Part part);

}  // namespace taut::twin
