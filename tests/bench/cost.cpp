// What a call costs in instructions, on the PC and on the boards. Prints
//   cost NAME CALLS COUNT
// where COUNT includes the loop and the counter; cost_table.py takes the empty loop
// off. On the PC COUNT is 0 and callgrind's output has it.
#include <cstddef>
#include <cstdint>

#include <etl/array.h>
#include <etl/string.h>
#include <etl/string_stream.h>

#include "board.h"
#include "sim_core/dsp/dsp.h"
#include "sim_core/math/atan.h"
#include "sim_core/math/exp.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/math/tanh.h"
#include "sim_core/roller_chain/free_strand.h"

namespace {

using namespace taut;

template <typename Body>
void measure(etl::string_view name, std::uint32_t calls, Body body) {
  board::InstructionCounter counter;
  counter.start(name);
  for (std::uint32_t i = 0; i < calls; ++i) {
    body(i);
  }
  const std::uint32_t count = counter.stop();
  etl::string<96> text;
  etl::string_stream out(text);
  out << "cost " << name << " " << calls << " " << count << "\n";
  board::console().write(text);
}

constexpr std::uint32_t kCalls = 256;

template <typename Real>
volatile Real sink;

// Spread over the range where the step will use the functions.
template <typename Real>
etl::array<Real, kCalls> arguments(Real lowest, Real highest) {
  etl::array<Real, kCalls> values;
  for (std::uint32_t i = 0; i < kCalls; ++i) {
    values[i] = lowest + (highest - lowest) * static_cast<Real>(i) / static_cast<Real>(kCalls - 1);
  }
  return values;
}

// Named as the table will show it: NAME/float, NAME/double.
template <typename Real, typename Function>
void measure_function(etl::string_view name, Real lowest, Real highest, Function function) {
  static etl::array<Real, kCalls> values;
  values = arguments(lowest, highest);
  etl::string<32> full_name(name);
  full_name.append(sizeof(Real) == sizeof(float) ? "/float" : "/double");
  measure({full_name.data(), full_name.size()}, kCalls,
          [&function](std::uint32_t i) { sink<Real> = function(values[i]); });
}

template <typename Real>
void measure_elementary() {
  measure_function<Real>("empty", -7, 7, [](Real x) { return x; });
  measure_function<Real>("sin", -7, 7, [](Real x) { return math::sin(x); });
  measure_function<Real>("cos", -7, 7, [](Real x) { return math::cos(x); });
  measure_function<Real>("sincos", -7, 7, [](Real x) {
    const auto both = math::sincos(x);
    return both.sin + both.cos;
  });
  measure_function<Real>("atan", -7, 7, [](Real x) { return math::atan(x); });
  measure_function<Real>("atan2", -7, 7, [](Real x) { return math::atan2(x, Real(1.5) - x); });
  measure_function<Real>("tanh", -7, 7, [](Real x) { return math::tanh(x); });
  measure_function<Real>("exp", -7, 7, [](Real x) { return math::exp(x); });
  measure_function<Real>("rsqrt", Real(0.1), 7, [](Real x) { return math::rsqrt(x); });
  measure_function<Real>("sqrt", Real(0.1), 7, [](Real x) { return math::sqrt(x); });
}

template <typename Real>
void measure_strand(etl::string_view name) {
  static roller_chain::StrandState<Real> state;
  static roller_chain::StrandScratch<Real> scratch;
  const auto model = roller_chain::make_strand_model<Real>({});
  init(model, state);
  measure(name, 8, [&model](std::uint32_t) { step(model, state, scratch); });
}

void measure_dsp() {
  constexpr std::size_t kLength = 1024;
  static etl::array<float, kLength> samples;
  static dsp::Spectrum<kLength> spectrum;
  static dsp::BiquadModel<1> model;
  static dsp::BiquadState<1> state;
  for (std::size_t i = 0; i < kLength; ++i) {
    samples[i] = math::sin(0.1F * static_cast<float>(i));
  }
  const dsp::BiquadSection section = {0.25F, 0.5F, 0.25F, -0.2F, 0.2F};
  static_cast<void>(dsp::make_biquad<1>({&section, 1}, model));
  measure("rms_of_1024/float", 1, [](std::uint32_t) { sink<float> = dsp::rms(samples); });
  measure("biquad_over_1024/float", 1,
          [](std::uint32_t) { dsp::filter(model, state, samples, samples); });
  measure("rfft_of_1024/float", 1, [](std::uint32_t) { dsp::rfft(samples, spectrum); });
}

}  // namespace

int main() {
  measure_elementary<float>();
  measure_elementary<double>();
  measure_strand<float>("strand_step/float");
  measure_strand<double>("strand_step/double");
  measure_dsp();
  board::console().write("OK\n");
  return 0;
}
