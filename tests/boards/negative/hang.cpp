// Never ends: the launcher's time limit must call it a failure.
int main() {
  for (;;) {
    asm volatile("");
  }
}
