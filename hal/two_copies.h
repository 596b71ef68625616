// Bytes kept over a loss of power: two copies in a parameter store, each with a sequence number and
// a CRC-32. A save writes the older one; whenever power fails, the other is whole.
// Not for a tick: blocks as the store does.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/span.h>

#include "hal/parameter_store.h"

namespace taut::hal {

enum class CopyStatus : std::uint8_t {
  kOk,
  kNone,          // no copy is whole
  kTooLarge,      // for a copy when saving, for the given bytes when loading; nothing was done
  kDeviceFailed,  // the older copy may be lost, the newer is not
};

// A part of a store, which is a store too: several things may be kept in one.
template <ParameterStore Store>
class StoreRegion {
 public:
  // Offset and size are multiples of the erase unit, inside the store; else all is kOutside.
  StoreRegion(Store& store, std::size_t offset, std::size_t size);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t erase_unit() const;
  [[nodiscard]] std::size_t write_unit() const;
  [[nodiscard]] StoreStatus read(std::size_t offset, etl::span<std::uint8_t> into);
  [[nodiscard]] StoreStatus write(std::size_t offset, etl::span<const std::uint8_t> from);
  [[nodiscard]] StoreStatus erase(std::size_t offset, std::size_t size);

 private:
  Store& store_;
  std::size_t offset_;
  std::size_t size_;
};

// The largest size that save() takes: half of the store without a copy's header.
template <ParameterStore Store>
[[nodiscard]] std::size_t copy_capacity(const Store& store);

// The newest copy that is whole. `size`: of what was saved; what lies beyond in `into` is left.
template <ParameterStore Store>
[[nodiscard]] CopyStatus load_copy(Store& store, etl::span<std::uint8_t> into, std::size_t& size);

// kOk: this is what load_copy() gives from now on. Else it gives what it gave before.
template <ParameterStore Store>
[[nodiscard]] CopyStatus save_copy(Store& store, etl::span<const std::uint8_t> from);

}  // namespace taut::hal
