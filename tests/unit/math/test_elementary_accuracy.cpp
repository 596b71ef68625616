// Every elementary function within its stated error, against the platform's libm in a wider type:
// float against double, double against long double. Where long double is no wider than double the
// reference itself may be one ulp off, and exactly that much is allowed on top.

#include <cmath>
#include <cstdint>
#include <limits>

#include "unity.h"

#include "sim_core/math/atan.h"
#include "sim_core/math/exp.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/math/tanh.h"
#include "tests/unit/math/inputs.h"
#include "tests/unit/math/ulp.h"

namespace {

namespace math = taut::math;
using math::test::Inputs;
using math::test::ulp_error;

// A Cortex-M without a double unit spends thousands of instructions on one point of double.
constexpr bool kHost = sizeof(void*) == 8;
constexpr int kPoints = kHost ? 200'000 : 4'000;              // of each random set and each grid
constexpr int kPointsPerExponent = kHost ? 64 : 2;            // random mantissas in every binade
constexpr std::int32_t kQuarterTurns = kHost ? 20'000 : 500;  // multiples of pi/2 looked at

template <typename Real>
struct Wider;
template <>
struct Wider<float> {
  using Type = double;
  static constexpr double kBound_ulp = 2.0;
};
template <>
struct Wider<double> {
  using Type = long double;
  static constexpr double kBound_ulp = 4.0;
};

template <typename Real>
using WiderOf = typename Wider<Real>::Type;

template <typename Real>
constexpr double kReferenceSlack_ulp =
    std::numeric_limits<WiderOf<Real>>::digits > std::numeric_limits<Real>::digits ? 0.0 : 1.0;

// The worst error seen, and the arguments that gave it.
template <typename Real>
struct Worst {
  double error_ulp = 0.0;
  Real x = Real(0);
  Real y = Real(0);

  void note(double error, Real x_now, Real y_now = Real(0)) {
    if (error > error_ulp) {
      *this = {error, x_now, y_now};
    }
  }
};

void append_hex(char*& out, std::uint64_t bits, int width) {
  for (int shift = width - 4; shift >= 0; shift -= 4) {
    *out++ = "0123456789abcdef"[(bits >> shift) & 0xfU];
  }
  *out++ = ' ';
}

// Thousandths of an ulp are compared as integers, so that Unity prints them on every target.
template <typename Real>
void expect_within(double bound_ulp, const Worst<Real>& worst) {
  char message[64] = "argument bits ";
  char* out = message + 14;
  append_hex(out, math::to_bits(worst.x), math::FloatBits<Real>::kWidth);
  append_hex(out, math::to_bits(worst.y), math::FloatBits<Real>::kWidth);
  *out = '\0';
  const double error = worst.error_ulp < 1e6 ? worst.error_ulp : 1e6;
  const double bound = bound_ulp + kReferenceSlack_ulp<Real>;
  TEST_ASSERT_LESS_OR_EQUAL_UINT32_MESSAGE(static_cast<std::uint32_t>(1000.0 * bound),
                                           static_cast<std::uint32_t>(1000.0 * error), message);
}

// Calls visit(x) for x and its neighbours, both signs.
template <typename Real, typename Visit>
void around(Real x, Visit visit) {
  const auto bits = math::to_bits(math::magnitude(x));
  for (math::UintOf<Real> step = 0; step <= 8U; ++step) {
    const Real neighbour = math::from_bits<Real>(bits - 4U + step);
    visit(neighbour);
    visit(-neighbour);
  }
}

// Every binade of both signs: its first, its last and some random numbers.
template <typename Real, typename Visit>
void all_exponents(Visit visit) {
  Inputs inputs(0x5eed'0001U);
  constexpr auto kLast = (math::kInfinityBits<Real>) >> math::FloatBits<Real>::kFractionBits;
  for (math::UintOf<Real> field = 0; field <= kLast; ++field) {
    const auto first = field << math::FloatBits<Real>::kFractionBits;
    for (int i = 0; i < kPointsPerExponent + 2; ++i) {
      const auto random = math::to_bits(inputs.any_bits<Real>()) & math::kFractionMask<Real>;
      const auto fraction = i == 0 ? 0U : (i == 1 ? math::kFractionMask<Real> : random);
      visit(math::from_bits<Real>(first | fraction));
      visit(-math::from_bits<Real>(first | fraction));
    }
  }
}

template <typename Real, typename Visit>
void grids(Real range, Visit visit) {
  Inputs inputs(0x5eed'0002U);
  for (int i = 0; i < kPoints; ++i) {
    visit(inputs.any_bits<Real>());
    visit(inputs.uniform<Real>(-range, range));
    visit(range * (static_cast<Real>(2 * i - kPoints) / static_cast<Real>(kPoints)));
  }
}

// Ours and the reference over all binades, a useful range and the neighbourhood of its ends.
template <typename Real, typename Ours, typename Reference>
Worst<Real> worst_of(Real range, Ours ours, Reference reference) {
  Worst<Real> worst;
  const auto visit = [&](Real x) {
    worst.note(ulp_error(ours(x), reference(static_cast<WiderOf<Real>>(x))), x);
  };
  all_exponents<Real>(visit);
  grids<Real>(range, visit);
  around<Real>(range, visit);
  return worst;
}

template <typename Real>
void expect_sin_and_cos_near_multiples(Real angle, Worst<Real>& worst) {
  using W = WiderOf<Real>;
  around<Real>(angle, [&](Real x) {
    worst.note(ulp_error(math::sin(x), std::sin(static_cast<W>(x))), x);
    worst.note(ulp_error(math::cos(x), std::cos(static_cast<W>(x))), x);
  });
}

template <typename Real>
void sin_and_cos_near_multiples_of_a_quarter_turn() {
  Worst<Real> worst;
  for (std::int32_t k = 1; k <= kQuarterTurns; ++k) {
    expect_sin_and_cos_near_multiples(static_cast<Real>(k) * math::kHalfPi<Real>, worst);
    expect_sin_and_cos_near_multiples(static_cast<Real>(k) * math::kQuarterPi<Real>, worst);
  }
  // The float and the double that come nearest to a multiple of pi/2 (Muller, Elementary
  // Functions, table of worst cases for range reduction): nothing but the integer product survives.
  if constexpr (sizeof(Real) == 4) {
    expect_sin_and_cos_near_multiples(16367173.0F * 0x1p72F, worst);
  } else {
    expect_sin_and_cos_near_multiples(6381956970095103.0 * 0x1p797, worst);
  }
  expect_within(Wider<Real>::kBound_ulp, worst);
}

template <typename Real>
void sin_of_every_size() {
  using W = WiderOf<Real>;
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(
                                             Real(100), [](Real x) { return math::sin(x); },
                                             [](W x) { return std::sin(x); }));
}

template <typename Real>
void cos_of_every_size() {
  using W = WiderOf<Real>;
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(
                                             Real(100), [](Real x) { return math::cos(x); },
                                             [](W x) { return std::cos(x); }));
}

template <typename Real>
void atan_of_every_size() {
  using W = WiderOf<Real>;
  const auto ours = [](Real x) { return math::atan(x); };
  const auto reference = [](W x) { return std::atan(x); };
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(Real(0.5), ours, reference));
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(Real(2), ours, reference));
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(Real(10), ours, reference));
}

