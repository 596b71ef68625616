#include "firmware/self_test.h"

#include "sim_core/math/atan.h"
#include "sim_core/math/exp.h"
#include "sim_core/math/hash.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/math/tanh.h"

namespace taut::firmware {
namespace {

// Of numbers_hash() on a PC.
constexpr std::uint64_t kFloatHash = 0xD7D8F3BE49FCF7FAU;
constexpr std::uint64_t kDoubleHash = 0x372B850FE2DBE172U;

}  // namespace

const char* reason(SelfTest result) {
  switch (result) {
    case SelfTest::kPassed:
      return "passed";
    case SelfTest::kOtherNumbers:
      return "arithmetic gives other bits than on every other target";
    case SelfTest::kFaultyMemory:
      return "memory does not hold what is written";
    case SelfTest::kNoModel:
      return "no model: its block is missing, damaged or another drive's";
    case SelfTest::kWrongOutputs:
      return "outputs: a scale without length, or a fail value outside of 0 to 24 mA";
    case SelfTest::kWrongChannels:
      break;
  }
  return "channels: limits of a sensor that cannot be";
}

template <typename Real>
std::uint64_t numbers_hash() {
  constexpr bool kIsFloat = sizeof(Real) == sizeof(float);
  math::Hash64 hash;
  for (int i = -20; i <= 20; ++i) {
    // Volatile, so that it is this processor that computes.
    const volatile Real argument = static_cast<Real>(i) * Real(0.37) + Real(0.01);
    const Real x = argument;
    const auto both = math::sincos(x);
    hash.add(both.sin);
    hash.add(both.cos);
    hash.add(math::atan(x));
    hash.add(math::tanh(x));
    hash.add(math::exp(x));
    hash.add(math::sqrt(x * x + Real(0.5)));
    hash.add(Real(1) / x);
  }
  // A subnormal, which a flushing unit loses; sums half way between two numbers, which go to even.
  const volatile Real small = kIsFloat ? Real(0x1p-130) : Real(0x1p-1030);
  hash.add(small * Real(0.5));
  const volatile Real half = kIsFloat ? Real(0x1p-24) : Real(0x1p-53);
  hash.add(Real(1) + half);
  hash.add(Real(1) + 3 * half);
  return hash.value();
}

template <typename Real>
SelfTest check_numbers() {
  constexpr std::uint64_t kHash = sizeof(Real) == sizeof(float) ? kFloatHash : kDoubleHash;
  return numbers_hash<Real>() == kHash ? SelfTest::kPassed : SelfTest::kOtherNumbers;
}

template std::uint64_t numbers_hash<float>();
template std::uint64_t numbers_hash<double>();
template SelfTest check_numbers<float>();
template SelfTest check_numbers<double>();

SelfTest check_memory(etl::span<volatile std::uint32_t> words) {
  // March C- in words (van de Goor 1991): each pattern is read before its inverse is written, once
  // upwards and once downwards. The address is in the pattern, so that no two words are one.
  constexpr std::uint32_t kPattern = 0x55AA33CCU;
  const auto pattern_of = [](std::size_t i) {
    return kPattern ^ (static_cast<std::uint32_t>(i) * 0x9E3779B9U);
  };
  bool good = true;
  const std::size_t count = words.size();
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = pattern_of(i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    good = good && words[i] == pattern_of(i);
    words[i] = ~pattern_of(i);
  }
  for (std::size_t i = count; i > 0; --i) {
    good = good && words[i - 1] == ~pattern_of(i - 1);
    words[i - 1] = pattern_of(i - 1);
  }
  for (std::size_t i = 0; i < count; ++i) {
    good = good && words[i] == pattern_of(i);
    words[i] = 0;
  }
  return good ? SelfTest::kPassed : SelfTest::kFaultyMemory;
}

}  // namespace taut::firmware
