#include "tests/bench/cost_reduced_chain.h"

#include "sim_core/reduced_chain/block.h"
#include "sim_core/reduced_chain/outputs.h"
#include "tests/bench/measure.h"
#include "tests/unit/reduced_chain/block.h"
#include "tests/unit/reduced_chain/running.h"

namespace taut::bench {

// 6S90MC-C with bars and tightener under the 6th order, large enough to slacken its strands.
bool measure_reduced_chain() {
  constexpr long kSettling = 500;
  constexpr int kSteps = 1000;
  static reduced_chain::ReducedModel model;
  static reduced_test::Running running;
  static signal::ChainOutputs outputs;
  if (!reduced_test::unpack(model)) {
    return false;
  }
  reduced_test::start(model, 66, 5, running);
  reduced_test::advance(model, running, kSettling);
  Tally steps("reduced_step/float");
  Tally predictions("reduced_predict/float");
  for (int i = 0; i < kSteps; ++i) {
    crank::advance(running.crank_model, running.crank);
    steps.count(
        [&] { reduced_chain::step(model, running.crank.motion, running.state, running.scratch); });
    predictions.count(
        [&] { reduced_chain::predict(model, running.state, running.scratch, {}, outputs); });
  }
  steps.print();
  predictions.print();
  print_bytes("reduced_block", sizeof(reduced_chain::Block));
  print_bytes("reduced_state", sizeof(running.state));
  print_bytes("reduced_scratch", sizeof(running.scratch));
  return true;
}

}  // namespace taut::bench
