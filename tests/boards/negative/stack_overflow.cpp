// Uses more stack than there is: it must fault, not eat variables.
int main() {
  volatile char more_than_there_is[20'000];
  for (volatile char& byte : more_than_there_is) {
    byte = 1;
  }
  return 0;
}
