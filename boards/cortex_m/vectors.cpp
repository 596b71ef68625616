// The vector table and what happens when something unexpected arrives.
// Handlers are weak: a driver or a test that owns an exception defines it.
#include <array>
#include <cstdint>

extern "C" {
extern std::uint32_t __stack_top[];
[[noreturn]] void Reset_Handler();

// Takes the stack pointer at the exception, then a fresh stack: after an
// overflow the old one cannot carry the report.
[[gnu::naked]] void Fault_Handler() noexcept {
  asm volatile(
      "mrs r0, msp\n"
      "ldr r1, =__stack_top\n"
      "msr msp, r1\n"
      "b taut_report_fault\n");
}

[[gnu::weak, gnu::alias("Fault_Handler")]] void NMI_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void HardFault_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void MemManage_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void BusFault_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void UsageFault_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void SVC_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void DebugMon_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void PendSV_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void SysTick_Handler() noexcept;
// Of peripherals: those that some board's driver uses, by their numbers on that board.
[[gnu::weak, gnu::alias("Fault_Handler")]] void Interrupt2_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void Interrupt4_Handler() noexcept;
[[gnu::weak, gnu::alias("Fault_Handler")]] void Interrupt8_Handler() noexcept;
}

namespace {

using Handler = void (*)();
struct VectorTable {
  std::uint32_t* initial_stack_pointer;
  Handler reset;
  std::array<Handler, 14> exceptions;
  std::array<Handler, 64> interrupts;  // MPS2 has 57; one that nobody enabled is a fault
};

constexpr std::array<Handler, 64> peripherals() {
  std::array<Handler, 64> handlers{};
  handlers.fill(Fault_Handler);
  handlers[2] = Interrupt2_Handler;
  handlers[4] = Interrupt4_Handler;
  handlers[8] = Interrupt8_Handler;
  return handlers;
}

[[gnu::section(".vectors"), gnu::used]] constinit const VectorTable kVectors = {
    __stack_top,
    Reset_Handler,
    {NMI_Handler, HardFault_Handler, MemManage_Handler, BusFault_Handler, UsageFault_Handler,
     nullptr, nullptr, nullptr, nullptr, SVC_Handler, DebugMon_Handler, nullptr, PendSV_Handler,
     SysTick_Handler},
    peripherals()};

}  // namespace
