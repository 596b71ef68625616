// A console: text out to whoever watches the board (UART, terminal).
// For start-up messages, tests and the closing report; not for measured data.
#pragma once

#include <concepts>

#include <etl/string_view.h>

namespace taut::hal {

// Blocks until the device has taken the text, so never inside a tick.
// Not to be called from an interrupt, except by a fault handler that will not return.
// Returns nothing: a console that loses text has nobody to tell.
template <typename T>
concept Console = requires(T& console, etl::string_view text) {
  { console.write(text) } -> std::same_as<void>;
};

}  // namespace taut::hal
