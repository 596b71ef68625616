#include "sim_core/roller_chain/step.h"

#include "sim_core/roller_chain/whole_step.h"

namespace taut::roller_chain {

TAUT_WHOLE_STEP void step(const RollerModel<double, double>& model,
                          const crank::Motion<double>& crank, RollerState<double, double>& state,
                          RollerScratch<double, double>& scratch) {
  step_once(model, crank, state, scratch);
}

TAUT_WHOLE_FLOAT_STEP void step(const RollerModel<double, float>& model,
                                const crank::Motion<double>& crank,
                                RollerState<double, float>& state,
                                RollerScratch<double, float>& scratch) {
  step_once(model, crank, state, scratch);
}

// To study what float places do; nobody is in a hurry for that.
void step(const RollerModel<float, float>& model, const crank::Motion<float>& crank,
          RollerState<float, float>& state, RollerScratch<float, float>& scratch) {
  step_once(model, crank, state, scratch);
}

}  // namespace taut::roller_chain
