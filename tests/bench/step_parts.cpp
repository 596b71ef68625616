#include "tests/bench/step_parts.h"

#include "sim_core/roller_chain/whole_step.h"

namespace taut::bench {

using namespace roller_chain;
using drive_test::Moving;

namespace {

// The same lines as in step_semi_implicit_euler() and compute_forces().
template <typename Force>
void run_part(StepPart part, Moving<double, Force>& moving) {
  const RollerModel<double, Force>& model = moving.model;
  RollerState<double, Force>& state = moving.state;
  RollerScratch<double, Force>& scratch = moving.scratch;
  Forces<Force>& forces = state.forces;
  switch (part) {
    case StepPart::kKick:
      return kick(model, forces, model.step_s, state.rate);
    case StepPart::kDrift:
      drift(model, state.rate, model.step_s, state.at);
      move_oil(model, state.at);
      return move_crank(model, moving.crank.motion, state);
    case StepPart::kCentres:
      clear_sums(scratch, forces);
      return compute_centres(model, state.at, state.rate, scratch);
    case StepPart::kLinks:
      return compute_links(model, state.at, state.rate, scratch);
    case StepPart::kJoints:
      return compute_joints(model, scratch);
    case StepPart::kPulls:
      return compute_pulls(model.links, scratch);
    case StepPart::kPullsAndWeight:
      return set_pulls_and_weight(model, scratch, forces);
    case StepPart::kTeeth:
      return add_tooth_contacts(model, state.at, state.rate, state.engaged, scratch, forces);
    case StepPart::kBars:
      return add_bar_contacts(model, state.at, state.rate, state.engaged, scratch, forces);
    case StepPart::kArm:
      return add_arm(model, state.at, state.rate, scratch, forces);
    case StepPart::kBearingsAndLoads:
      return add_bearings_and_loads(model, state.rate, scratch, forces);
    case StepPart::kSupportsAndUnbalance:
      add_supports(model, state.at, state.rate, scratch, forces);
      add_unbalance(model, state.at, state.rate, scratch, forces);
      scratch.powers.driver_W =
          driver_torque_N_m(forces) * static_cast<Force>(state.rate.angle_rad_s[0]);
      ++state.steps;
      return;
    case StepPart::kNothing:
      return;
  }
}

}  // namespace

TAUT_WHOLE_STEP void run(StepPart part, Moving<double, double>& moving) {
  run_part(part, moving);
}

TAUT_WHOLE_STEP void run(StepPart part, Moving<double, float>& moving) {
  run_part(part, moving);
}

}  // namespace taut::bench
