// What is measured on a reduced chain (chain_outputs.h): what the full model measures, from strand
// tensions, how these fade inside wraps, and where the chain is. Supports do not yield: offsets
// stay zero.
#pragma once

#include "sim_core/reduced_chain/reduced_model.h"
#include "sim_core/reduced_chain/reduced_state.h"
#include "sim_core/signal/chain_outputs.h"

namespace taut::reduced_chain {

// After a step, or after init().
void predict(const ReducedModel& model, const ReducedState& state, const ReducedScratch& scratch,
             const signal::Tags& tags, signal::ChainOutputs& outputs);

// Force in the chain at a place along the loop, in pitches from where the chain leaves the crank.
[[nodiscard]] float link_force_N(const ReducedModel& model, const ReducedState& state,
                                 const ReducedScratch& scratch, float place_pitches);
// Force of a roller there on its tooth; 0 in strands.
[[nodiscard]] float tooth_force_N(const ReducedModel& model, const ReducedState& state,
                                  const ReducedScratch& scratch, float place_pitches);
// How far the chain there is to the left of the strand's line, as its modes have it; 0 in wraps.
[[nodiscard]] float beside_m(const ReducedModel& model, const ReducedState& state,
                             float place_pitches);

}  // namespace taut::reduced_chain
