// Run-time measure of stack use: paint it at reset, look for the paint at the end.
// What one run did use; stack_bound.py tells what any run could use at most.
#pragma once

#include <cstddef>

namespace taut::cortex_m {

void paint_stack();  // from the reset handler only: everything below its frame is lost
[[nodiscard]] std::size_t stack_size_bytes();
[[nodiscard]] std::size_t stack_used_bytes();

}  // namespace taut::cortex_m
