// Writes where nothing is.
#include <cstdint>

int main() {
  *reinterpret_cast<volatile std::uint32_t*>(0xF0000000U) = 1;
  return 0;
}