template <typename Real>
void atan2_of_every_pair() {
  using W = WiderOf<Real>;
  Worst<Real> worst;
  const auto visit = [&](Real y, Real x) {
    const W exact = std::atan2(static_cast<W>(y), static_cast<W>(x));
    worst.note(ulp_error(math::atan2(y, x), exact), x, y);
  };
  Inputs inputs(0x5eed'0003U);
  for (int i = 0; i < kPoints; ++i) {
    // Named first: the order in which arguments are evaluated is the compiler's choice.
    const Real any_y = inputs.any_bits<Real>();
    const Real any_x = inputs.any_bits<Real>();
    visit(any_y, any_x);
    const Real plain_y = inputs.uniform<Real>(Real(-4), Real(4));
    const Real plain_x = inputs.uniform<Real>(Real(-4), Real(4));
    visit(plain_y, plain_x);
    // Comparable sizes at any scale, the subnormals and the largest numbers among them.
    const Real x = inputs.any_bits<Real>();
    visit(x * inputs.uniform<Real>(Real(-3), Real(3)), x);
    visit(x, x * inputs.uniform<Real>(Real(-3), Real(3)));
  }
  expect_within(Wider<Real>::kBound_ulp, worst);
}

template <typename Real>
void tanh_of_every_size() {
  using W = WiderOf<Real>;
  const auto ours = [](Real x) { return math::tanh(x); };
  const auto reference = [](W x) { return std::tanh(x); };
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(Real(1), ours, reference));
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(Real(20), ours, reference));
}

template <typename Real>
void exp_down_to_the_subnormals_and_up_to_overflow() {
  using W = WiderOf<Real>;
  constexpr Real kOverflow = sizeof(Real) == 4 ? Real(88.722839) : Real(709.78271289338397);
  constexpr Real kUnderflow = sizeof(Real) == 4 ? Real(103.97208) : Real(745.13321910194110);
  const auto ours = [](Real x) { return math::exp(x); };
  const auto reference = [](W x) { return std::exp(x); };
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(Real(1), ours, reference));
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(kOverflow, ours, reference));
  expect_within(Wider<Real>::kBound_ulp, worst_of<Real>(kUnderflow, ours, reference));
}

template <typename Real>
void rsqrt_of_every_size() {
  using W = WiderOf<Real>;
  expect_within(Wider<Real>::kBound_ulp,
                worst_of<Real>(
                    Real(4), [](Real x) { return math::rsqrt(x); },
                    [](W x) { return W(1) / (x == W(0) ? x : std::sqrt(x)); }));
}

template <typename Real>
void sqrt_is_correctly_rounded() {
  using W = WiderOf<Real>;
  expect_within(
      0.5, worst_of<Real>(
               Real(4), [](Real x) { return math::sqrt(x); }, [](W x) { return std::sqrt(x); }));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(sin_of_every_size<float>);
  RUN_TEST(sin_of_every_size<double>);
  RUN_TEST(cos_of_every_size<float>);
  RUN_TEST(cos_of_every_size<double>);
  RUN_TEST(sin_and_cos_near_multiples_of_a_quarter_turn<float>);
  RUN_TEST(sin_and_cos_near_multiples_of_a_quarter_turn<double>);
  RUN_TEST(atan_of_every_size<float>);
  RUN_TEST(atan_of_every_size<double>);
  RUN_TEST(atan2_of_every_pair<float>);
  RUN_TEST(atan2_of_every_pair<double>);
  RUN_TEST(tanh_of_every_size<float>);
  RUN_TEST(tanh_of_every_size<double>);
  RUN_TEST(exp_down_to_the_subnormals_and_up_to_overflow<float>);
  RUN_TEST(exp_down_to_the_subnormals_and_up_to_overflow<double>);
  RUN_TEST(rsqrt_of_every_size<float>);
  RUN_TEST(rsqrt_of_every_size<double>);
  RUN_TEST(sqrt_is_correctly_rounded<float>);
  RUN_TEST(sqrt_is_correctly_rounded<double>);
  return UNITY_END();
}
