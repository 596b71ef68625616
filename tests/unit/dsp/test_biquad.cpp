// The biquad cascade against recurrences worked by hand, in double, and by the plain reference.
// Tolerance: at most 9 roundings a sample, each passed on to the output by 1/A(z), so the error is
// below 9 u M ||1/A||_1, with u = 2^-24 and M a bound of every intermediate value.
#include <cmath>
#include <cstddef>

#include "unity.h"
#include <etl/array.h>
#include <etl/span.h>

#include "sim_core/dsp/dsp.h"
#include "tests/reference/dsp_plain.h"
#include "tests/unit/dsp/signals.h"

namespace dsp = taut::dsp;
namespace plain = taut::dsp_plain;

using namespace taut::dsp_test;

namespace {

// Poles of radius 1/2 and dyadic coefficients: the first outputs are exact in float.
constexpr dsp::BiquadSection kDyadic{1.0F, 0.5F, 0.25F, -0.5F, 0.25F};
// Butterworth low-pass, second order, 50 Hz at 2 kHz, by the bilinear transform.
constexpr dsp::BiquadSection kLowPass{0.0055427F, 0.0110854F, 0.0055427F, -1.7786318F, 0.8008026F};

void must_make(etl::span<const dsp::BiquadSection> sections, dsp::BiquadModel<>& model) {
  TEST_ASSERT_TRUE(dsp::make_biquad(sections, model) == dsp::BiquadStatus::kOk);
}

void check_equal(etl::span<const float> expected, etl::span<const float> actual) {
  for (std::size_t n = 0; n < expected.size(); ++n) {
    TEST_ASSERT_FLOAT_WITHIN(0.0F, expected[n], actual[n]);
  }
}

// By hand, y[n] = x[n] + x[n-1]/2 + x[n-2]/4 + y[n-1]/2 - y[n-2]/4:
// 1; 1/2 + 1/2; 1/4 + 1/2 - 1/4; 1/4 - 1/4; 0 - 1/8; -1/16 - 0; -1/32 + 1/32; 0 + 1/64.
void test_impulse_response_by_hand() {
  constexpr etl::array<float, 8> kExpected{1.0F,    1.0F,     0.5F, 0.0F,
                                           -0.125F, -0.0625F, 0.0F, 0.015625F};
  dsp::BiquadModel<> model;
  dsp::BiquadState<> state;
  must_make(etl::span<const dsp::BiquadSection>(&kDyadic, 1), model);
  etl::array<float, 8> y{1.0F};
  dsp::filter(model, state, y, y);
  check_equal(kExpected, y);
  dsp::reset(state);
  y = {1.0F};
  dsp::filter(model, state, y, y);
  check_equal(kExpected, y);
}

// H(1) = (b0 + b1 + b2) / (1 + a1 + a2) = 7/3 and its square in cascade, once the transient is gone
// (2^-200). Each section: 9 roundings of values below 3, ||1/A||_1 < 2.
void test_gain_at_dc() {
  constexpr etl::array<dsp::BiquadSection, 2> kTwice{kDyadic, kDyadic};
  static etl::array<float, 256> signal;
  for (const std::size_t sections : {std::size_t{1}, std::size_t{2}}) {
    dsp::BiquadModel<> model;
    dsp::BiquadState<> state;
    must_make(etl::span<const dsp::BiquadSection>(kTwice.data(), sections), model);
    signal.fill(1.0F);
    dsp::filter(model, state, signal, signal);
    const float expected = sections == 1 ? 7.0F / 3.0F : 49.0F / 9.0F;
    TEST_ASSERT_FLOAT_WITHIN(9.0F * kU * 6.0F * 4.0F, expected, signal[255]);
  }
}

// Against an independent recurrence (direct form I, double). Noise below 1, M = 4 (|a1| |y| + ...),
// ||1/A||_1 summed here from the impulse response of the poles alone.
void test_follows_its_recurrence() {
  static etl::array<float, 1024> x;
  static etl::array<float, 1024> y;
  dsp::BiquadModel<> model;
  dsp::BiquadState<> state;
  must_make(etl::span<const dsp::BiquadSection>(&kLowPass, 1), model);
  fill_noise(x);
  dsp::filter(model, state, x, y);
  const auto a1 = static_cast<double>(kLowPass.a1);
  const auto a2 = static_cast<double>(kLowPass.a2);
  double norm = 0.0;
  double h = 1.0;
  double h1 = 0.0;
  for (int n = 0; n < 1024; ++n) {
    norm += std::fabs(h);
    const double next = -a1 * h - a2 * h1;
    h1 = h;
    h = next;
  }
  const float tolerance = 9.0F * kU * 4.0F * static_cast<float>(norm);
  double x1 = 0.0, x2 = 0.0, y1 = 0.0, y2 = 0.0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const auto x0 = static_cast<double>(x[n]);
    const double y0 = static_cast<double>(kLowPass.b0) * x0 +
                      static_cast<double>(kLowPass.b1) * x1 +
                      static_cast<double>(kLowPass.b2) * x2 - a1 * y1 - a2 * y2;
    TEST_ASSERT_FLOAT_WITHIN(tolerance, static_cast<float>(y0), y[n]);
    x2 = x1;
    x1 = x0;
    y2 = y1;
    y1 = y0;
  }
}

