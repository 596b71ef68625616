// A reduced chain in motion: start, one step of kStep_s, and a hash of all its state. Positions
// move with the speeds of the step before, forces follow from them, speeds from forces:
// semi-implicit Euler with one evaluation a step. The same work every step, whatever happens.
#pragma once

#include "sim_core/crank/motion.h"
#include "sim_core/math/hash.h"
#include "sim_core/reduced_chain/reduced_model.h"
#include "sim_core/reduced_chain/reduced_state.h"

namespace taut::reduced_chain {

// As settled on the host, the crank's angle zero there, chain and sprockets moving with the crank.
void init(const ReducedModel& model, float crank_rad_s, ReducedState& state,
          ReducedScratch& scratch);

// `crank` is the crankshaft's motion at the end of the step; its acceleration is not used, the
// change of its speed is.
void step(const ReducedModel& model, const crank::Motion<float>& crank, ReducedState& state,
          ReducedScratch& scratch);

// Any step, for tests of how the method converges; the hydraulic unit knows kStep_s only.
void step(const ReducedModel& model, const crank::Motion<float>& crank, float step_s,
          ReducedState& state, ReducedScratch& scratch);

// Tensions and their rates at a state that stays as it is: for checks on the host.
void evaluate_rates(const ReducedModel& model, const ReducedState& state, ReducedScratch& scratch);

[[nodiscard]] std::uint64_t hash_of(const ReducedModel& model, const ReducedState& state);

}  // namespace taut::reduced_chain
