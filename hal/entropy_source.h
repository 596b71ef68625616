// Where random bytes come from: a generator in hardware, the operating system, or, on an emulated
// board, the host. Not for simulations: those want numbers that can be had again.
#pragma once

#include <concepts>
#include <cstdint>

#include <etl/span.h>

namespace taut::hal {

// fill: all bytes, or none and false if there is not enough at the moment; the caller asks again
// later. Does not wait; the slow loop's, not from an interrupt.
// is_secret: whether nobody else can know the bytes; false on emulated boards. The same always.
template <typename T>
concept EntropySource = requires(T& source, const T& unchanged, etl::span<std::uint8_t> into) {
  { source.fill(into) } -> std::same_as<bool>;
  { unchanged.is_secret() } -> std::same_as<bool>;
};

}  // namespace taut::hal
