// What the twin asks of a chain formulation: constants, restartable state, scratch, and three
// functions over them. How constants are made is each formulation's own affair, on the host.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "sim_core/crank/motion.h"
#include "sim_core/signal/chain_outputs.h"

namespace taut::twin {

// init: at rest or at a speed of the crank, in rad/s. step: one of step_s(model); the crank's
// motion is that at its end. predict: after either. health: bits of signal/prediction.h.
// set_elongation: by wear, while it runs, where the model can.
template <typename Chain>
concept ChainModel = std::is_trivially_copyable_v<typename Chain::Model> &&
    std::is_trivially_copyable_v<typename Chain::State> &&
    requires(const typename Chain::Model& model, const crank::Motion<typename Chain::Real>& crank,
             typename Chain::Real speed_rad_s, typename Chain::State& state,
             typename Chain::Scratch& scratch, const signal::Tags& tags,
             signal::ChainOutputs& outputs, float elongation, const typename Chain::State& after) {
  { Chain::step_s(model) } -> std::convertible_to<double>;
  { Chain::init(model, speed_rad_s, state, scratch) } -> std::same_as<void>;
  { Chain::step(model, crank, state, scratch) } -> std::same_as<void>;
  { Chain::predict(model, state, scratch, tags, outputs) } -> std::same_as<void>;
  { Chain::health(after) } -> std::same_as<std::uint32_t>;
  { Chain::set_elongation(elongation, state) } -> std::same_as<void>;
};

}  // namespace taut::twin
