// How fast the roller chain runs against real time, and against an adaptive integrator, and how
// fast the reduced chain does: 6S90MC-C with everything Pedersen gives it (144 links, friction,
// joint damping, guide-bars, arm) at a constant 76 rpm, outputs once a tick. All variants take
// turns in one run and the best of several turns counts: ratios hold on a busy machine too,
// absolute figures do not.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>

#include "sim_core/reduced_chain/outputs.h"
#include "sim_core/reduced_chain/reduce.h"
#include "sim_core/roller_chain/statics.h"
#include "sim_core/roller_chain/step_size.h"
#include "tests/bench/step_variants.h"
#include "tests/reference/adaptive_roller_chain.h"
#include "tests/unit/drive/engines.h"
#include "tests/unit/reduced_chain/running.h"
#include "tests/unit/roller_chain/moving.h"

namespace {

using namespace taut;
using adaptive_roller_chain::PlainKernel;
using drive_test::Moving;

constexpr int kTurns = 7;
constexpr double kSettled_s = 0.5;
constexpr double kFixed_s = 0.5;     // simulated by fixed steps in one turn
constexpr double kAdaptive_s = 0.2;  // and by the adaptive integrator
constexpr double kReduced_s = 20;    // and by the reduced chain
// Relative, and absolute in m, m/s, rad and rad/s. First touches are not sought: that would only
// cost the adaptive integrator more.
constexpr adaptive_roller_chain::Accuracy kAccuracy{1e-6, std::numeric_limits<double>::infinity()};

void give_up(const char* why) {
  std::fprintf(stderr, "chain_speed: %s\n", why);
  std::exit(1);
}

// Of this thread alone: what others do on the machine counts as little as can be.
double processor_time_s() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

long ticks_in(double time_s) {
  return std::lround(time_s / roller_chain::kTick_s);
}

struct Result {
  long evaluations;
  std::uint64_t hash;  // of the last state, for fixed steps
};

// One way to compute the same motion. Every turn runs the same piece, from the settled state on.
struct Variant {
  const char* name;
  double simulated_s;
  std::function<Result()> run;
  Result result{};
  double best_s = std::numeric_limits<double>::infinity();

