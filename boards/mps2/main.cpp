// The composition for both boards: what they differ in is the linker's (flash) and the compiler's.
#include "board.h"
#include "boards/mps2/lock_step.h"

namespace {

using namespace taut;

mps2::LockStep& machine() {
  static mps2::LockStep lock_step(board::flash());
  return lock_step;
}

}  // namespace

extern "C" {

void Interrupt2_Handler() noexcept {
  machine().link().uart().receive_from_interrupt();
}

// The watchdog's warning: there is nothing to save, and its reset follows.
void NMI_Handler() noexcept {
  for (;;) {
  }
}
}

int main() {
  mps2::LockStep& lock_step = machine();
  lock_step.start();
  cortex_m::enable_interrupt(board::kUart1ReceiveInterrupt);
  lock_step.run();
  board::mark_end();
  board::console().write("OK\n");
  return 0;
}