// Cut anyhow, the same bits; and the reference stays near over two sections. Both sections inject
// (9 u M ||1/A||_1 each, ||1/A||_1 < 60 for the low-pass), passed on by gains of at most 3.
void test_blocks_join_without_seam() {
  static etl::array<float, 1024> x;
  static etl::array<float, 1024> whole;
  static etl::array<float, 1024> cut;
  static etl::array<float, 1024> reference;
  constexpr etl::array<dsp::BiquadSection, 2> kBoth{kLowPass, kDyadic};
  dsp::BiquadModel<> model;
  dsp::BiquadState<> state;
  must_make(kBoth, model);
  fill_noise(x);
  dsp::filter(model, state, x, whole);
  dsp::BiquadState<> state_cut;
  std::size_t at = 0;
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{0}, std::size_t{22}, std::size_t{1001}}) {
    dsp::filter(model, state_cut, etl::span<const float>(&x[at], size),
                etl::span<float>(&cut[at], 1024 - at));  // the shorter side decides
    at += size;
  }
  TEST_ASSERT_EQUAL_MEMORY(whole.data(), cut.data(), sizeof(cut));
  TEST_ASSERT_EQUAL_MEMORY(&state, &state_cut, sizeof(state));
  dsp::BiquadState<> state_plain;
  plain::filter(model, state_plain, x, reference);
  for (std::size_t n = 0; n < 1024; ++n) {
    TEST_ASSERT_FLOAT_WITHIN(9.0F * kU * 4.0F * 60.0F * 3.0F * 2.0F, reference[n], whole[n]);
  }
}

void test_refuses_what_it_cannot_hold() {
  using dsp::BiquadStatus;
  dsp::BiquadModel<1> model;
  dsp::BiquadState<1> state;
  const auto make = [&model](dsp::BiquadSection s) {
    return dsp::make_biquad(etl::span<const dsp::BiquadSection>(&s, 1), model);
  };
  constexpr etl::array<dsp::BiquadSection, 2> kTwo{kDyadic, kDyadic};
  TEST_ASSERT_TRUE(dsp::make_biquad({}, model) == BiquadStatus::kSectionCount);
  TEST_ASSERT_TRUE(dsp::make_biquad(kTwo, model) == BiquadStatus::kSectionCount);
  TEST_ASSERT_TRUE(make({1.0F, 0.0F, 0.0F, 0.0F, 1.0F}) == BiquadStatus::kUnstable);
  TEST_ASSERT_TRUE(make({1.0F, 0.0F, 0.0F, -1.5F, 0.5F}) == BiquadStatus::kUnstable);
  TEST_ASSERT_TRUE(make({1.0F, 0.0F, 0.0F, 1.5F, 0.5F}) == BiquadStatus::kUnstable);
  TEST_ASSERT_TRUE(make({1.0F, 0.0F, 0.0F, 0.0F, kNan}) == BiquadStatus::kUnstable);
  TEST_ASSERT_TRUE(make({1.0F, 0.0F, kNan, 0.0F, 0.0F}) == BiquadStatus::kUnstable);
  etl::array<float, 4> x{1.0F, -2.0F, 3.0F, 4.0F};  // the model is still empty: passes through
  etl::array<float, 4> y{};
  dsp::filter(model, state, x, y);
  check_equal(x, y);
  TEST_ASSERT_TRUE(make({1.0F, 0.0F, 0.0F, -1.4F, 0.5F}) == BiquadStatus::kOk);
}

}  // namespace

void setUp() {
  restart_noise();
}

void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_impulse_response_by_hand);
  RUN_TEST(test_gain_at_dc);
  RUN_TEST(test_follows_its_recurrence);
  RUN_TEST(test_blocks_join_without_seam);
  RUN_TEST(test_refuses_what_it_cannot_hold);
  return UNITY_END();
}