  [[nodiscard]] double speed() const { return simulated_s / best_s; }
};

void take_turn(Variant& variant) {
  const double begin_s = processor_time_s();
  variant.result = variant.run();
  const double used_s = processor_time_s() - begin_s;
  variant.best_s = used_s < variant.best_s ? used_s : variant.best_s;
}

template <typename Force>
std::unique_ptr<const Moving<double, Force>> settle(
    const drive::DriveModel& drive, const roller_chain::Configuration<double>& rest) {
  auto moving = std::make_unique<Moving<double, Force>>();
  start(drive, rest, {.speed_rpm = drive.spec.crank.speed_rpm}, *moving);
  advance(*moving, std::lround(kSettled_s / moving->model.step_s));
  return moving;
}

// step(moving) makes one fixed step.
template <typename Force, typename Step>
Result run_fixed(const Moving<double, Force>& settled, Step step) {
  static Moving<double, Force> moving;
  static roller_chain::Outputs outputs;
  moving = settled;
  const long ticks = ticks_in(kFixed_s);
  const long steps = std::lround(roller_chain::kTick_s / moving.model.step_s);
  for (long tick = 0; tick < ticks; ++tick) {
    for (long i = 0; i < steps; ++i) {
      crank::advance(moving.crank_model, moving.crank);
      step(moving);
    }
    predict(moving.model, moving.state, moving.scratch, {}, outputs);
  }
  return {ticks * steps, hash_of(moving.model, moving.state)};
}

template <typename Force>
Result run_fast(const Moving<double, Force>& settled) {
  return run_fixed(settled, [](auto& moving) {
    roller_chain::step(moving.model, moving.crank.motion, moving.state, moving.scratch);
  });
}

template <typename Force>
Result run_v3(const Moving<double, Force>& settled) {
  return bench::has_v3() ? run_fixed(settled,
                                     [](auto& moving) {
                                       bench::step_v3(moving.model, moving.crank.motion,
                                                      moving.state, moving.scratch);
                                     })
                         : run_fast(settled);
}

template <typename Force>
Result run_baseline(const Moving<double, Force>& settled) {
  return run_fixed(settled, [](auto& moving) {
    bench::step_baseline(moving.model, moving.crank.motion, moving.state, moving.scratch);
  });
}

Result run_plain(const Moving<>& settled, plain_roller_chain::FirstTouches touched) {
  return run_fixed(settled, [&](Moving<>& moving) {
    plain_roller_chain::step(moving.model, moving.crank.motion, moving.state, touched,
                             moving.scratch);
  });
}

struct FastKernel : adaptive_roller_chain::FastKernel {
  static void compute_forces(const roller_chain::RollerModel<double>& model,
                             const roller_chain::Configuration<double>& at,
                             const roller_chain::Rates<double>& rate, Memory& memory,
                             roller_chain::RollerScratch<double>& scratch,
                             roller_chain::Forces<double>& forces) {
    bench::compute_forces(model, at, rate, memory, scratch, forces);
  }
};

template <typename Kernel>
Result run_adaptive(const Moving<>& settled, const typename Kernel::Memory& memory) {
  static Moving<> moving;
  static roller_chain::Outputs outputs;
  moving = settled;
  adaptive_roller_chain::AdaptiveRun<Kernel> adaptive(moving, memory, kAccuracy);
  for (long tick = 1; tick <= ticks_in(kAdaptive_s); ++tick) {
    if (!adaptive.advance_to(static_cast<double>(tick) * roller_chain::kTick_s)) {
      give_up("the adaptive integrator is stuck");
    }
    predict(moving.model, moving.state, moving.scratch, {}, outputs);
  }
  return {adaptive.evaluations(), 0};
}

struct Reduced {
  reduced_chain::ReducedModel model;
  reduced_test::Running settled;
};

std::unique_ptr<const Reduced> settle_reduced(const drive::DriveModel& drive) {
  auto reduced = std::make_unique<Reduced>();
  if (!reduced_chain::reduce(drive, reduced->model).made) {
    give_up("6S90MC-C cannot be reduced");
  }
  reduced_test::start(reduced->model, drive.spec.crank.speed_rpm, 0, reduced->settled);
  reduced_test::advance(reduced->model, reduced->settled, ticks_in(kSettled_s));
  return reduced;
}

// One step a tick.
Result run_reduced(const Reduced& reduced) {
  static reduced_test::Running running;
  static signal::ChainOutputs outputs;
  running = reduced.settled;
  const long ticks = ticks_in(kReduced_s);
  for (long tick = 0; tick < ticks; ++tick) {
    crank::advance(running.crank_model, running.crank);
    reduced_chain::step(reduced.model, running.crank.motion, running.state, running.scratch);
    predict(reduced.model, running.state, running.scratch, {}, outputs);
  }
  return {ticks, hash_of(reduced.model, running.state)};
}

// The settled chain as the plain kernel would remember it, had all rollers been seated at rest.
plain_roller_chain::FirstTouches plain_memory(const Moving<>& settled) {
  const auto copy = std::make_unique<Moving<>>(settled);
  plain_roller_chain::FirstTouches touched;
  plain_roller_chain::init(copy->model, copy->state, touched, copy->scratch);
  return touched;
}

enum Row : std::size_t {
  kDouble,
  kDoubleV3,
  kDoubleBaseline,
  kFloat,
  kFloatV3,
  kFloatBaseline,
  kPlain,
  kAdaptiveOnFast,
  kAdaptiveOnPlain,
  kReduced,
  kRows
};
using Variants = std::array<Variant, kRows>;

// What step() takes here with float forces; with double, x86-64-v3 at best.
const char* vector_unit() {
#ifdef __x86_64__
  const bool v4 = __builtin_cpu_supports("avx512bw") != 0 &&
                  __builtin_cpu_supports("avx512dq") != 0 &&
                  __builtin_cpu_supports("avx512vl") != 0;
  return v4 ? "x86-64-v4" : bench::has_v3() ? "x86-64-v3" : "x86-64, baseline";
#else
  return "not an x86-64";
#endif
}

void print_speeds(const Variants& variants) {
  std::printf("%-32s%12s%18s\n", "", "x real time", "evaluations / s");
  for (const Variant& variant : variants) {
    std::printf("%-32s%12.2f%18.0f\n", variant.name, variant.speed(),
                static_cast<double>(variant.result.evaluations) / variant.simulated_s);
  }
}

void print_ratio(const char* name, double of_double, double of_float, const char* wanted) {
  std::printf("%-32s%12.1f%18.1f   %s\n", name, of_double, of_float, wanted);
}

void print_ratios(const Variants& variants) {
  const auto over = [&](Row above, Row below) {
    return variants[above].speed() / variants[below].speed();
  };
  std::printf("\n%-32s%12s%18s\n", "ratios of speed", "double", "float forces");
  print_ratio("fast / real time", variants[kDouble].speed(), variants[kFloat].speed(),
              "wanted: 40");
  std::printf("%-32s%12s%18.1f   %s\n", "reduced / real time", "", variants[kReduced].speed(),
              "wanted: 250");
  print_ratio("fast / DOPRI5 on plain", over(kDouble, kAdaptiveOnPlain),
              over(kFloat, kAdaptiveOnPlain), "wanted: 20");
  print_ratio("fast / DOPRI5 on fast", over(kDouble, kAdaptiveOnFast),
              over(kFloat, kAdaptiveOnFast), "");
  print_ratio("fast / plain, same steps", over(kDouble, kPlain), over(kFloat, kPlain), "");
  print_ratio("fast / fast, x86-64-v3", over(kDouble, kDoubleV3), over(kFloat, kFloatV3), "");
  print_ratio("fast / fast, baseline", over(kDouble, kDoubleBaseline), over(kFloat, kFloatBaseline),
              "");
}

bool print_bits(const char* name, const Variant& best, const Variant& v3, const Variant& baseline) {
  const bool same = best.result.hash == v3.result.hash && best.result.hash == baseline.result.hash;
  std::printf("%-32s%016llx %016llx %016llx %s\n", name,
              static_cast<unsigned long long>(best.result.hash),
              static_cast<unsigned long long>(v3.result.hash),
              static_cast<unsigned long long>(baseline.result.hash), same ? "same" : "DIFFERENT");
  return same;
}

void print_conditions(const Moving<>& settled) {
  std::printf(
      "roller chain 6S90MC-C, %zu links, friction, joint damping, guide-bars, arm, 76 rpm "
      "constant\n"
      "fixed steps: semi-implicit Euler, %.0f us, %.1f s a turn; vector unit: %s\n"
      "DOPRI5: error control at %.0e, first touches not sought, %.1f s a turn\n"
      "reduced: one step of 500 us a tick in float, %.0f s a turn\n"
      "outputs once a tick; seconds of one core, best of %d turns\n\n",
      settled.model.links, 1e6 * settled.model.step_s, kFixed_s, vector_unit(), kAccuracy.tolerance,
      kAdaptive_s, kReduced_s, kTurns);
}

}  // namespace

