// A link that carries bytes both ways: UART, socket, USB. Knows no packets.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <etl/span.h>

namespace taut::hal {

// None blocks; not from an interrupt: the slow loop's. Bytes leave and arrive in order.
// read: moves what has arrived, as much as fits, and returns how many bytes; 0 if none.
// write: takes as many bytes as there is room for, from the first on, and returns how many; the
// caller offers the rest again.
// bytes_lost: that arrived and found no room since the start; wraps.
template <typename T>
concept ByteLink = requires(T& link, const T& unchanged, etl::span<std::uint8_t> into,
                            etl::span<const std::uint8_t> from) {
  { link.read(into) } -> std::same_as<std::size_t>;
  { link.write(from) } -> std::same_as<std::size_t>;
  { unchanged.bytes_lost() } -> std::same_as<std::uint32_t>;
};

}  // namespace taut::hal
