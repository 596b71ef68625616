// The facade against closed forms and against the plain reference. Where CMSIS-DSP is missing the
// facade is the reference, and only the closed forms say something.
// Tolerances come from rounding analysis, with u = 2^-24 the rounding unit of float:
//   transform  2-norm error <= 7 u log2(N) of the spectrum's 2-norm (dsp.h); one bin cannot be
//              worse than the whole, so the same number bounds every bin;
//   sums       error <= N u of the sum of magnitudes.
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

constexpr float log2_of(std::size_t n) {
  return n <= 1 ? 0.0F : 1.0F + log2_of(n / 2);
}

template <std::size_t N>
constexpr float kFftTolerance = log2_of(N) * (7.0F * kU);

// Static, since the stack of a target is 16 KiB; 14 N bytes.
template <std::size_t N>
struct Bench {
  static inline etl::array<float, N> signal;  // kept
  static inline etl::array<float, N> work;    // destroyed by the transform
  static inline dsp::Spectrum<N> spectrum;
  static inline etl::array<float, N / 2 + 1> amplitude;

  static void transform() {
    work = signal;
    dsp::rfft(work, spectrum);
  }
};

double sum_of_squares(etl::span<const float> values) {
  double sum = 0.0;
  for (const float x : values) {
    sum += static_cast<double>(x) * static_cast<double>(x);
  }
  return sum;
}

// 2-norm of the error over the 2-norm of the reference.
template <std::size_t N>
float relative_distance(const dsp::Spectrum<N>& a, const dsp::Spectrum<N>& reference) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.interleaved.size(); ++i) {
    const double d =
        static_cast<double>(a.interleaved[i]) - static_cast<double>(reference.interleaved[i]);
    sum += d * d;
  }
  return static_cast<float>(std::sqrt(sum / sum_of_squares(reference.interleaved)));
}

template <std::size_t N>
void check_against_reference() {
  using B = Bench<N>;
  static dsp::Spectrum<N> expected;
  B::transform();
  B::work = B::signal;
  plain::rfft(B::work, expected);
  TEST_ASSERT_FLOAT_WITHIN(kFftTolerance<N>, 0.0F, relative_distance(B::spectrum, expected));
}

void test_transform_of_noise_is_the_reference() {
  fill_noise(Bench<256>::signal);
  check_against_reference<256>();
#if TAUT_HAVE_CMSIS_DSP  // a million slow steps to compare the reference with itself otherwise
  fill_noise(Bench<1024>::signal);
  check_against_reference<1024>();
#endif
}

void test_transform_of_structured_signals_is_the_reference() {
  auto& signal = Bench<256>::signal;
  signal.fill(0.0F);  // impulse away from the origin: all bins equally large, all phases
  signal[3] = 1.0F;
  check_against_reference<256>();
  for (std::size_t n = 0; n < signal.size(); ++n) {  // step in tension, newtons
    signal[n] = n < 100 ? 4.0e4F : 5.5e4F;
  }
  check_against_reference<256>();
  for (std::size_t n = 0; n < signal.size(); ++n) {  // sweep
    signal[n] = std::sin(static_cast<float>(n * n) * 0.003F);
  }
  check_against_reference<256>();
}

// A few bins stand for all where N^2 steps would take too long on a target.
template <std::size_t N>
void check_noise_bins() {
  using B = Bench<N>;
  fill_noise(B::signal);
  B::transform();
  // ||X|| over the full circle is sqrt(N) ||x||.
  const auto norm =
      static_cast<float>(std::sqrt(static_cast<double>(N) * sum_of_squares(B::signal)));
  for (const std::size_t bin : {std::size_t{0}, std::size_t{1}, N / 4 + 3, N / 2 - 1, N / 2}) {
    const plain::Bin expected = plain::dft_bin(B::signal, bin);
    const float tolerance = kFftTolerance<N> * norm;
    TEST_ASSERT_FLOAT_WITHIN(tolerance, static_cast<float>(expected.re), re(B::spectrum, bin));
    TEST_ASSERT_FLOAT_WITHIN(tolerance, static_cast<float>(expected.im), im(B::spectrum, bin));
  }
}

// Parseval: N sum x^2 = X[0]^2 + X[N/2]^2 + 2 sum of the rest. Squaring doubles the relative error.
template <std::size_t N>
void check_parseval() {
  using B = Bench<N>;
  double power = 2.0 * sum_of_squares(B::spectrum.interleaved);
  for (const std::size_t edge : {std::size_t{0}, N / 2}) {
    power -=
        static_cast<double>(re(B::spectrum, edge)) * static_cast<double>(re(B::spectrum, edge));
  }
  const double ratio = power / (static_cast<double>(N) * sum_of_squares(B::signal));
  TEST_ASSERT_FLOAT_WITHIN(2.0F * kFftTolerance<N>, 0.0F, static_cast<float>(ratio - 1.0));
}

