#include "boards/cortex_m/memory_init.h"

#include <algorithm>
#include <cstdint>

extern "C" {
extern const std::uint32_t __data_load[];
extern std::uint32_t __data_begin[];
extern std::uint32_t __data_end[];
extern std::uint32_t __bss_begin[];
extern std::uint32_t __bss_end[];
using Constructor = void (*)();
extern const Constructor __init_array_begin[];
extern const Constructor __init_array_end[];
}

namespace taut::cortex_m {

void copy_data() {
  std::copy(__data_load, __data_load + (__data_end - __data_begin), __data_begin);
}

void clear_bss() {
  std::fill(__bss_begin, __bss_end, 0U);
}

void run_constructors() {
  for (const Constructor* constructor = __init_array_begin; constructor != __init_array_end;
       ++constructor) {
    (*constructor)();
  }
}

}  // namespace taut::cortex_m
