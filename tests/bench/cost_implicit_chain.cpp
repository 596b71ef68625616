#include "tests/bench/cost_implicit_chain.h"

#include "sim_core/crank/synthetic.h"
#include "sim_core/drive/drive_model.h"
#include "sim_core/implicit_chain/step.h"
#include "tests/bench/measure.h"
#include "tests/unit/drive/engines.h"

namespace taut::bench {

// As the reduced chain is measured, but from the rollers' first placement: rest is found on the
// host alone.
bool measure_implicit_chain() {
  constexpr long kSettling = 500;
  constexpr int kSteps = 500;
  static drive::DriveModel drive;
  static roller_chain::Configuration<double> placed;
  static implicit_chain::ImplicitModel model;
  static implicit_chain::ImplicitState state;
  static implicit_chain::ImplicitScratch scratch;
  static crank::SyntheticModel<float, 8> crank_model;
  static crank::SyntheticState<float> crank;
  constexpr double kSpeed_rad_s = 66 * math::kTwoPi<double> / 60;
  const implicit_chain::MethodSpec method;
  if (!drive::make_drive_model(drive_test::engine_6s90mc_c(), drive)) {
    return false;
  }
  roller_chain::place_rollers(drive, 0, placed);
  if (make_implicit_model(drive, placed, method, model) != nullptr) {
    return false;
  }
  crank::make_synthetic({.step_s = method.step_s,
                         .speed_rad_s = kSpeed_rad_s,
                         .order = 6,
                         .order_amplitude_rad_s2 = 5},
                        crank_model);
  crank::init(crank_model, crank);
  init(model, crank_model.start_speed_rad_s, state, scratch);
  for (long i = 0; i < kSettling; ++i) {
    crank::advance(crank_model, crank);
    step(model, crank.motion, state, scratch);
  }
  Tally steps("implicit_step/float");
  for (int i = 0; i < kSteps; ++i) {
    crank::advance(crank_model, crank);
    steps.count([&] { step(model, crank.motion, state, scratch); });
  }
  steps.print();
  print_bytes("implicit_state", sizeof(state));
  print_bytes("implicit_scratch", sizeof(scratch));
  return true;
}

}  // namespace taut::bench
