// What a step of the roller chain costs, on the PC and on the boards, as a whole and in parts.
#pragma once

namespace taut::bench {

// Prints lines as measure.h says. False if the parts do not make a whole step.
[[nodiscard]] bool measure_roller_chain();

}  // namespace taut::bench
