// The chain formulations that there are, as the twin takes them.
#pragma once

#include "sim_core/implicit_chain/step.h"
#include "sim_core/reduced_chain/outputs.h"
#include "sim_core/reduced_chain/step.h"
#include "sim_core/roller_chain/outputs.h"
#include "sim_core/roller_chain/step.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/twin/chain_model.h"

namespace taut::twin {

struct ReducedChain {
  using Real = float;
  using Model = reduced_chain::ReducedModel;
  using State = reduced_chain::ReducedState;
  using Scratch = reduced_chain::ReducedScratch;

  [[nodiscard]] static double step_s(const Model& /*model*/) {
    return static_cast<double>(reduced_chain::kStep_s);
  }
  static void init(const Model& model, Real speed_rad_s, State& state, Scratch& scratch) {
    reduced_chain::init(model, speed_rad_s, state, scratch);
  }
  static void step(const Model& model, const crank::Motion<Real>& crank, State& state,
                   Scratch& scratch) {
    reduced_chain::step(model, crank, state, scratch);
  }
  static void predict(const Model& model, const State& state, const Scratch& scratch,
                      const signal::Tags& tags, signal::ChainOutputs& outputs) {
    reduced_chain::predict(model, state, scratch, tags, outputs);
  }
  // A slack strand is nothing that the model does not know.
  [[nodiscard]] static std::uint32_t health(const State& state) {
    constexpr std::uint32_t kOutside = reduced_chain::kBeyondHold | reduced_chain::kBeyondTable |
                                       reduced_chain::kArmAtEnd | reduced_chain::kBadCommand |
                                       reduced_chain::kOutOfRange;
    return ((state.health & kOutside) != 0 ? signal::kModelOutside : 0) |
           ((state.health & reduced_chain::kReduceAgain) != 0 ? signal::kReduceAgain : 0);
  }
  static void set_elongation(float elongation, State& state) { state.elongation = elongation; }
};
static_assert(ChainModel<ReducedChain>);

// Its constants with the configuration that it starts from, normally that of statics.
template <typename Float, typename Force>
struct RollerChainStart {
  roller_chain::RollerModel<Float, Force> model;
  roller_chain::Configuration<double> rest;
};

template <typename Float, typename Force = Float>
struct RollerChain {
  using Real = Float;
  using Model = RollerChainStart<Float, Force>;
  using State = roller_chain::RollerState<Float, Force>;
  using Scratch = roller_chain::RollerScratch<Float, Force>;

  [[nodiscard]] static double step_s(const Model& model) {
    return static_cast<double>(model.model.step_s);
  }
  static void init(const Model& model, Real speed_rad_s, State& state, Scratch& scratch) {
    roller_chain::init(model.model, model.rest, speed_rad_s, state, scratch);
  }
  static void step(const Model& model, const crank::Motion<Real>& crank, State& state,
                   Scratch& scratch) {
    roller_chain::step(model.model, crank, state, scratch);
  }
  static void predict(const Model& model, const State& state, const Scratch& scratch,
                      const signal::Tags& tags, signal::ChainOutputs& outputs) {
    roller_chain::predict(model.model, state, scratch, tags, outputs);
  }
  // It knows no limits; elongation is in its model.
  [[nodiscard]] static std::uint32_t health(const State& /*state*/) { return 0; }
  static void set_elongation(float /*elongation*/, State& /*state*/) {}
};
static_assert(ChainModel<RollerChain<double>>);
static_assert(ChainModel<RollerChain<float>>);

// The same rollers and teeth, in one step a tick.
struct ImplicitChain {
  using Real = implicit_chain::Real;
  using Model = implicit_chain::ImplicitModel;
  using State = implicit_chain::ImplicitState;
  using Scratch = implicit_chain::ImplicitScratch;

  [[nodiscard]] static double step_s(const Model& model) {
    return static_cast<double>(model.method.step_s);
  }
  static void init(const Model& model, Real speed_rad_s, State& state, Scratch& scratch) {
    implicit_chain::init(model, speed_rad_s, state, scratch);
  }
  static void step(const Model& model, const crank::Motion<Real>& crank, State& state,
                   Scratch& scratch) {
    implicit_chain::step(model, crank, state, scratch);
  }
  static void predict(const Model& model, const State& state, const Scratch& scratch,
                      const signal::Tags& tags, signal::ChainOutputs& outputs) {
    roller_chain::predict(model.chain, state.chain, scratch.chain, tags, outputs);
  }
  [[nodiscard]] static std::uint32_t health(const State& /*state*/) { return 0; }
  static void set_elongation(float /*elongation*/, State& /*state*/) {}
};
static_assert(ChainModel<ImplicitChain>);

}  // namespace taut::twin
