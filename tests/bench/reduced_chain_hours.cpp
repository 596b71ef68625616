// Hours of a reduced chain at constant speed under the sixth order: does anything drift? Tensions
// of the first tenth of the time are held against those of the last, the counted turns against the
// state's, and every state against its bounds. Argument: hours (10). Exit code 1: something drifts.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "sim_core/crank/synthetic.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/reduced_chain/step.h"
#include "tests/unit/reduced_chain/block.h"

namespace {

using namespace taut;

constexpr std::uint32_t kStrands = 4;
constexpr double kSpeed_rpm = 76;
constexpr double kAmplitude_rad_s2 = 5;
constexpr long kSettling = 200'000;  // steps
constexpr long kBatch = 20'000;      // 10 s
constexpr double kBatchesAnHour = 360;

reduced_chain::ReducedModel model;
reduced_chain::ReducedState state;
reduced_chain::ReducedScratch scratch;
// In double: in float the crank itself would gain 0.006 rpm in ten hours, by rounding.
crank::SyntheticModel<double, 8> crank_model;
crank::SyntheticState<double> crank_state;

void start() {
  crank::make_synthetic({.step_s = static_cast<double>(reduced_chain::kStep_s),
                         .speed_rad_s = kSpeed_rpm * math::kTwoPi<double> / 60,
                         .order = 6,
                         .order_amplitude_rad_s2 = kAmplitude_rad_s2},
                        crank_model);
  crank::init(crank_model, crank_state);
  reduced_chain::init(model, static_cast<float>(crank_model.start_speed_rad_s), state, scratch);
}

crank::Motion<float> advance() {
  crank::advance(crank_model, crank_state);
  const crank::Motion<float> motion{static_cast<float>(crank_state.motion.angle_rad),
                                    static_cast<float>(crank_state.motion.speed_rad_s), 0};
  reduced_chain::step(model, motion, state, scratch);
  return motion;
}

// Of many batches: each gives one mean and one standard deviation, and how these differ from batch
// to batch says how well their mean is known.
struct Spread {
  double sum = 0, squares = 0;
  long count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  [[nodiscard]] double error() const {  // of the mean
    const double variance = squares / static_cast<double>(count) - mean() * mean();
    return std::sqrt(std::fmax(variance, 0) / static_cast<double>(count));
  }
};

struct Tenth {
  Spread mean_N[kStrands], sd_N[kStrands];
};

// The crank's turns as counted here.
struct Turns {
  std::uint64_t whole = 0;
  float angle_rad = 0;
};

bool is_sound(const Turns& turns) {
  // Strands may go slack, and wraps beyond what they hold: such is the vibration.
  constexpr std::uint32_t kAllowed = reduced_chain::kSlack | reduced_chain::kBeyondHold;
  bool sound = (state.health & ~kAllowed) == 0 && state.bad_commands == 0 &&
               state.turns == turns.whole % model.loop_turns;
  for (std::uint32_t s = 0; s < kStrands; ++s) {
    sound = sound && math::magnitude(state.ahead_m[s]) < 0.5F * model.pitch_m;
  }
  return sound;
}

bool run_batch(Turns& turns, Tenth& tenth) {
  Spread tension_N[kStrands];
  bool sound = true;
  for (long i = 0; i < kBatch; ++i) {
    const float angle_rad = advance().angle_rad;
    turns.whole += angle_rad < turns.angle_rad ? 1U : 0U;
    turns.angle_rad = angle_rad;
    sound = is_sound(turns) && sound;
    for (std::uint32_t s = 0; s < kStrands; ++s) {
      tension_N[s].add(static_cast<double>(scratch.total_N[s]));
    }
  }
  for (std::uint32_t s = 0; s < kStrands; ++s) {
    const double variance =
        tension_N[s].squares / kBatch - tension_N[s].mean() * tension_N[s].mean();
    tenth.mean_N[s].add(tension_N[s].mean());
    tenth.sd_N[s].add(std::sqrt(variance));
  }
  return sound;
}

// Within four standard errors, and what float leaves of sums of like size.
bool is_same(const char* what, std::uint32_t strand, const Spread& first, const Spread& last) {
  const double allowed =
      4 * std::hypot(first.error(), last.error()) + 1e-5 * std::abs(first.mean());
  const bool same = std::abs(last.mean() - first.mean()) <= allowed;
  std::printf("strand %u  %-4s  %10.1f N  %10.1f N  %+9.2f N  +- %.2f%s\n",
              static_cast<unsigned>(strand + 1), what, first.mean(), last.mean(),
              last.mean() - first.mean(), allowed, same ? "" : "  DRIFTS");
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  const double hours = argc > 1 ? std::strtod(argv[1], nullptr) : 10;
  const long batches = std::lround(hours * kBatchesAnHour);
  if (batches < 20 || !reduced_test::unpack(model)) {
    std::fprintf(stderr, "reduced_chain_hours: give 0.06 hours or more\n");
    return 2;
  }
  start();
  Turns turns;
  Tenth settling;
  bool sound = true;
  for (long i = 0; i < kSettling / kBatch; ++i) {
    sound = run_batch(turns, settling) && sound;
  }
  Tenth first;
  Tenth between;
  Tenth last;
  for (long i = 0; i < batches; ++i) {
    Tenth& tenth = 10 * i < batches ? first : 10 * (i + 1) > 9 * batches ? last : between;
    sound = run_batch(turns, tenth) && sound;
  }
  std::printf("reduced chain, 6S90MC-C at %g rpm, order 6 of %g rad/s^2: %g h, %lld steps\n",
              kSpeed_rpm, kAmplitude_rad_s2, hours, static_cast<long long>(state.steps));
  std::printf("                 first tenth    last tenth   difference   allowed\n");
  bool same = true;
  for (std::uint32_t s = 0; s < kStrands; ++s) {
    same = is_same("mean", s, first.mean_N[s], last.mean_N[s]) && same;
    same = is_same("sd", s, first.sd_N[s], last.sd_N[s]) && same;
  }
  std::printf("turns %llu, counted by the state modulo %u: %s\n",
              static_cast<unsigned long long>(turns.whole), model.loop_turns,
              sound ? "the same all the time; places within bounds" : "LOST, or out of bounds");
  return sound && same ? 0 : 1;
}
