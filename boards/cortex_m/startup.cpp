// From reset to main and back out: stack paint, float mode, memory, constructors.
// The order matters: nothing before copy_data() may use an initialised variable.
#include <cstdint>

#include <etl/string.h>
#include <etl/string_stream.h>

#include "board.h"
#include "boards/cortex_m/memory_init.h"
#include "boards/cortex_m/registers.h"
#include "boards/cortex_m/stack_paint.h"

// C++ forbids a program to call main; boot code has to, so it calls it by its symbol.
int program_main() asm("main");

extern "C" std::uint32_t __stack_bottom[];

namespace taut::cortex_m {
namespace {

void enable_fpu() {
  reg32(kCoprocessorAccess) = reg32(kCoprocessorAccess) | (0xFU << 20U);
  asm volatile("dsb\n isb" ::: "memory");
  // Round to nearest, no flush to zero, no default NaN, as on the PC: in this
  // context (FPSCR) and in every new one, interrupts included (FPDSCR).
  reg32(kFloatDefaultStatus) = 0;
  asm volatile("vmsr fpscr, %0" ::"r"(0));
}

void trap_programming_errors() {
  reg32(kHandlerControl) = reg32(kHandlerControl) | (7U << 16U);  // usage, bus, memory faults
  constexpr std::uint32_t kDivideByZero = 1U << 4U;
  reg32(kConfigurationControl) = reg32(kConfigurationControl) | kDivideByZero;
}

// The 64 KiB below the stack become untouchable: an overflow is a fault, whatever
// the bus does with an address where no memory is.
void guard_stack() {
  constexpr std::uint32_t kGuardBytes = 64 * 1024;
  constexpr std::uint32_t kNoAccess = (15U << 1U) | 1U;  // size 2^(15+1), enabled
  constexpr std::uint32_t kRestAsWithoutMpu = 0b101;
  reg32(kMpuRegionNumber) = 0;
  reg32(kMpuRegionBase) = reinterpret_cast<std::uintptr_t>(__stack_bottom) - kGuardBytes;
  reg32(kMpuRegionAttributes) = kNoAccess;
  reg32(kMpuControl) = kRestAsWithoutMpu;
  asm volatile("dsb\n isb" ::: "memory");
}

void report_stack() {
  etl::string<64> text;
  etl::string_stream out(text);
  out << "stack painted: " << stack_used_bytes() << " bytes of " << stack_size_bytes() << "\n";
  board::console().write(text);
}

}  // namespace
}  // namespace taut::cortex_m

// The processor has loaded the stack pointer from the vector table already.
extern "C" [[noreturn]] void Reset_Handler() {
  using namespace taut;
  cortex_m::paint_stack();
  cortex_m::enable_fpu();
  cortex_m::copy_data();
  cortex_m::clear_bss();
  cortex_m::trap_programming_errors();
  cortex_m::guard_stack();
  cortex_m::run_constructors();
  const int exit_code = program_main();
  cortex_m::report_stack();
  board::end(exit_code);
}
