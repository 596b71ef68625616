// What a tick of the crank observer costs, on the PC and on the boards.
#pragma once

namespace taut::bench {

// Prints lines as measure.h says. False if the observer does not find its place.
[[nodiscard]] bool measure_observer();

}  // namespace taut::bench
