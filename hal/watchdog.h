// A watchdog: resets the board unless it is fed in time.
#pragma once

#include <concepts>
#include <cstdint>

namespace taut::hal {

// None blocks. start: once, at set-up, not from an interrupt. Returns false, and does not start, if
// the hardware cannot do this time-out; nothing stops it afterwards. The time-out is the shortest
// time without feed() that leads to a reset; the reset comes before twice of it has passed.
// feed: any interrupt may call it, but one place should: who feeds says that all is well.
// has_reset_board: whether the last start of the board was its doing.
template <typename T>
concept Watchdog = requires(T& watchdog, const T& unchanged, std::uint32_t timeout_ms) {
  { watchdog.start(timeout_ms) } -> std::same_as<bool>;
  { watchdog.feed() } -> std::same_as<void>;
  { unchanged.has_reset_board() } -> std::same_as<bool>;
};

}  // namespace taut::hal
