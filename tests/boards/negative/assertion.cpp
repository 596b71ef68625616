// A failed assertion ends the program although NDEBUG is defined.
#include "board.h"
#include "sim_core/assert.h"

int main() {
  volatile double value = 2.5;
  TAUT_ASSERT(value < 2, value);
  taut::board::console().write("OK\n");
  return 0;
}
