// What the processor saved when it met a fault, and the report of it.
// Ends the program: a board in a vehicle would reset here by its watchdog.
#pragma once

#include <cstdint>

// Armv7-M B1.5.6: pushed by the processor at exception entry.
struct ExceptionFrame {
  std::uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

extern "C" [[noreturn]] void taut_report_fault(const ExceptionFrame* frame);