// A sine on a bin: its amplitude there, nothing elsewhere. The 2-norm of one line of amplitude A
// among single-sided amplitudes is A, so the tolerance is that of the transform; 3 u for rounding
// the input and the scaling.
template <std::size_t N>
void check_sine() {
  using B = Bench<N>;
  constexpr float kAmplitude = 3.0F;
  constexpr std::size_t kBin = N / 8 + 5;
  fill_cosine(B::signal, kBin, static_cast<double>(kAmplitude), kQuarterTurn_rad);
  B::transform();
  dsp::amplitudes(B::spectrum, dsp::kNoWindowGain, B::amplitude);
  constexpr float kTolerance = kAmplitude * (kFftTolerance<N> + 3.0F * kU);
  for (std::size_t k = 0; k <= N / 2; ++k) {
    TEST_ASSERT_FLOAT_WITHIN(kTolerance, k == kBin ? kAmplitude : 0.0F, B::amplitude[k]);
  }
}

template <std::size_t N>
void check_length() {
  check_noise_bins<N>();
  check_parseval<N>();
  check_sine<N>();
}

void test_length_256() {
  check_length<256>();
}
void test_length_512() {
  check_length<512>();
}
void test_length_1024() {
  check_length<1024>();
}

// Without CMSIS-DSP a core without double hardware would take minutes over these.
#if !TAUT_HAVE_CMSIS_DSP && defined(__arm__) && !(defined(__ARM_FP) && (__ARM_FP & 8))
void test_length_2048() {
  TEST_IGNORE_MESSAGE("reference too slow in software double");
}
void test_length_4096() {
  TEST_IGNORE_MESSAGE("reference too slow in software double");
}
#else
void test_length_2048() {
  check_length<2048>();
}
void test_length_4096() {
  check_length<4096>();
}
#endif

// Sign convention exp(-i...): a cosine is +N/2 real, a sine is -N/2 imaginary.
void test_phase_convention() {
  using B = Bench<256>;
  constexpr float kTolerance = 128.0F * (kFftTolerance<256> + kU);
  fill_cosine(B::signal, 7, 1.0, 0.0);
  B::transform();
  TEST_ASSERT_FLOAT_WITHIN(kTolerance, 128.0F, re(B::spectrum, 7));
  TEST_ASSERT_FLOAT_WITHIN(kTolerance, 0.0F, im(B::spectrum, 7));
  fill_cosine(B::signal, 7, 1.0, kQuarterTurn_rad);
  B::transform();
  TEST_ASSERT_FLOAT_WITHIN(kTolerance, 0.0F, re(B::spectrum, 7));
  TEST_ASSERT_FLOAT_WITHIN(kTolerance, -128.0F, im(B::spectrum, 7));
}

// Sums of equal powers of two are exact, so DC and Nyquist come out without error: no tolerance.
void test_dc_and_nyquist() {
  using B = Bench<512>;
  B::signal.fill(2.0F);
  B::transform();
  dsp::amplitudes(B::spectrum, dsp::kNoWindowGain, B::amplitude);
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 1024.0F, re(B::spectrum, 0));
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 0.0F, im(B::spectrum, 0));
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 2.0F, B::amplitude[0]);
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 0.0F, B::amplitude[256]);
  for (std::size_t n = 1; n < 512; n += 2) {
    B::signal[n] = -2.0F;
  }
  B::transform();
  dsp::amplitudes(B::spectrum, dsp::kNoWindowGain, B::amplitude);
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 0.0F, B::amplitude[0]);
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 1024.0F, re(B::spectrum, 256));
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 0.0F, im(B::spectrum, 256));
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 2.0F, B::amplitude[256]);
}

void test_nan_is_not_hidden() {
  using B = Bench<256>;
  B::signal.fill(1.0F);
  B::signal[17] = kNan;
  TEST_ASSERT_FLOAT_IS_NAN(dsp::rms(B::signal));
  TEST_ASSERT_FLOAT_IS_NAN(dsp::mean(B::signal));
  B::transform();
  dsp::amplitudes(B::spectrum, dsp::kNoWindowGain, B::amplitude);
  for (const float a : B::amplitude) {
    TEST_ASSERT_FLOAT_IS_NAN(a);
  }
}

dsp::Window<1024> hann;

