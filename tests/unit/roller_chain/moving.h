// A roller chain and the crank that drives it, for the tests that need both in motion.
#pragma once

#include "sim_core/crank/synthetic.h"
#include "sim_core/drive/drive_model.h"
#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/outputs.h"
#include "sim_core/roller_chain/step.h"

namespace taut::drive_test {

struct MotionSpec {
  double speed_rpm = 76;
  roller_chain::StepSpec step{};
  int order = 1;
  double order_amplitude_rad_s2 = 0;
};

// Too large for a target's stack.
template <typename Real = double, typename Force = Real>
struct Moving {
  roller_chain::RollerModel<Real, Force> model;
  roller_chain::RollerState<Real, Force> state;
  roller_chain::RollerScratch<Real, Force> scratch;
  crank::SyntheticModel<Real, 8> crank_model;
  crank::SyntheticState<Real> crank;
};

template <typename Real, typename Force>
void start(const drive::DriveModel& drive, const roller_chain::Configuration<double>& from,
           const MotionSpec& spec, Moving<Real, Force>& moving) {
  roller_chain::make_roller_model(drive, spec.step, moving.model);
  const double speed_rad_s = spec.speed_rpm * math::kTwoPi<double> / 60;
  crank::make_synthetic({.step_s = static_cast<double>(moving.model.step_s),
                         .speed_rad_s = speed_rad_s,
                         .order = spec.order,
                         .order_amplitude_rad_s2 = spec.order_amplitude_rad_s2},
                        moving.crank_model);
  crank::init(moving.crank_model, moving.crank);
  roller_chain::init(moving.model, from, static_cast<Real>(speed_rad_s), moving.state,
                     moving.scratch);
}

template <typename Real, typename Force>
void advance(Moving<Real, Force>& moving) {
  crank::advance(moving.crank_model, moving.crank);
  roller_chain::step(moving.model, moving.crank.motion, moving.state, moving.scratch);
}

template <typename Real, typename Force>
void advance(Moving<Real, Force>& moving, long steps) {
  for (long i = 0; i < steps; ++i) {
    advance(moving);
  }
}

}  // namespace taut::drive_test
