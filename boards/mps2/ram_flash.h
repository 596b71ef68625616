// A hal::ParameterStore in RAM that behaves as flash: what is written has to be erased before. For
// boards without flash of their own; outlives a reset, not a loss of power.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <etl/span.h>

#include "hal/parameter_store.h"

namespace taut::mps2 {

class RamFlash {
 public:
  static constexpr std::size_t kEraseUnit = 4096;
  static constexpr std::size_t kWriteUnit = 8;

  explicit RamFlash(etl::span<std::uint8_t> memory) : memory_(memory) {}

  [[nodiscard]] std::size_t size() const { return memory_.size(); }
  [[nodiscard]] std::size_t erase_unit() const { return kEraseUnit; }
  [[nodiscard]] std::size_t write_unit() const { return kWriteUnit; }

  [[nodiscard]] hal::StoreStatus read(std::size_t offset, etl::span<std::uint8_t> into) const {
    if (!is_inside(offset, into.size())) {
      return hal::StoreStatus::kOutside;
    }
    std::copy_n(memory_.begin() + offset, into.size(), into.begin());
    return hal::StoreStatus::kOk;
  }

  [[nodiscard]] hal::StoreStatus write(std::size_t offset, etl::span<const std::uint8_t> from) {
    const hal::StoreStatus status = check(offset, from.size(), kWriteUnit);
    if (status != hal::StoreStatus::kOk) {
      return status;
    }
    const auto place = memory_.begin() + offset;
    const auto is_erased = [](std::uint8_t byte) { return byte == hal::kErased; };
    if (!std::all_of(place, place + from.size(), is_erased)) {
      return hal::StoreStatus::kNotErased;
    }
    std::copy(from.begin(), from.end(), place);
    return hal::StoreStatus::kOk;
  }

  [[nodiscard]] hal::StoreStatus erase(std::size_t offset, std::size_t size) {
    const hal::StoreStatus status = check(offset, size, kEraseUnit);
    if (status == hal::StoreStatus::kOk) {
      std::fill_n(memory_.begin() + offset, size, hal::kErased);
    }
    return status;
  }

 private:
  [[nodiscard]] bool is_inside(std::size_t offset, std::size_t size) const {
    return offset <= memory_.size() && size <= memory_.size() - offset;
  }

  [[nodiscard]] hal::StoreStatus check(std::size_t offset, std::size_t size,
                                       std::size_t unit) const {
    if (!is_inside(offset, size)) {
      return hal::StoreStatus::kOutside;
    }
    const bool is_aligned = offset % unit == 0 && size % unit == 0;
    return is_aligned ? hal::StoreStatus::kOk : hal::StoreStatus::kNotAligned;
  }

  etl::span<std::uint8_t> memory_;
};
static_assert(hal::ParameterStore<RamFlash>);

}  // namespace taut::mps2
