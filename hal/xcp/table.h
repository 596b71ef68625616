// What an XCP master can see: rows of the twin's table over three structs, reached by addresses
// that are the same on every target: number of the row x 256 + byte inside it. Rows of the inputs,
// the measurements and the calibrations follow one another.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/span.h>

#include "sim_core/signal/chain_outputs.h"
#include "sim_core/signal/entry.h"

namespace taut::hal::xcp {

enum class Part : std::uint8_t { kInput, kMeasurement, kCalibration };

struct Table {
  etl::span<const signal::Entry> inputs;        // of the sensor frame
  etl::span<const signal::Entry> measurements;  // of the prediction
  etl::span<const signal::Entry> calibrations;
};

// The structs themselves, as bytes. Only take_stimulus() writes the inputs, only
// commit_calibration() the calibrations.
struct Images {
  etl::span<std::uint8_t> inputs;
  etl::span<const std::uint8_t> measurements;
  etl::span<std::uint8_t> calibrations;
};

inline constexpr std::uint32_t kRowBytes = 256;

[[nodiscard]] constexpr std::uint32_t address_of(std::size_t row, std::size_t byte = 0) {
  return static_cast<std::uint32_t>(row) * kRowBytes + static_cast<std::uint32_t>(byte);
}

// Rows of sprockets are as long as on the largest drive, so that one A2L serves all.
[[nodiscard]] constexpr std::size_t size_of(const signal::Entry& entry) {
  return signal::size_of(entry.type) * signal::times(entry.repeat, signal::kMaxStrands);
}

// A stretch of bytes inside one row. `entry` is null if the address is of no row, or the stretch
// is empty or leaves its row.
struct Place {
  const signal::Entry* entry;
  Part part;
  std::uint32_t offset;  // in the part's struct
};
[[nodiscard]] Place find(const Table& table, std::uint32_t address, std::size_t size);

// Whether the bytes begin and end with whole elements of the row. For places that were found.
[[nodiscard]] bool is_whole(const signal::Entry& entry, std::uint32_t address, std::size_t size);

// Whether every element is within the row's range; what is not a number is not.
[[nodiscard]] bool is_in_range(const signal::Entry& entry, etl::span<const std::uint8_t> elements);

// Whether every row lies within its struct and fits kRowBytes.
[[nodiscard]] bool fits(const Table& table, const Images& images);

}  // namespace taut::hal::xcp
