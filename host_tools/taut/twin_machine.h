// A twin on the PC: its model made from a drive, its channels, and a tick from raw readings to a
// prediction. What firmware is on a board.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "hal/channels.h"
#include "host_tools/rig/rig.h"
#include "host_tools/taut/reduction.h"
#include "host_tools/taut/run_options.h"
#include "sim_core/twin/chains.h"
#include "sim_core/twin/twin.h"

namespace taut::tool {

// Every roller in double, forces in float: as fast as it gets, and as good (README of
// roller_chain).
using RollerTwinChain = twin::RollerChain<double, float>;

// Of chains that a twin may have.
[[nodiscard]] const std::vector<std::string>& chain_names();

// function(std::type_identity<Chain>()) for the chain of this name.
template <typename Function>
auto by_chain(const std::string& name, Function function) {
  return name == kReducedModel    ? function(std::type_identity<twin::ReducedChain>())
         : name == kImplicitModel ? function(std::type_identity<twin::ImplicitChain>())
                                  : function(std::type_identity<RollerTwinChain>());
}

// The rig's sensors as the twin knows them.
[[nodiscard]] crank::ObserverSpec observer_for(const rig::RigSpec& rig);
[[nodiscard]] monitor::MonitorModel monitor_for(const rig::RigSpec& rig);
[[nodiscard]] hal::ChannelModels channels_for(const drive::DriveSpec& drive);

void make_chain(const drive::DriveSpec& drive, const std::string& block,
                twin::ReducedChain::Model& model);
void make_chain(const drive::DriveSpec& drive, const std::string& block,
                twin::ImplicitChain::Model& model);
void make_chain(const drive::DriveSpec& drive, const std::string& block,
                RollerTwinChain::Model& model);

template <twin::ChainModel Chain>
struct TwinMachine {
  twin::TwinModel<Chain> model;
  twin::TwinState<Chain> state;
  typename Chain::Scratch scratch;
  hal::ChannelModels channels;
  hal::ChannelStates channel_states;
  signal::SensorFrame frame;
  signal::Prediction prediction;
};

// Throws a Failure where the drive has no rest or cannot be reduced.
template <twin::ChainModel Chain>
[[nodiscard]] std::unique_ptr<TwinMachine<Chain>> make_twin(const rig::RigSpec& rig,
                                                            const std::string& block);

// One tick; the frame and the prediction that it made stay to be looked at.
template <twin::ChainModel Chain>
void tick(const rig::RawFrame& raw, TwinMachine<Chain>& machine);

// By measured force, over as long as the link takes round the loop: which one is it? The twin
// knows how far the chain has travelled, but not where it was when the gauge was fixed to it.
template <twin::ChainModel Chain>
class LinkFinder {
 public:
  explicit LinkFinder(const TwinMachine<Chain>& machine) : squares_(machine.model.links) {}
  void add(const TwinMachine<Chain>& machine);  // after a tick
  [[nodiscard]] bool is_done() const {
    return travelled_pitches_ > static_cast<double>(squares_.size());
  }
  [[nodiscard]] std::uint32_t link() const;

 private:
  std::vector<double> squares_;  // of differences, by link
  double travelled_pitches_ = 0;
};

// Calibrates the twin with what was found; gives the link.
template <twin::ChainModel Chain>
std::uint32_t place_gauge(const LinkFinder<Chain>& finder, TwinMachine<Chain>& machine) {
  twin::Calibration calibration = machine.state.calibration;
  calibration.tagged_link = finder.link();
  calibration.gauge_is_placed = 1;
  twin::calibrate(calibration, machine.state);
  return calibration.tagged_link;
}

}  // namespace taut::tool
