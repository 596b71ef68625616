// Flash in RAM, with power that can be made to fail in the middle of a write or an erase.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/array.h>
#include <etl/span.h>

#include "hal/parameter_store.h"

namespace taut::hal::fakes {

template <std::size_t kSize = 1024, std::size_t kEraseUnit = 256, std::size_t kWriteUnit = 8>
class FakeParameterStore {
 public:
  static_assert(kEraseUnit % kWriteUnit == 0 && kSize % kEraseUnit == 0);

  FakeParameterStore() { bytes_.fill(kErased); }

  [[nodiscard]] std::size_t size() const { return kSize; }
  [[nodiscard]] std::size_t erase_unit() const { return kEraseUnit; }
  [[nodiscard]] std::size_t write_unit() const { return kWriteUnit; }

  [[nodiscard]] StoreStatus read(std::size_t offset, etl::span<std::uint8_t> into) const {
    if (!is_inside(offset, into.size())) {
      return StoreStatus::kOutside;
    }
    for (std::size_t i = 0; i < into.size(); ++i) {
      into[i] = bytes_[offset + i];
    }
    return StoreStatus::kOk;
  }

  [[nodiscard]] StoreStatus write(std::size_t offset, etl::span<const std::uint8_t> from) {
    const StoreStatus status = check(offset, from.size(), kWriteUnit);
    if (status != StoreStatus::kOk) {
      return status;
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (bytes_[offset + i] != kErased) {
        return StoreStatus::kNotErased;
      }
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!put(offset + i, from[i])) {
        return StoreStatus::kDeviceFailed;
      }
    }
    return StoreStatus::kOk;
  }

  [[nodiscard]] StoreStatus erase(std::size_t offset, std::size_t size) {
    const StoreStatus status = check(offset, size, kEraseUnit);
    if (status != StoreStatus::kOk) {
      return status;
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (!put(offset + i, kErased)) {
        return StoreStatus::kDeviceFailed;
      }
    }
    return StoreStatus::kOk;
  }

  // As the processor sees it, from a multiple of 8 on.
  [[nodiscard]] etl::span<const std::byte> memory() const {
    return {reinterpret_cast<const std::byte*>(bytes_.data()), kSize};
  }

  // So many bytes are still changed, then no more until power returns.
  void lose_power_after(std::size_t bytes) { bytes_until_loss_ = bytes; }
  void return_power() { bytes_until_loss_ = kNever; }

 private:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  [[nodiscard]] static bool is_inside(std::size_t offset, std::size_t size) {
    return offset <= kSize && size <= kSize - offset;
  }

  [[nodiscard]] static StoreStatus check(std::size_t offset, std::size_t size, std::size_t unit) {
    if (!is_inside(offset, size)) {
      return StoreStatus::kOutside;
    }
    const bool is_aligned = offset % unit == 0 && size % unit == 0;
    return is_aligned ? StoreStatus::kOk : StoreStatus::kNotAligned;
  }

  [[nodiscard]] bool put(std::size_t place, std::uint8_t byte) {
    if (bytes_until_loss_ == 0) {
      return false;
    }
    bytes_until_loss_ -= bytes_until_loss_ == kNever ? 0 : 1;
    bytes_[place] = byte;
    return true;
  }

  alignas(8) etl::array<std::uint8_t, kSize> bytes_;
  std::size_t bytes_until_loss_ = kNever;
};
static_assert(ParameterStore<FakeParameterStore<>>);

}  // namespace taut::hal::fakes
