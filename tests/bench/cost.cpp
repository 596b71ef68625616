// What a call costs in instructions, on the PC and on the boards. Prints lines as measure.h says;
// cost_table.py takes the empty loop off.
#include <cstddef>
#include <cstdint>

#include <etl/array.h>

#include "board.h"
#include "hal/channel.h"
#include "sim_core/dsp/dsp.h"
#include "sim_core/math/atan.h"
#include "sim_core/math/exp.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/math/tanh.h"
#include "sim_core/roller_chain/free_strand.h"
#include "tests/bench/cost_implicit_chain.h"
#include "tests/bench/cost_observer.h"
#include "tests/bench/cost_reduced_chain.h"
#include "tests/bench/cost_roller_chain.h"
#include "tests/bench/cost_twin.h"
#include "tests/bench/measure.h"

namespace {

using namespace taut;
using bench::measure;
using bench::Name;

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
void measure_function(const char* name, Real lowest, Real highest, Function function) {
  static etl::array<Real, kCalls> values;
  values = arguments(lowest, highest);
  Name full_name(name);
  full_name.append(sizeof(Real) == sizeof(float) ? "/float" : "/double");
  measure(full_name, kCalls, [&function](std::uint32_t i) { sink<Real> = function(values[i]); });
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
void measure_strand(const char* name) {
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

// One channel of a running engine, good at every tick; then bad at every tick, in value and
// sequence.
void measure_channel() {
  static hal::ChannelModel model;
  static hal::ChannelState state;
  static etl::array<float, kCalls> forces_N;
  static_cast<void>(hal::make_channel(hal::kLinkForce_N, model));
  init(state);
  const auto condition_all = [](const char* name, float size_N, std::uint32_t advance) {
    forces_N = arguments(-size_N, size_N);
    measure(name, kCalls, [advance](std::uint32_t i) {
      sink<float> = condition(model, state, {forces_N[i], i * advance}, forces_N[i]).value;
    });
  };
  condition_all("channel_good/float", 60e3F, 1);
  condition_all("channel_bad/float", 1e9F, 3);
}

}  // namespace

int main() {
  measure_elementary<float>();
  measure_elementary<double>();
  measure_strand<float>("strand_step/float");
  measure_strand<double>("strand_step/double");
  measure_dsp();
  if (!bench::measure_observer()) {
    board::console().write("cost: the crank observer did not find its place\n");
    return 1;
  }
  measure_channel();
  if (!bench::measure_reduced_chain()) {
    board::console().write("cost: the block of the reduced chain does not fit\n");
    return 1;
  }
  if (!bench::measure_twin()) {
    board::console().write("cost: the twin did not become valid\n");
    return 1;
  }
  if (!bench::measure_implicit_chain()) {
    board::console().write("cost: the implicit chain has no place for this drive\n");
    return 1;
  }
  if (!bench::measure_roller_chain()) {
    board::console().write("cost: the parts of the roller chain's step do not make a whole one\n");
    return 1;
  }
  board::console().write("OK\n");
  return 0;
}