int main() {
  drive::DriveModel drive;
  if (!drive::make_drive_model(drive_test::engine_6s90mc_c(), drive)) {
    give_up("6S90MC-C is no drive");
  }
  const roller_chain::Equilibrium rest = roller_chain::find_equilibrium(drive);
  if (!rest.found) {
    give_up("6S90MC-C finds no rest");
  }
  const auto settled = settle<double>(drive, rest.at);
  const auto settled_float = settle<float>(drive, rest.at);
  const auto touched = plain_memory(*settled);
  const auto reduced = settle_reduced(drive);
  Variants variants{{
      {"fast, double", kFixed_s, [&] { return run_fast(*settled); }},
      {"fast, double, x86-64-v3", kFixed_s, [&] { return run_v3(*settled); }},
      {"fast, double, baseline", kFixed_s, [&] { return run_baseline(*settled); }},
      {"fast, float forces", kFixed_s, [&] { return run_fast(*settled_float); }},
      {"fast, float forces, x86-64-v3", kFixed_s, [&] { return run_v3(*settled_float); }},
      {"fast, float forces, baseline", kFixed_s, [&] { return run_baseline(*settled_float); }},
      {"plain, double", kFixed_s, [&] { return run_plain(*settled, touched); }},
      {"DOPRI5 on fast, double", kAdaptive_s,
       [&] { return run_adaptive<FastKernel>(*settled, settled->state.engaged); }},
      {"DOPRI5 on plain, double", kAdaptive_s,
       [&] { return run_adaptive<PlainKernel>(*settled, touched); }},
      {"reduced, float", kReduced_s, [&] { return run_reduced(*reduced); }},
  }};
  for (int turn = 0; turn < kTurns; ++turn) {
    for (Variant& variant : variants) {
      take_turn(variant);
    }
  }
  print_conditions(*settled);
  print_speeds(variants);
  print_ratios(variants);
  std::printf("\n%-32s%16s %16s %16s\n", "hash of the last state", vector_unit(), "x86-64-v3",
              "baseline");
  const bool same =
      print_bits("double", variants[kDouble], variants[kDoubleV3], variants[kDoubleBaseline]);
  const bool same_float =
      print_bits("float forces", variants[kFloat], variants[kFloatV3], variants[kFloatBaseline]);
  return same && same_float ? 0 : 1;
}
