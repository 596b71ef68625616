// The roller chain's step for one kind of x86-64 alone, beside step() of step.h, which takes the
// best that the processor has; and its forces alone, for integrators of another kind. Compiled as
// step() is.
#pragma once

#include "sim_core/roller_chain/step_kernel.h"

namespace taut::bench {

// The oldest.
void step_baseline(const roller_chain::RollerModel<double, double>& model,
                   const crank::Motion<double>& crank,
                   roller_chain::RollerState<double, double>& state,
                   roller_chain::RollerScratch<double, double>& scratch);
void step_baseline(const roller_chain::RollerModel<double, float>& model,
                   const crank::Motion<double>& crank,
                   roller_chain::RollerState<double, float>& state,
                   roller_chain::RollerScratch<double, float>& scratch);

// x86-64-v3, less its fused multiply-add. Only where has_v3().
[[nodiscard]] bool has_v3();
void step_v3(const roller_chain::RollerModel<double, double>& model,
             const crank::Motion<double>& crank, roller_chain::RollerState<double, double>& state,
             roller_chain::RollerScratch<double, double>& scratch);
void step_v3(const roller_chain::RollerModel<double, float>& model,
             const crank::Motion<double>& crank, roller_chain::RollerState<double, float>& state,
             roller_chain::RollerScratch<double, float>& scratch);

// With the best that the processor has.
void compute_forces(const roller_chain::RollerModel<double, double>& model,
                    const roller_chain::Configuration<double>& at,
                    const roller_chain::Rates<double>& rate,
                    roller_chain::Engagements<double, double>& engaged,
                    roller_chain::RollerScratch<double, double>& scratch,
                    roller_chain::Forces<double>& forces);

}  // namespace taut::bench
