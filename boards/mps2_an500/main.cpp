#include "board.h"
#include "firmware/strand_demo.h"

int main() {
  taut::firmware::run_strand_demo(taut::board::console());
  return 0;
}
