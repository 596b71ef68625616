// The integer square root equals the hardware's, bit for bit, where there is hardware; elsewhere
// the golden hashes compare the two across targets.

#include <cstdint>
#include <initializer_list>

#include "unity.h"

#include "sim_core/math/hash.h"
#include "sim_core/math/sqrt.h"
#include "tests/unit/math/inputs.h"

namespace {

namespace math = taut::math;
using math::test::Inputs;

constexpr int kPoints = sizeof(void*) == 8 ? 2'000'000 : 20'000;

// Roots as bits; NaN counts as equal to NaN whatever its sign.
template <typename Real>
bool roots_agree(Real x) {
  math::Hash64 hardware;
  math::Hash64 digits;
  hardware.add(math::sqrt(x));
  digits.add(math::detail::sqrt_by_digits(x));
  return hardware.value() == digits.value();
}

template <typename Real>
void digits_agree_with_hardware_on_random_bits() {
  Inputs inputs(0x5eed'0005U);
  for (int i = 0; i < kPoints; ++i) {
    const Real x = inputs.any_bits<Real>();
    TEST_ASSERT_TRUE(roots_agree(x));
    TEST_ASSERT_TRUE(roots_agree(math::magnitude(x)));
  }
}

// Squares and their neighbours: the root is a number or lies just beside one. Squares of numbers
// with one bit too many: the root lies just beside the middle of two.
template <typename Real>
void digits_agree_with_hardware_on_the_hardest_roundings() {
  Inputs inputs(0x5eed'0006U);
  for (int i = 0; i < kPoints / 4; ++i) {
    const Real root = inputs.uniform<Real>(Real(1), Real(4));
    const Real next = math::from_bits<Real>(math::to_bits(root) + 1U);
    for (const Real square : {root * root, root * next}) {
      const auto bits = math::to_bits(square);
      TEST_ASSERT_TRUE(roots_agree(square));
      TEST_ASSERT_TRUE(roots_agree(math::from_bits<Real>(bits + 1U)));
      TEST_ASSERT_TRUE(roots_agree(math::from_bits<Real>(bits - 1U)));
    }
  }
}

template <typename Real>
void digits_agree_with_hardware_in_every_binade() {
  constexpr auto kLast = (math::kInfinityBits<Real>) >> math::FloatBits<Real>::kFractionBits;
  for (math::UintOf<Real> field = 0; field <= kLast; ++field) {
    const auto first = field << math::FloatBits<Real>::kFractionBits;
    for (const auto fraction : {math::UintOf<Real>{0}, math::UintOf<Real>{1},
                                (math::kFractionMask<Real>) / 2U, math::kFractionMask<Real>}) {
      TEST_ASSERT_TRUE(roots_agree(math::from_bits<Real>(first | fraction)));
      TEST_ASSERT_TRUE(roots_agree(-math::from_bits<Real>(first | fraction)));
    }
  }
  for (math::UintOf<Real> subnormal = 1; subnormal <= math::kFractionMask<Real>; subnormal *= 2U) {
    TEST_ASSERT_TRUE(roots_agree(math::from_bits<Real>(subnormal)));
    TEST_ASSERT_TRUE(roots_agree(math::from_bits<Real>(subnormal + 1U)));
  }
}

template <typename Real>
void squares_of_integers_have_exact_roots() {
  for (std::uint32_t i = 1; i < 4096U; ++i) {
    const auto n = static_cast<Real>(i);
    TEST_ASSERT_TRUE(math::detail::sqrt_by_digits(n * n) == n);
    TEST_ASSERT_TRUE(math::sqrt(n * n) == n);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(digits_agree_with_hardware_on_random_bits<float>);
  RUN_TEST(digits_agree_with_hardware_on_random_bits<double>);
  RUN_TEST(digits_agree_with_hardware_on_the_hardest_roundings<float>);
  RUN_TEST(digits_agree_with_hardware_on_the_hardest_roundings<double>);
  RUN_TEST(digits_agree_with_hardware_in_every_binade<float>);
  RUN_TEST(digits_agree_with_hardware_in_every_binade<double>);
  RUN_TEST(squares_of_integers_have_exact_roots<float>);
  RUN_TEST(squares_of_integers_have_exact_roots<double>);
  return UNITY_END();
}
