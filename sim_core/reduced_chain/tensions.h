// Tensions of the strands from how far each is stretched: compatibility of links and of the seats
// at both ends, solved by a fixed number of Newton steps; then what damping and friction add.
#pragma once

#include "sim_core/reduced_chain/reduced_model.h"
#include "sim_core/reduced_chain/reduced_state.h"
#include "sim_core/reduced_chain/wrap_look.h"

namespace taut::reduced_chain {

inline constexpr float kMostAside = 0.25F;  // of a strand's length, for each of its modes

void solve_tensions(const ReducedModel& model, ReducedState& state, ReducedScratch& scratch);
void add_damping(const ReducedModel& model, const ReducedState& state, float step_s,
                 ReducedScratch& scratch);

}  // namespace taut::reduced_chain
