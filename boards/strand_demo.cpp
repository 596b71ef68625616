// The strand demo as an image of its own, on every board.
#include "firmware/strand_demo.h"

#include "board.h"

int main() {
  taut::firmware::run_strand_demo(taut::board::console());
  return 0;
}
