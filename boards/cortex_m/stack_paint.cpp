#include "boards/cortex_m/stack_paint.h"

#include <algorithm>
#include <cstdint>

extern "C" {
extern std::uint32_t __stack_bottom[];
extern std::uint32_t __stack_top[];
}

namespace taut::cortex_m {
namespace {
constexpr std::uint32_t kPaint = 0x5AFE57ACU;
}

void paint_stack() {
  std::uint32_t* stack_pointer = nullptr;
  asm volatile("mov %0, sp" : "=r"(stack_pointer));
  // A volatile loop: a call to memset would have its own frame painted over.
  for (volatile std::uint32_t* word = __stack_bottom; word != stack_pointer; ++word) {
    *word = kPaint;
  }
}

std::size_t stack_size_bytes() {
  return static_cast<std::size_t>(__stack_top - __stack_bottom) * sizeof(std::uint32_t);
}

std::size_t stack_used_bytes() {
  const std::uint32_t* const first_used =
      std::find_if(__stack_bottom, __stack_top, [](std::uint32_t word) { return word != kPaint; });
  return static_cast<std::size_t>(__stack_top - first_used) * sizeof(std::uint32_t);
}

}  // namespace taut::cortex_m
