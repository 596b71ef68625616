// A reduced chain and the crank that drives it.
#pragma once

#include "sim_core/crank/synthetic.h"
#include "sim_core/math/constants.h"
#include "sim_core/reduced_chain/step.h"

namespace taut::reduced_test {

using reduced_chain::ReducedModel;
using reduced_chain::ReducedScratch;
using reduced_chain::ReducedState;

struct Running {
  ReducedState state;
  ReducedScratch scratch;
  crank::SyntheticModel<float, 8> crank_model;
  crank::SyntheticState<float> crank;
};

inline void start(const ReducedModel& model, double speed_rpm, double amplitude_rad_s2,
                  Running& running, double step_s = static_cast<double>(reduced_chain::kStep_s)) {
  crank::make_synthetic({.step_s = step_s,
                         .speed_rad_s = speed_rpm * math::kTwoPi<double> / 60,
                         .order = 6,
                         .order_amplitude_rad_s2 = amplitude_rad_s2},
                        running.crank_model);
  crank::init(running.crank_model, running.crank);
  reduced_chain::init(model, running.crank_model.start_speed_rad_s, running.state, running.scratch);
}

inline void advance(const ReducedModel& model, Running& running, long steps) {
  for (long i = 0; i < steps; ++i) {
    crank::advance(running.crank_model, running.crank);
    reduced_chain::step(model, running.crank.motion, running.crank_model.step_s, running.state,
                        running.scratch);
  }
}

}  // namespace taut::reduced_test
