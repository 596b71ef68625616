// Refers to a symbol that no image may have: FORBIDDEN_SYMBOL, a string.
void forbidden() asm(FORBIDDEN_SYMBOL);

int main() {
  forbidden();
  return 0;
}
