#include "tests/bench/cost_roller_chain.h"

#include "tests/bench/measure.h"
#include "tests/bench/step_parts.h"
#include "tests/unit/drive/engines.h"

namespace taut::bench {
namespace {

using drive_test::Moving;

// A tooth enters every 250 steps. On a core without double hardware a step takes two million
// instructions, and an emulator a minute for thousands of them.
#if defined(__ARM_FP) && !(__ARM_FP & 8)
constexpr long kSettling = 100;
constexpr int kSteps = 400;
#else
constexpr long kSettling = 500;
constexpr int kSteps = 2000;
#endif
constexpr int kStepsPerPart = 8;

// 6S90MC-C with all its parts under the 6th order, started as on a board: from the rollers' first
// placement, since rest is found on the host alone.
template <typename Force>
[[nodiscard]] bool start_engine(Moving<double, Force>& moving) {
  static drive::DriveModel drive;
  static roller_chain::Configuration<double> placed;
  if (!drive::make_drive_model(drive_test::engine_6s90mc_c(), drive)) {
    return false;
  }
  roller_chain::place_rollers(drive, 0, placed);
  start(drive, placed, {.step = {}, .order = 6, .order_amplitude_rad_s2 = 5}, moving);
  advance(moving, kSettling);
  return true;
}

// "step.kick" becomes roller_step.kick/double or roller_step.kick/float.
template <typename Force>
[[nodiscard]] Name name_of(const char* what) {
  Name name("roller_");
  name.append(what);
  name.append(sizeof(Force) == sizeof(float) ? "/float" : "/double");
  return name;
}

template <typename Force>
void measure_steps(Moving<double, Force>& moving) {
  Tally steps(name_of<Force>("step"));
  for (int i = 0; i < kSteps; ++i) {
    crank::advance(moving.crank_model, moving.crank);
    steps.count([&] {
      roller_chain::step(moving.model, moving.crank.motion, moving.state, moving.scratch);
    });
  }
  steps.print();
}

// Whole steps, of which one part is counted.
template <typename Force>
void measure_part(const NamedPart& counted, Moving<double, Force>& moving) {
  Name what("step.");
  what.append(counted.name);
  Tally tally(name_of<Force>(what.c_str()));
  for (int i = 0; i < kStepsPerPart; ++i) {
    crank::advance(moving.crank_model, moving.crank);
    for (const NamedPart& other : kStepParts) {
      if (other.part == counted.part) {
        tally.count([&] { run(other.part, moving); });
      } else {
        run(other.part, moving);
      }
    }
  }
  tally.print();
}

// What belongs to a tick but not to the step.
template <typename Force>
void measure_around_steps(Moving<double, Force>& moving) {
  static roller_chain::Outputs outputs;
  Tally nothing(name_of<Force>("nothing"));
  Tally crank(name_of<Force>("crank"));
  Tally predictions(name_of<Force>("predict"));
  for (int i = 0; i < kStepsPerPart; ++i) {
    nothing.count([&] { run(StepPart::kNothing, moving); });
    crank.count([&] { crank::advance(moving.crank_model, moving.crank); });
    predictions.count([&] { predict(moving.model, moving.state, moving.scratch, {}, outputs); });
  }
  nothing.print();
  crank.print();
  predictions.print();
}

template <typename Force>
[[nodiscard]] bool measure_engine() {
  static Moving<double, Force> moving;
  static Moving<double, Force> whole;
  if (!start_engine(moving)) {
    return false;
  }
  measure_steps(moving);
  whole = moving;
  for (const NamedPart& part : kStepParts) {
    measure_part(part, moving);
    advance(whole, kStepsPerPart);
  }
  const bool same = hash_of(whole.model, whole.state) == hash_of(moving.model, moving.state);
  measure_around_steps(moving);
  return same;
}

}  // namespace

bool measure_roller_chain() {
  return measure_engine<double>() && measure_engine<float>();
}

}  // namespace taut::bench
