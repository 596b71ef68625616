// Says that all is well and returns that it is not.
#include "board.h"

int main() {
  taut::board::console().write("OK\n");
  return 3;
}
