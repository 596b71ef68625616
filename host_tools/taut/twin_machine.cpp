#include "host_tools/taut/twin_machine.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/resting_drive.h"
#include "sim_core/drive/links.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::tool {
namespace {

void make_channel(const hal::ChannelSpec& spec, bool is_fitted, hal::ChannelModel& model) {
  hal::ChannelSpec fitted = spec;
  fitted.is_fitted = is_fitted;
  const hal::ChannelProblem problem = hal::make_channel(fitted, model);
  if (problem.member != nullptr) {
    throw Failure(ExitCode::kWrongUse, std::string("channel: ") + problem.member + " = " +
                                           std::to_string(problem.value) + ": allowed " +
                                           problem.allowed);
  }
}

// From the arm's hinge to the axle of the sprocket on it, where its sensors are.
float lever_m(const drive::DriveSpec& drive) {
  if (!drive::has_arm(drive.tightener.kind)) {
    return 0;
  }
  const drive::SprocketSpec& on_arm =
      drive.sprockets[static_cast<std::size_t>(drive.tightener.sprocket) - 1];
  return static_cast<float>(std::hypot(on_arm.centre_x_m - drive.tightener.pivot_x_m,
                                       on_arm.centre_y_m - drive.tightener.pivot_y_m));
}

}  // namespace

const std::vector<std::string>& chain_names() {
  static const std::vector<std::string> names{kReducedModel, kImplicitModel, kRollerModel};
  return names;
}

crank::ObserverSpec observer_for(const rig::RigSpec& rig) {
  crank::ObserverSpec spec;
  const rig::WheelSpec& wheel = rig.sensors.wheel;
  spec.wheel.pitches = static_cast<std::uint32_t>(wheel.teeth);
  spec.wheel.missing = static_cast<std::uint32_t>(wheel.missing);
  spec.wheel.index_rad = wheel.index_angle_rad;
  spec.wheel.confirmed_by_index = true;
  spec.nominal_speed_rad_s = rig.engine.rated_speed_rad_s;
  spec.acceleration_delay_s =
      rig.sensors.crank_acceleration_rad_s2.delay_ticks * roller_chain::kTick_s;
  return spec;
}

hal::ChannelModels channels_for(const drive::DriveSpec& drive) {
  hal::ChannelModels models{};
  make_channel(hal::kCrankAcceleration_rad_s2, true, models.crank_acceleration);
  make_channel(hal::kLinkForce_N, true, models.link_force);
  make_channel(hal::kTightenerAcceleration_m_s2, drive::has_arm(drive.tightener.kind),
               models.tightener_acceleration);
  make_channel(hal::kTightenerPosition_m, drive::has_arm(drive.tightener.kind),
               models.tightener_position);
  return models;
}

// Floors for engines up to the size of 6S90MC-C, as the channels' limits are.
monitor::MonitorModel monitor_for(const rig::RigSpec& rig) {
  const bool has_arm = drive::has_arm(rig.drive.tightener.kind);
  const rig::SensorSpec& sensors = rig.sensors;
  monitor::MonitorModel model{};
  model.link_force = {true, sensors.link_force_N.delay_ticks, 5e3F, 5e3F};
  model.tightener_acceleration = {has_arm, sensors.tightener_acceleration_m_s2.delay_ticks, 1, 3};
  model.tightener_position = {has_arm, sensors.tightener_position_m.delay_ticks, 0.3e-3F, 0.1e-3F};
  return model;
}

void make_chain(const drive::DriveSpec& drive, const std::string& block,
                twin::ReducedChain::Model& model) {
  const std::shared_ptr<const Reduction> reduction =
      block.empty() ? reduce_drive(drive) : read_reduction(block, drive);
  model = reduction->block.model;
}

void make_chain(const drive::DriveSpec& drive, const std::string& /*block*/,
                twin::ImplicitChain::Model& model) {
  make_implicit_chain(rest_drive(drive), model);
}

void make_chain(const drive::DriveSpec& drive, const std::string& /*block*/,
                RollerTwinChain::Model& model) {
  const RestingDrive resting = rest_drive(drive);
  roller_chain::StepSpec step;
  step.step_s = roller_chain::default_step_s(drive);
  roller_chain::make_roller_model(resting.model, step, model.model);
  model.rest = resting.rest.at;
}

