// Corrects addition of doubles on cores without a double FPU.
//
// libgcc's __aeabi_dadd (gcc 12.2, ieee754-df.S) keeps of the smaller operand's low
// word only whether it is zero once the exponents differ by more than 32. If they
// differ by exactly 33 and the subtraction loses its leading bit, the top bit of that
// word decides the rounding and is missing: 1 - 0x1.54a1c409f1c1ap-33 comes out one
// unit in the last place too low. Same bits on all targets need the right one.
//
// The linker sends every call here (--wrap); __real_... are libgcc's own.
#include <algorithm>
#include <cstdint>

namespace {

// The bits of a double. Soft-float functions take and return doubles in integer
// registers, exactly as 64-bit integers; and an arithmetic operator here would call
// the function that it is part of.
using Bits = std::uint64_t;
constexpr Bits kSign = Bits{1} << 63U;
constexpr Bits kLowWord = 0xFFFFFFFFU;

int exponent(Bits x) {
  return static_cast<int>((x >> 52U) & 0x7FFU);
}

// Subnormals have the scale of the smallest normal exponent.
int scale(Bits x) {
  return std::max(exponent(x), 1);
}

}  // namespace

extern "C" {

Bits __real___aeabi_dadd(Bits a, Bits b);

Bits __wrap___aeabi_dadd(Bits a, Bits b);
Bits __wrap___aeabi_dadd(Bits a, Bits b) {
  const Bits sum = __real___aeabi_dadd(a, b);
  const bool a_is_larger = scale(a) > scale(b);
  const Bits larger = a_is_larger ? a : b;
  const Bits smaller = a_is_larger ? b : a;
  const bool suspect = scale(larger) - scale(smaller) == 33 && exponent(sum) < exponent(larger);
  if (!suspect) {
    return sum;
  }
  // Since the leading bit is lost, larger + high has at most 53 bits: exact. Then the
  // exponents differ by 53 or more and libgcc rounds right.
  const Bits high = smaller & ~kLowWord;
  const Bits low = __real___aeabi_dadd(smaller, high ^ kSign);
  return __real___aeabi_dadd(__real___aeabi_dadd(larger, high), low);
}

Bits __wrap___aeabi_dsub(Bits a, Bits b);
Bits __wrap___aeabi_dsub(Bits a, Bits b) {
  return __wrap___aeabi_dadd(a, b ^ kSign);
}

Bits __wrap___aeabi_drsub(Bits a, Bits b);
Bits __wrap___aeabi_drsub(Bits a, Bits b) {
  return __wrap___aeabi_dadd(a ^ kSign, b);
}
}
