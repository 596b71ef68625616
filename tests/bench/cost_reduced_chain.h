// What a step of the reduced chain costs, on the PC and on the boards.
#pragma once

namespace taut::bench {

// Prints lines as measure.h says. False if the tests' block does not fit this build.
[[nodiscard]] bool measure_reduced_chain();

}  // namespace taut::bench
