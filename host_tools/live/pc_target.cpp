#include "host_tools/live/pc_target.h"

#include <cmath>

#include "host_tools/live/board_target.h"
#include "host_tools/taut/run_options.h"

namespace taut::live {
namespace {

// [0, links)
float round_loop(double place_pitches, double links) {
  const double within = place_pitches - links * std::floor(place_pitches / links);
  return within < links ? static_cast<float>(within) : 0.0F;
}

void look_at(const tool::TwinMachine<twin::ReducedChain>& machine,
             const StraightChain& /*straight*/, ChainLook& look) {
  const auto& model = machine.model.chain;
  const auto& state = machine.state.chain;
  const auto links = static_cast<double>(model.links);
  const auto travel = static_cast<double>(machine.prediction.chain_pitches);
  for (std::size_t i = 0; i < look.link_N.size(); ++i) {
    const double roller = static_cast<double>(i) + travel;
    const float place = round_loop(roller, links);
    look.link_N[i] =
        reduced_chain::link_force_N(model, state, machine.scratch, round_loop(roller - 0.5, links));
    look.tooth_N[i] = reduced_chain::tooth_force_N(model, state, machine.scratch, place);
    look.beside_m[i] = reduced_chain::beside_m(model, state, place);
  }
}

template <typename Float, typename Force>
void look_at_rollers(const roller_chain::RollerState<Float, Force>& state,
                     const roller_chain::RollerScratch<Float, Force>& scratch,
                     const StraightChain& straight, ChainLook& look) {
  const auto& at = state.at;
  const std::size_t links = look.link_N.size();
  for (std::size_t i = 0; i < links; ++i) {
    look.link_N[i] = scratch.tension_N[i];
    look.tooth_N[i] = 0;
    look.beside_m[i] = static_cast<float>(
        (drive::Point(static_cast<double>(at.x_m[i]), static_cast<double>(at.y_m[i])) -
         straight.at_m[i])
            .dot(straight.left[i]));
  }
  for (std::size_t b = scratch.teeth.all.begin; b < scratch.teeth.all.end; ++b) {
    const auto& block = scratch.teeth.block[b];
    for (std::size_t lane = 0; lane < block.rollers; ++lane) {
      look.tooth_N[(block.first_roller + lane) % links] += block.normal_N[lane];
    }
  }
}

void look_at(const tool::TwinMachine<tool::RollerTwinChain>& machine, const StraightChain& straight,
             ChainLook& look) {
  look_at_rollers(machine.state.chain, machine.scratch, straight, look);
}

void look_at(const tool::TwinMachine<twin::ImplicitChain>& machine, const StraightChain& straight,
             ChainLook& look) {
  look_at_rollers(machine.state.chain.chain, machine.scratch.chain, straight, look);
}

}  // namespace

template <twin::ChainModel Chain>
void PcTarget<Chain>::look(const StraightChain& straight, ChainLook& look) const {
  const std::size_t links = machine_->model.links;
  look.link_N.resize(links);
  look.tooth_N.resize(links);
  look.beside_m.resize(links);
  look_at(*machine_, straight, look);
}

template class PcTarget<twin::ReducedChain>;
template class PcTarget<twin::ImplicitChain>;
template class PcTarget<tool::RollerTwinChain>;

std::unique_ptr<Target> make_target(const TargetSpec& spec) {
  if (!spec.board.image.empty() && spec.model == tool::kReducedModel) {
    return make_board_target(spec);
  }
  return tool::by_chain(spec.model, [&](auto chain) -> std::unique_ptr<Target> {
    using Chain = typename decltype(chain)::type;
    return std::make_unique<PcTarget<Chain>>(spec, tool::make_twin<Chain>(spec.rig, spec.block));
  });
}

}  // namespace taut::live
