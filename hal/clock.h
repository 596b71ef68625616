// A clock: a free-running counter, for the cost of a tick and the moment of an edge.
// Not for dates, nor for waiting.
#pragma once

#include <concepts>
#include <cstdint>

namespace taut::hal {

// now: counts up by itself and wraps from 2^32 - 1 to 0, so that differences of up to 2^31 counts
// are right; a driver of a shorter counter extends it. counts_per_s: the same at every call.
// Neither blocks; any interrupt may call both; neither can fail.
template <typename T>
concept Clock = requires(const T& clock) {
  { clock.now() } -> std::same_as<std::uint32_t>;
  { clock.counts_per_s() } -> std::same_as<std::uint32_t>;
};

}  // namespace taut::hal