// A weight may be off by half the rounding of its cosine's argument, at most 2 u of 2 pi, and a few
// u of its own: 10 u. The same then bounds the mean of the weights.
void test_hann_window() {
  constexpr std::size_t kN = 1024;
  constexpr float kTolerance = 10.0F * kU;
  static dsp::Window<kN> expected;
  dsp::fill_hann(hann);
  plain::fill_hann(expected);
  double sum = 0.0;
  for (std::size_t n = 0; n < kN; ++n) {
    TEST_ASSERT_FLOAT_WITHIN(kTolerance, expected.weight[n], hann.weight[n]);
    sum += static_cast<double>(hann.weight[n]);
  }
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 0.0F, hann.weight[0]);
  TEST_ASSERT_FLOAT_WITHIN(kTolerance, 1.0F, hann.weight[kN / 2]);
  TEST_ASSERT_FLOAT_WITHIN(kTolerance, 0.5F, static_cast<float>(sum / kN));
  TEST_ASSERT_FLOAT_WITHIN(kU, 0.5F, hann.coherent_gain);
  const double noise_bandwidth = kN * sum_of_squares(hann.weight) / (sum * sum);
  TEST_ASSERT_FLOAT_WITHIN(6.0F * kTolerance, 1.5F, static_cast<float>(noise_bandwidth));
  TEST_ASSERT_FLOAT_WITHIN(2.0F * kU, 1.5F, hann.noise_bandwidth_bins);
}

// Hann turns a line A into A/2, A, A/2 after division by its gain; nothing beyond the neighbours.
// In place, and from another array with the same result.
void test_hann_keeps_the_amplitude_of_a_sine() {
  using B = Bench<1024>;
  constexpr std::size_t kBin = 100;
  constexpr float kTolerance = 5.0F * (2.0F * kFftTolerance<1024> + 20.0F * kU);
  dsp::fill_hann(hann);
  fill_cosine(B::signal, kBin, 5.0, 0.3);
  dsp::apply(hann, B::signal, B::work);
  dsp::apply(hann, B::signal, B::signal);
  TEST_ASSERT_EQUAL_MEMORY(B::work.data(), B::signal.data(), sizeof(B::work));
  dsp::rfft(B::work, B::spectrum);
  dsp::amplitudes(B::spectrum, hann.coherent_gain, B::amplitude);
  for (std::size_t k = 0; k <= 512; ++k) {
    const bool beside = k == kBin - 1 || k == kBin + 1;
    const float expected = k == kBin ? 5.0F : (beside ? 2.5F : 0.0F);
    TEST_ASSERT_FLOAT_WITHIN(kTolerance, expected, B::amplitude[k]);
  }
}

void test_rms_and_mean() {
  auto& signal = Bench<1024>::signal;
  constexpr float kTolerance = 1024.0F * kU;
  fill_cosine(signal, 13, 2.0, kQuarterTurn_rad);
  TEST_ASSERT_FLOAT_WITHIN(1.4142135F * kTolerance, 1.4142135F, dsp::rms(signal));
  TEST_ASSERT_FLOAT_WITHIN(1.2732395F * kTolerance, 0.0F, dsp::mean(signal));  // mean |x| = 4/pi
  fill_noise(signal);
  for (float& x : signal) {
    x += 7.0F;
  }
  TEST_ASSERT_FLOAT_WITHIN(8.0F * kTolerance, plain::rms(signal), dsp::rms(signal));
  TEST_ASSERT_FLOAT_WITHIN(8.0F * kTolerance, plain::mean(signal), dsp::mean(signal));
  const etl::array<float, 3> few{3.0F, -4.0F, 7.0F};
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 2.0F, dsp::mean(few));
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 3.5355339F, dsp::rms(etl::span<const float>(few.data(), 2)));
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 0.0F, dsp::mean({}));
  TEST_ASSERT_FLOAT_WITHIN(0.0F, 0.0F, dsp::rms({}));
}

}  // namespace

void setUp() {
  restart_noise();
}

void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_transform_of_noise_is_the_reference);
  RUN_TEST(test_transform_of_structured_signals_is_the_reference);
  RUN_TEST(test_length_256);
  RUN_TEST(test_length_512);
  RUN_TEST(test_length_1024);
  RUN_TEST(test_length_2048);
  RUN_TEST(test_length_4096);
  RUN_TEST(test_phase_convention);
  RUN_TEST(test_dc_and_nyquist);
  RUN_TEST(test_nan_is_not_hidden);
  RUN_TEST(test_hann_window);
  RUN_TEST(test_hann_keeps_the_amplitude_of_a_sine);
  RUN_TEST(test_rms_and_mean);
  return UNITY_END();
}
