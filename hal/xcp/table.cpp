#include "hal/xcp/table.h"

#include <cstring>

namespace taut::hal::xcp {
namespace {

using signal::Entry;

double value_at(const std::uint8_t* bytes, signal::Type type) {
  switch (type) {
    case signal::Type::kFloat64: {
      double value = 0;
      std::memcpy(&value, bytes, sizeof value);
      return value;
    }
    case signal::Type::kFloat32: {
      float value = 0;
      std::memcpy(&value, bytes, sizeof value);
      return static_cast<double>(value);
    }
    case signal::Type::kUint32:
      break;
  }
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

bool fit(etl::span<const Entry> entries, std::size_t size) {
  for (const Entry& entry : entries) {
    const std::size_t bytes = size_of(entry);
    if (bytes > kRowBytes || entry.offset > size || bytes > size - entry.offset) {
      return false;
    }
  }
  return true;
}

}  // namespace

Place find(const Table& table, std::uint32_t address, std::size_t size) {
  struct Rows {
    etl::span<const Entry> entries;
    Part part;
  };
  const Rows parts[] = {{table.inputs, Part::kInput},
                        {table.measurements, Part::kMeasurement},
                        {table.calibrations, Part::kCalibration}};
  std::size_t row = address / kRowBytes;
  const std::uint32_t byte = address % kRowBytes;
  for (const auto& [entries, part] : parts) {
    if (row < entries.size()) {
      const Entry& entry = entries[row];
      const std::size_t bytes = size_of(entry);
      if (size == 0 || byte >= bytes || size > bytes - byte) {
        break;
      }
      return {&entry, part, static_cast<std::uint32_t>(entry.offset) + byte};
    }
    row -= entries.size();
  }
  return {nullptr, Part::kInput, 0};
}

bool is_whole(const Entry& entry, std::uint32_t address, std::size_t size) {
  const std::size_t element = signal::size_of(entry.type);
  return address % kRowBytes % element == 0 && size % element == 0;
}

bool is_in_range(const Entry& entry, etl::span<const std::uint8_t> elements) {
  const std::size_t element = signal::size_of(entry.type);
  for (std::size_t i = 0; i + element <= elements.size(); i += element) {
    const double value = value_at(elements.data() + i, entry.type);
    if (!(value >= entry.lowest && value <= entry.highest)) {
      return false;
    }
  }
  return true;
}

bool fits(const Table& table, const Images& images) {
  return fit(table.inputs, images.inputs.size()) &&
         fit(table.measurements, images.measurements.size()) &&
         fit(table.calibrations, images.calibrations.size());
}

}  // namespace taut::hal::xcp