template <twin::ChainModel Chain>
std::unique_ptr<TwinMachine<Chain>> make_twin(const rig::RigSpec& rig, const std::string& block) {
  const drive::DriveSpec& drive = rig.drive;
  auto machine = std::make_unique<TwinMachine<Chain>>();
  twin::TwinModel<Chain>& model = machine->model;
  make_chain(drive, block, model.chain);
  model.observer = crank::make_observer(observer_for(rig));
  model.steps_a_tick =
      static_cast<std::uint32_t>(std::llround(roller_chain::kTick_s / Chain::step_s(model.chain)));
  model.links = static_cast<std::uint32_t>(drive.chain.links);
  model.crank_teeth = static_cast<std::uint32_t>(drive.sprockets[0].teeth);
  model.loop_turns = model.links / std::gcd(model.links, model.crank_teeth);
  model.sprockets = static_cast<std::uint32_t>(drive.sprockets.size());
  model.tightener_lever_m = lever_m(drive);
  model.monitor = monitor_for(rig);
  machine->channels = channels_for(drive);
  hal::init(machine->channel_states);
  twin::Calibration calibration{};
  calibration.elongation = static_cast<float>(drive::mean_elongation(drive));
  twin::init(model, calibration, machine->state, machine->scratch);
  return machine;
}

template <twin::ChainModel Chain>
void tick(const rig::RawFrame& raw, TwinMachine<Chain>& machine) {
  const hal::RawReadings readings{raw.crank_acceleration_rad_s2, raw.link_force_N,
                                  raw.tightener_acceleration_m_s2, raw.tightener_position_m};
  machine.frame.tick = raw.tick;
  machine.frame.edges = raw.edges;
  machine.frame.edge = raw.edge;
  machine.frame.edges_lost = raw.edges_lost;
  hal::condition(machine.channels, machine.channel_states, readings, machine.prediction,
                 machine.frame);
  machine.prediction = twin::tick(machine.model, machine.frame, machine.state, machine.scratch);
}

template <twin::ChainModel Chain>
void LinkFinder<Chain>::add(const TwinMachine<Chain>& machine) {
  if (machine.frame.link_force_N.quality != signal::Quality::kGood) {
    return;
  }
  signal::ChainOutputs outputs{};
  for (std::size_t link = 0; link < squares_.size(); ++link) {
    Chain::predict(machine.model.chain, machine.state.chain, machine.scratch, {link, 0}, outputs);
    const auto difference_N = static_cast<double>(outputs.tagged_link_N) -
                              static_cast<double>(machine.frame.link_force_N.value);
    squares_[link] += difference_N * difference_N;
  }
  travelled_pitches_ += static_cast<double>(machine.state.follower.speed_rad_s) *
                        roller_chain::kTick_s * machine.model.crank_teeth / (2 * math::kPi<double>);
}

template <twin::ChainModel Chain>
std::uint32_t LinkFinder<Chain>::link() const {
  const auto least = std::min_element(squares_.begin(), squares_.end());
  return static_cast<std::uint32_t>(least - squares_.begin());
}

template std::unique_ptr<TwinMachine<twin::ReducedChain>> make_twin(const rig::RigSpec&,
                                                                    const std::string&);
template void tick(const rig::RawFrame&, TwinMachine<twin::ReducedChain>&);
template class LinkFinder<twin::ReducedChain>;
template std::unique_ptr<TwinMachine<twin::ImplicitChain>> make_twin(const rig::RigSpec&,
                                                                     const std::string&);
template void tick(const rig::RawFrame&, TwinMachine<twin::ImplicitChain>&);
template class LinkFinder<twin::ImplicitChain>;
template std::unique_ptr<TwinMachine<RollerTwinChain>> make_twin(const rig::RigSpec&,
                                                                 const std::string&);
template void tick(const rig::RawFrame&, TwinMachine<RollerTwinChain>&);
template class LinkFinder<RollerTwinChain>;

}  // namespace taut::tool
