// Ends well but says nothing: a test that did not run to its end.
int main() {
  return 0;
}
