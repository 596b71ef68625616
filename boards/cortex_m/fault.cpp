#include "boards/cortex_m/fault.h"

#include <etl/string.h>
#include <etl/string_stream.h>

#include "board.h"
#include "boards/cortex_m/exit_codes.h"
#include "boards/cortex_m/registers.h"
#include "sim_core/assert.h"

extern "C" {

extern std::uint32_t __stack_bottom[];
extern std::uint32_t __stack_top[];

void taut_report_fault(const ExceptionFrame* frame) {
  using namespace taut::cortex_m;
  std::uint32_t exception = 0;
  asm volatile("mrs %0, ipsr" : "=r"(exception));
  etl::string<160> text;
  etl::string_stream out(text);
  out << "fault: exception " << exception << etl::hex << etl::showbase;
  const auto address = reinterpret_cast<std::uintptr_t>(frame);
  const auto bottom = reinterpret_cast<std::uintptr_t>(__stack_bottom);
  const auto top = reinterpret_cast<std::uintptr_t>(__stack_top);
  if (address >= bottom && address + sizeof(ExceptionFrame) <= top) {
    out << ", pc " << frame->pc << ", lr " << frame->lr;
  } else {
    out << ", stack overflow, sp " << static_cast<std::uint32_t>(address);
  }
  out << ", cfsr " << static_cast<std::uint32_t>(reg32(kConfigurableFaultStatus)) << ", hfsr "
      << static_cast<std::uint32_t>(reg32(kHardFaultStatus)) << ", address "
      << static_cast<std::uint32_t>(reg32(kFaultAddress)) << "\n";
  taut::board::console().write(text);
  taut::board::end(kExitFault);
}
}
