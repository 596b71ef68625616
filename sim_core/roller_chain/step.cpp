#include "sim_core/roller_chain/step.h"

// All of a step in one function, so that its loops see that arrays do not overlap; and in two
// versions, of which the program takes the one that the processor can run. "avx2" leaves out
// fused multiply-add: gcc 12 fuses in vectorised code although it is told not to
// (-ffp-contract=off), and the bits would differ.
#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAUT_WHOLE_STEP
#elif defined(__clang__)
#define TAUT_WHOLE_STEP [[gnu::flatten]]
#else
#define TAUT_WHOLE_STEP [[gnu::flatten, gnu::target_clones("avx2", "default")]]
#endif

namespace taut::roller_chain {

TAUT_WHOLE_STEP void step(const RollerModel<double, double>& model,
                          const crank::Motion<double>& crank, RollerState<double, double>& state,
                          RollerScratch<double, double>& scratch) {
  step_once(model, crank, state, scratch);
}

TAUT_WHOLE_STEP void step(const RollerModel<double, float>& model,
                          const crank::Motion<double>& crank, RollerState<double, float>& state,
                          RollerScratch<double, float>& scratch) {
  step_once(model, crank, state, scratch);
}

// To study what float places do; nobody is in a hurry for that.
void step(const RollerModel<float, float>& model, const crank::Motion<float>& crank,
          RollerState<float, float>& state, RollerScratch<float, float>& scratch) {
  step_once(model, crank, state, scratch);
}

}  // namespace taut::roller_chain
