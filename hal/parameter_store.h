// Memory that outlives a loss of power, such as a region of flash: bytes at offsets, erased in
// units before they are written. Knows nothing of copies, versions or checksums.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <etl/span.h>

namespace taut::hal {

enum class StoreStatus : std::uint8_t {
  kOk,
  kOutside,       // beyond the store's size; nothing was done
  kNotAligned,    // offset or size is not a multiple of the unit; nothing was done
  kNotErased,     // written over something; nothing was done
  kDeviceFailed,  // the device gave up: what it was doing is half done
};

// What an erased byte reads as.
inline constexpr std::uint8_t kErased = 0xFF;

// read, write and erase block, erase for up to a second, and flash may stop the processor
// meanwhile: at set-up or with the engine at rest only, never in a tick, never from an interrupt.
// read: any offset and size. write: erased bytes only, in write units; each byte once. erase: in
// erase units, to kErased. Sizes in bytes, the same at every call; an erase unit is a multiple of
// the write unit, and the store of the erase unit.
template <typename T>
concept ParameterStore = requires(T& store, const T& unchanged, std::size_t offset,
                                  std::size_t size, etl::span<std::uint8_t> into,
                                  etl::span<const std::uint8_t> from) {
  { unchanged.size() } -> std::same_as<std::size_t>;
  { unchanged.erase_unit() } -> std::same_as<std::size_t>;
  { unchanged.write_unit() } -> std::same_as<std::size_t>;
  { store.read(offset, into) } -> std::same_as<StoreStatus>;
  { store.write(offset, from) } -> std::same_as<StoreStatus>;
  { store.erase(offset, size) } -> std::same_as<StoreStatus>;
};

}  // namespace taut::hal
