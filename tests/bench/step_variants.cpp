#include "tests/bench/step_variants.h"

#include "sim_core/roller_chain/whole_step.h"

namespace taut::bench {

using namespace roller_chain;

TAUT_WHOLE_STEP_BASELINE void step_baseline(const RollerModel<double, double>& model,
                                            const crank::Motion<double>& crank,
                                            RollerState<double, double>& state,
                                            RollerScratch<double, double>& scratch) {
  step_once(model, crank, state, scratch);
}

TAUT_WHOLE_STEP_BASELINE void step_baseline(const RollerModel<double, float>& model,
                                            const crank::Motion<double>& crank,
                                            RollerState<double, float>& state,
                                            RollerScratch<double, float>& scratch) {
  step_once(model, crank, state, scratch);
}

bool has_v3() {
#ifdef __x86_64__
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

TAUT_WHOLE_STEP_V3 void step_v3(const RollerModel<double, double>& model,
                                const crank::Motion<double>& crank,
                                RollerState<double, double>& state,
                                RollerScratch<double, double>& scratch) {
  step_once(model, crank, state, scratch);
}

TAUT_WHOLE_STEP_V3 void step_v3(const RollerModel<double, float>& model,
                                const crank::Motion<double>& crank,
                                RollerState<double, float>& state,
                                RollerScratch<double, float>& scratch) {
  step_once(model, crank, state, scratch);
}

TAUT_WHOLE_STEP void compute_forces(const RollerModel<double, double>& model,
                                    const Configuration<double>& at, const Rates<double>& rate,
                                    Engagements<double, double>& engaged,
                                    RollerScratch<double, double>& scratch,
                                    Forces<double>& forces) {
  roller_chain::compute_forces(model, at, rate, engaged, scratch, forces);
}

}  // namespace taut::bench
