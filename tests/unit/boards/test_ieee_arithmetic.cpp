// The arithmetic that everything stands on, in hardware or in the compiler's own
// library: every machine must round as IEEE 754 says. Golden hashes from x86-64 (SSE2)
// over operands whose exponents lie close together, far apart, and among subnormals.
#include <bit>
#include <cstdint>

#include "unity.h"

#include "sim_core/math/hash.h"

namespace {

using taut::math::Hash64;

class Random {
 public:
  std::uint64_t bits() {  // xorshift64, Marsaglia 2003
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
  }
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(bits() % limit); }

 private:
  std::uint64_t state_ = 88172645463325252U;
};

struct FloatFormat {
  using Real = float;
  using Uint = std::uint32_t;
  static constexpr std::uint32_t kFractionBits = 23;
  static constexpr std::uint32_t kExponents = 255;
};
struct DoubleFormat {
  using Real = double;
  using Uint = std::uint64_t;
  static constexpr std::uint32_t kFractionBits = 52;
  static constexpr std::uint32_t kExponents = 2047;
};

template <typename Format>
struct Pair {
  typename Format::Real a;
  typename Format::Real b;
};

// Most fractions have long runs of equal bits, where carries, ties and lost leading
// bits live.
template <typename Format>
typename Format::Real operand(Random& random, std::uint32_t exponent) {
  using Uint = typename Format::Uint;
  constexpr Uint kFraction = (Uint{1} << Format::kFractionBits) - 1;
  Uint fraction = static_cast<Uint>(random.bits()) & kFraction;
  const Uint low_run = kFraction >> random.below(Format::kFractionBits);
  switch (random.below(4)) {
    case 0:
      fraction &= ~low_run;
      break;
    case 1:
      fraction |= low_run;
      break;
    case 2:
      fraction &= low_run;
      break;
    default:
      break;
  }
  const Uint sign = static_cast<Uint>(random.below(2)) << (8 * sizeof(Uint) - 1);
  return std::bit_cast<typename Format::Real>(
      static_cast<Uint>(sign | (Uint{exponent} << Format::kFractionBits) | fraction));
}

// Exponents lie up to kSpread apart; every eighth upper one is that of infinity and NaN.
template <typename Format>
Pair<Format> pair(Random& random) {
  constexpr std::uint32_t kSpread = Format::kFractionBits + 4;
  std::uint32_t lower = random.below(Format::kExponents - kSpread);
  if (random.below(4) == 0) {
    lower = random.below(kSpread);  // subnormals and their neighbours
  }
  const std::uint32_t upper =
      random.below(8) == 0 ? Format::kExponents : lower + random.below(kSpread);
  const auto x = operand<Format>(random, lower);
  const auto y = operand<Format>(random, upper);
  return random.below(2) == 0 ? Pair<Format>{x, y} : Pair<Format>{y, x};
}

template <typename Format, typename Operation>
std::uint64_t hash_over_pairs(Operation operation) {
  Random random;
  Hash64 hash;
  for (int i = 0; i < 100'000; ++i) {
    const Pair<Format> operands = pair<Format>(random);
    hash.add(operation(operands.a, operands.b));
  }
  return hash.value();
}

template <typename Format>
void check_operations(std::uint64_t sum, std::uint64_t difference, std::uint64_t product,
                      std::uint64_t quotient) {
  using Real = typename Format::Real;
  const auto add = [](Real a, Real b) { return a + b; };
  const auto subtract = [](Real a, Real b) { return a - b; };
  const auto multiply = [](Real a, Real b) { return a * b; };
  const auto divide = [](Real a, Real b) { return a / b; };
  TEST_ASSERT_EQUAL_HEX64_MESSAGE(sum, hash_over_pairs<Format>(add), "sum");
  TEST_ASSERT_EQUAL_HEX64_MESSAGE(difference, hash_over_pairs<Format>(subtract), "difference");
  TEST_ASSERT_EQUAL_HEX64_MESSAGE(product, hash_over_pairs<Format>(multiply), "product");
  TEST_ASSERT_EQUAL_HEX64_MESSAGE(quotient, hash_over_pairs<Format>(divide), "quotient");
}

void test_float_operations_round_as_ieee() {
  check_operations<FloatFormat>(0x57FEE0A61095ED66U, 0x530871FDCEBC1A75U, 0x353D468FE10C8787U,
                                0x2F5329B45BC6EB71U);
}

void test_double_operations_round_as_ieee() {
  check_operations<DoubleFormat>(0x580700CEADA744ACU, 0x127C19AD1563207BU, 0xD54D288E5855A51DU,
                                 0x232FDAB6BE5EBBE3U);
}

void test_conversions_round_as_ieee() {
  Random random;
  Hash64 hash;
  for (int i = 0; i < 100'000; ++i) {
    const double wide = operand<DoubleFormat>(random, 860 + random.below(300));
    hash.add(static_cast<float>(wide));  // overflow, ties and subnormals
    hash.add(static_cast<double>(operand<FloatFormat>(random, random.below(255))));
    const auto integer = static_cast<std::int64_t>(random.bits()) >> random.below(64);
    hash.add(static_cast<float>(integer));
    hash.add(static_cast<double>(integer));
    hash.add(static_cast<float>(static_cast<std::uint64_t>(integer)));
    hash.add(static_cast<double>(static_cast<std::uint64_t>(integer)));
    const double in_range = operand<DoubleFormat>(random, 1023 + random.below(31));
    hash.add(static_cast<std::uint32_t>(static_cast<std::int32_t>(in_range)));
    hash.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(in_range * 1e6)));
  }
  TEST_ASSERT_EQUAL_HEX64(0x3F172C5EF57473B1U, hash.value());
}

// Where gcc's library for cores without a double FPU goes wrong: exponents 33 apart
// and a leading bit lost. 2^53 - 0x154a1c.409f... units of 2^-53 round up.
void test_subtraction_that_loses_its_leading_bit_rounds_to_nearest() {
  volatile double one = 1.0;
  volatile double small = 0x1.54a1c409f1c1ap-33;
  constexpr double kRight = 0x1.fffffffeab5e4p-1;
  TEST_ASSERT_TRUE(one - small == kRight);
  TEST_ASSERT_TRUE(-small + one == kRight);
  TEST_ASSERT_TRUE(small - one == -kRight);
}

// The same all over: larger numbers whose leading bit is about to go, subnormal smaller
// ones, ties, and the gaps beside 33.
void test_sums_of_doubles_33_binades_apart_round_as_ieee() {
  Random random;
  Hash64 hash;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint32_t lower = random.below(4) == 0 ? random.below(4) : random.below(2000);
    const double smaller = operand<DoubleFormat>(random, lower);
    const std::uint64_t exponent = lower + 32 + random.below(3);
    const std::uint64_t sign = random.bits() << 63U;
    const std::uint64_t fraction = (random.bits() & 0x1FFFFFU) >> random.below(22);
    const auto larger = std::bit_cast<double>(sign | (exponent << 52U) | fraction);
    hash.add(larger + smaller);
    hash.add(smaller - larger);
  }
  TEST_ASSERT_EQUAL_HEX64(0x1681CFA498DA139DU, hash.value());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_float_operations_round_as_ieee);
  RUN_TEST(test_double_operations_round_as_ieee);
  RUN_TEST(test_conversions_round_as_ieee);
  RUN_TEST(test_sums_of_doubles_33_binades_apart_round_as_ieee);
  RUN_TEST(test_subtraction_that_loses_its_leading_bit_rounds_to_nearest);
  return UNITY_END();
}
