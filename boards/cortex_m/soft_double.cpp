// Corrects addition of doubles on cores without a double FPU.
//
// libgcc's __aeabi_dadd (gcc 12.2, ieee754-df.S) keeps of the smaller operand's low
// word only whether it is zero once the exponents differ by more than 32. If they
// differ by exactly 33 and the subtraction loses its leading bit, the top bit of that
// word decides the rounding and is missing: 1 - 0x1.54a1c409f1c1ap-33 comes out one
// unit in the last place too low. Same bits on all targets need the right one.
//
// The linker sends every call here (--wrap); __real___aeabi_dadd is libgcc's own.
#include <algorithm>
#include <cstdint>

namespace {

// The bits of a double. Soft-float functions take and return doubles in integer
// registers, exactly as 64-bit integers; and an arithmetic operator here would call
// the function that it is part of.
using Bits = std::uint64_t;
constexpr Bits kSign = Bits{1} << 63U;
constexpr Bits kLeadingBit = Bits{1} << 52U;
constexpr int kNotFinite = 0x7FF;

struct Parts {
  int scale;      // exponent field; subnormals have that of the smallest normal number
  Bits mantissa;  // with the leading bit that normal numbers imply
};

Parts split(Bits x) {
  const auto exponent = static_cast<int>((x >> 52U) & kNotFinite);
  const Bits fraction = x & (kLeadingBit - 1);
  return {std::max(exponent, 1), exponent == 0 ? fraction : fraction | kLeadingBit};
}

// Whether libgcc may round this difference wrongly: 33 apart, and leading bit lost.
bool is_mistaken(const Parts& larger, const Parts& smaller) {
  if (larger.scale - smaller.scale != 33 || larger.scale == kNotFinite) {
    return false;
  }
  const Bits fraction = larger.mantissa - kLeadingBit;
  return fraction < (Bits{1} << 20U) && (fraction << 33U) < smaller.mantissa;
}

// The magnitude of larger - smaller where is_mistaken(): in units of 2^32 of the
// smaller's last place it is 2 L - S / 2^32, which rounds to 53 bits with half to even.
Bits difference(const Parts& larger, const Parts& smaller) {
  constexpr Bits kHalf = Bits{1} << 31U;
  const Bits above = 2 * larger.mantissa - (smaller.mantissa >> 32U);
  const Bits below = smaller.mantissa & 0xFFFFFFFFU;
  const bool down = below > kHalf || (below == kHalf && (above & 1U) != 0);
  const Bits mantissa = above - (down ? 1 : 0);
  // The leading bit adds to the exponent, and so does a mantissa rounded up to 2^53.
  return (static_cast<Bits>(larger.scale - 2) << 52U) + mantissa;
}

}  // namespace

extern "C" {

Bits __real___aeabi_dadd(Bits a, Bits b);

Bits __wrap___aeabi_dadd(Bits a, Bits b);
Bits __wrap___aeabi_dadd(Bits a, Bits b) {
  if (((a ^ b) & kSign) != 0) {
    const Parts a_parts = split(a);
    const Parts b_parts = split(b);
    if (is_mistaken(a_parts, b_parts)) {
      return (a & kSign) | difference(a_parts, b_parts);
    }
    if (is_mistaken(b_parts, a_parts)) {
      return (b & kSign) | difference(b_parts, a_parts);
    }
  }
  return __real___aeabi_dadd(a, b);
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
