// One golden hash per function and type over 100 000 inputs: every compiler, optimisation level and
// target has to reproduce the same bits. A mismatch on one build only is a broken promise of the
// build; a mismatch on all is a changed function, and then the new value belongs here.

#include <cstdint>

#include "unity.h"

#include "sim_core/math/atan.h"
#include "sim_core/math/exp.h"
#include "sim_core/math/hash.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/math/tanh.h"
#include "tests/unit/math/inputs.h"

namespace {

namespace math = taut::math;
using math::Hash64;
using math::test::Inputs;

constexpr int kInputs = 100'000;

// Half random bit patterns, half uniform in the range where the function does its work.
template <typename Real, typename Function>
std::uint64_t hash_of(Real low, Real high, Function add_result) {
  Inputs inputs(0x7a07'0001U);
  Hash64 hash;
  for (int i = 0; i < kInputs / 2; ++i) {
    add_result(hash, inputs.any_bits<Real>());
    add_result(hash, inputs.uniform<Real>(low, high));
  }
  return hash.value();
}

template <typename Real>
void expect(std::uint64_t golden_float, std::uint64_t golden_double, std::uint64_t hash,
            const char* name) {
  TEST_ASSERT_EQUAL_HEX64_MESSAGE(sizeof(Real) == 4 ? golden_float : golden_double, hash, name);
}

template <typename Real>
void inputs_are_the_same_everywhere() {
  const auto hash = hash_of<Real>(Real(-100), Real(100), [](Hash64& sum, Real x) { sum.add(x); });
  expect<Real>(0xb213c0890906f52d, 0x6486bae3027bd90e, hash, "inputs");
}

template <typename Real>
void sin_gives_its_golden_bits() {
  const auto hash =
      hash_of<Real>(Real(-100), Real(100), [](Hash64& sum, Real x) { sum.add(math::sin(x)); });
  expect<Real>(0x2ce9f28dfd66394d, 0x9abb6086709f6db8, hash, "sin");
}

template <typename Real>
void cos_gives_its_golden_bits() {
  const auto hash =
      hash_of<Real>(Real(-100), Real(100), [](Hash64& sum, Real x) { sum.add(math::cos(x)); });
  expect<Real>(0x5a73959aff595978, 0x7575bf9525831700, hash, "cos");
}

template <typename Real>
void sincos_gives_its_golden_bits() {
  const auto hash = hash_of<Real>(Real(-7), Real(7), [](Hash64& sum, Real x) {
    const auto both = math::sincos(x);
    sum.add(both.sin);
    sum.add(both.cos);
  });
  expect<Real>(0x285af90dd6174787, 0xa3d3284382698d0a, hash, "sincos");
}

template <typename Real>
void atan_gives_its_golden_bits() {
  const auto hash =
      hash_of<Real>(Real(-4), Real(4), [](Hash64& sum, Real x) { sum.add(math::atan(x)); });
  expect<Real>(0x937a723ca5ff1375, 0x5048288481d4cbfd, hash, "atan");
}

template <typename Real>
void atan2_gives_its_golden_bits() {
  Real x = Real(1);
  const auto hash = hash_of<Real>(Real(-4), Real(4), [&x](Hash64& sum, Real y) {
    sum.add(math::atan2(y, x));
    x = y;  // the next pair mixes a bit pattern with a number of ordinary size
  });
  expect<Real>(0x608cff26876f03eb, 0xee3a18dc36e5bc29, hash, "atan2");
}

template <typename Real>
void tanh_gives_its_golden_bits() {
  const auto hash =
      hash_of<Real>(Real(-10), Real(10), [](Hash64& sum, Real x) { sum.add(math::tanh(x)); });
  expect<Real>(0x16bea8fb18b41914, 0xcb2f8236891f9e8c, hash, "tanh");
}

template <typename Real>
void exp_gives_its_golden_bits() {
  constexpr Real kRange = sizeof(Real) == 4 ? Real(110) : Real(760);
  const auto hash =
      hash_of<Real>(-kRange, kRange, [](Hash64& sum, Real x) { sum.add(math::exp(x)); });
  expect<Real>(0x02d61286591ad368, 0xd881adf95104855f, hash, "exp");
}

template <typename Real>
void sqrt_gives_its_golden_bits() {
  const auto hash =
      hash_of<Real>(Real(0), Real(4), [](Hash64& sum, Real x) { sum.add(math::sqrt(x)); });
  expect<Real>(0x26669c21f9a8e153, 0xb39ce0e7212bd7c9, hash, "sqrt");
}

template <typename Real>
void rsqrt_gives_its_golden_bits() {
  const auto hash =
      hash_of<Real>(Real(0), Real(4), [](Hash64& sum, Real x) { sum.add(math::rsqrt(x)); });
  expect<Real>(0x4dd04ca22a49a7bc, 0x708b6d40b4b7b144, hash, "rsqrt");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(inputs_are_the_same_everywhere<float>);
  RUN_TEST(inputs_are_the_same_everywhere<double>);
  RUN_TEST(sin_gives_its_golden_bits<float>);
  RUN_TEST(sin_gives_its_golden_bits<double>);
  RUN_TEST(cos_gives_its_golden_bits<float>);
  RUN_TEST(cos_gives_its_golden_bits<double>);
  RUN_TEST(sincos_gives_its_golden_bits<float>);
  RUN_TEST(sincos_gives_its_golden_bits<double>);
  RUN_TEST(atan_gives_its_golden_bits<float>);
  RUN_TEST(atan_gives_its_golden_bits<double>);
  RUN_TEST(atan2_gives_its_golden_bits<float>);
  RUN_TEST(atan2_gives_its_golden_bits<double>);
  RUN_TEST(tanh_gives_its_golden_bits<float>);
  RUN_TEST(tanh_gives_its_golden_bits<double>);
  RUN_TEST(exp_gives_its_golden_bits<float>);
  RUN_TEST(exp_gives_its_golden_bits<double>);
  RUN_TEST(sqrt_gives_its_golden_bits<float>);
  RUN_TEST(sqrt_gives_its_golden_bits<double>);
  RUN_TEST(rsqrt_gives_its_golden_bits<float>);
  RUN_TEST(rsqrt_gives_its_golden_bits<double>);
  return UNITY_END();
}
