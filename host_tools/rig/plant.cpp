#include "host_tools/rig/plant.h"

#include <algorithm>
#include <cmath>

#include "host_tools/rig/plant_parameters.h"
#include "host_tools/rig/rig_error.h"
#include "sim_core/drive/drive_model.h"
#include "sim_core/roller_chain/statics.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::rig {
namespace {

[[noreturn]] void fail(const drive::DriveSpec& spec, const std::string& text) {
  throw RigError(std::string(spec.name.c_str()) + " on the bench: " + text);
}

drive::DriveModel drive_model(const drive::DriveSpec& spec) {
  if (const std::string problem = problem_with(spec); !problem.empty()) {
    fail(spec, problem);
  }
  drive::DriveModel model;
  if (!drive::make_drive_model(spec, model)) {  // validate() has seen to it
    fail(spec, "has no geometry");
  }
  return model;
}

// A small chain needs a shorter step than that of the engines.
std::uint32_t steps_a_tick(const drive::DriveSpec& spec) {
  const double step_s = std::min(kPlantStep_s, roller_chain::default_step_s(spec));
  return static_cast<std::uint32_t>(std::lround(roller_chain::kTick_s / step_s));
}

}  // namespace

Plant::Plant(const drive::DriveSpec& spec, double crank_rad_s)
    : spec_(spec), steps_a_tick_(rig::steps_a_tick(spec)), machine_(std::make_unique<Machine>()) {
  const drive::DriveModel drive = drive_model(spec);
  const roller_chain::Equilibrium rest = roller_chain::find_equilibrium(drive);
  if (!rest.found) {
    fail(spec, "found no rest; the chain may be too slack, or loads more than teeth can hold");
  }
  roller_chain::make_roller_model(drive, {.step_s = step_s()}, machine_->model.model);
  machine_->model.rest = rest.at;
  Chain::init(machine_->model, crank_rad_s, machine_->state, machine_->scratch);
}

double Plant::step_s() const {
  return roller_chain::kTick_s / steps_a_tick_;
}

void Plant::step(const crank::Motion<double>& crank) {
  Chain::step(machine_->model, crank, machine_->state, machine_->scratch);
}

void Plant::replace(const drive::DriveSpec& spec) {
  const drive::DriveModel drive = drive_model(spec);
  roller_chain::RollerModel<double, float>& model = machine_->model.model;
  const std::size_t links = model.links;
  const std::size_t sprockets = model.sprockets;
  const std::size_t bars = model.guide_bars;
  roller_chain::make_roller_model(drive, {.step_s = step_s()}, model);
  TAUT_ASSERT(model.links == links, model.links);
  TAUT_ASSERT(model.sprockets == sprockets, model.sprockets);
  TAUT_ASSERT(model.guide_bars == bars, model.guide_bars);
  spec_ = spec;
}

void Plant::check(double time_s) const {
  if (!roller_chain::is_whole(machine_->model.model, machine_->scratch)) {
    fail(spec_, "the chain had flown apart by " + std::to_string(time_s) +
                    " s; lower the speed, the torque orders or the damage");
  }
}

void Plant::predict(const signal::Tags& tags, signal::ChainOutputs& outputs) const {
  Chain::predict(machine_->model, machine_->state, machine_->scratch, tags, outputs);
}

double Plant::torque_on_crank_N_m() const {
  const double turn = machine_->model.model.sprocket[0].turn;
  return turn * static_cast<double>(roller_chain::driver_torque_N_m(machine_->state.forces));
}

double Plant::arm_rad_s2() const {
  const auto& model = machine_->model.model;
  return model.arm_sprocket == roller_chain::kNoSprocket
             ? 0
             : static_cast<double>(machine_->state.forces.arm_moment_N_m) *
                   static_cast<double>(model.arm_inertia_inverse_1_kg_m2);
}

double Plant::axle_radius_m() const {
  const auto& arm = machine_->model.model.arm;
  return std::hypot(arm.axle_x_m, arm.axle_y_m);
}

std::uint64_t Plant::hash() const {
  return roller_chain::hash_of(machine_->model.model, machine_->state);
}

}  // namespace taut::rig
