// A part of a parameter store, which is a store too: several things may be kept in one.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/span.h>

#include "hal/parameter_store.h"
#include "sim_core/assert.h"

namespace taut::hal {

template <ParameterStore Store>
class StoreRegion {
 public:
  // Offset and size are multiples of the erase unit, inside the store.
  StoreRegion(Store& store, std::size_t offset, std::size_t size)
      : store_(store), offset_(offset), size_(size) {
    TAUT_ASSERT(offset <= store.size() && size <= store.size() - offset, offset);
    TAUT_ASSERT(offset % store.erase_unit() == 0 && size % store.erase_unit() == 0, size);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t erase_unit() const { return store_.erase_unit(); }
  [[nodiscard]] std::size_t write_unit() const { return store_.write_unit(); }

  [[nodiscard]] StoreStatus read(std::size_t offset, etl::span<std::uint8_t> into) {
    return is_inside(offset, into.size()) ? store_.read(offset_ + offset, into)
                                          : StoreStatus::kOutside;
  }
  [[nodiscard]] StoreStatus write(std::size_t offset, etl::span<const std::uint8_t> from) {
    return is_inside(offset, from.size()) ? store_.write(offset_ + offset, from)
                                          : StoreStatus::kOutside;
  }
  [[nodiscard]] StoreStatus erase(std::size_t offset, std::size_t size) {
    return is_inside(offset, size) ? store_.erase(offset_ + offset, size) : StoreStatus::kOutside;
  }

 private:
  [[nodiscard]] bool is_inside(std::size_t offset, std::size_t size) const {
    return offset <= size_ && size <= size_ - offset;
  }

  Store& store_;
  std::size_t offset_;
  std::size_t size_;
};

}  // namespace taut::hal
