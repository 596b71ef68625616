#include "board.h"
#include "boards/mps2/lock_step.h"

namespace {

using namespace taut;

mps2::LockStep& machine() {
  static const firmware::TwinBlockRead read = firmware::read_twin_block(board::model_flash());
  // Of a block that does not fit nothing is used but where it would lie.
  static const auto* const block = static_cast<const firmware::TwinBlock*>(
      static_cast<const void*>(board::model_flash().data()));
  static mps2::LockStep lock_step(*block, read.status);
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
