// What a step of the implicit chain costs, on the PC and on the boards.
#pragma once

namespace taut::bench {

// Prints lines as measure.h says. False if 6S90MC-C is no drive for it.
[[nodiscard]] bool measure_implicit_chain();

}  // namespace taut::bench
