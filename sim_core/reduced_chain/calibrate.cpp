#include "sim_core/reduced_chain/calibrate.h"

#include <cmath>
#include <memory>

#include "sim_core/crank/synthetic.h"
#include "sim_core/math/constants.h"
#include "sim_core/reduced_chain/outputs.h"
#include "sim_core/reduced_chain/step.h"
#include "sim_core/roller_chain/outputs.h"
#include "sim_core/roller_chain/statics.h"
#include "sim_core/roller_chain/step.h"

namespace taut::reduced_chain {
namespace {

constexpr double kTick_s = static_cast<double>(kStep_s);
constexpr int kSettlingTicks = 4000;
constexpr int kMeasuredTicks = 4000;

// Means at constant speed.
struct Steady {
  double tension_N = 0;  // of all strands
  double joint_W = 0;
  double contact_W = 0;

  void add(const signal::ChainOutputs& outputs, std::size_t strands) {
    for (std::size_t s = 0; s < strands; ++s) {
      tension_N += static_cast<double>(outputs.strand_mean_N[s]) /
                   (static_cast<double>(strands) * kMeasuredTicks);
    }
    joint_W += static_cast<double>(outputs.joint_W) / kMeasuredTicks;
    contact_W += static_cast<double>(outputs.contact_W) / kMeasuredTicks;
  }
};

// Runs for a while from rest at speed; after(tick) makes the steps of one tick and gives outputs.
template <typename Tick>
Steady steady_of(std::size_t strands, Tick tick) {
  Steady steady;
  for (int i = 0; i < kSettlingTicks + kMeasuredTicks; ++i) {
    const bool measured = i >= kSettlingTicks;
    const signal::ChainOutputs& outputs = tick(measured);
    if (measured) {
      steady.add(outputs, strands);
    }
  }
  return steady;
}

struct Full {
  roller_chain::RollerModel<double> model;
  roller_chain::RollerState<double> state;
  roller_chain::RollerScratch<double> scratch;
};

Steady full_at(const drive::DriveModel& drive, const roller_chain::Configuration<double>& rest,
               double speed_rad_s) {
  const auto full = std::make_unique<Full>();
  roller_chain::make_roller_model(drive, {}, full->model);
  roller_chain::init(full->model, rest, speed_rad_s, full->state, full->scratch);
  const auto steps = static_cast<int>(std::lround(kTick_s / full->model.step_s));
  double angle_rad = 0;
  signal::ChainOutputs outputs{};
  return steady_of(full->model.sprockets, [&](bool measured) -> const signal::ChainOutputs& {
    for (int i = 0; i < steps; ++i) {
      angle_rad = std::fmod(angle_rad + speed_rad_s * full->model.step_s, math::kTwoPi<double>);
      roller_chain::step(full->model, {angle_rad, speed_rad_s, 0}, full->state, full->scratch);
    }
    if (measured) {
      roller_chain::predict(full->model, full->state, full->scratch, {}, outputs);
    }
    return outputs;
  });
}

Steady reduced_at(const ReducedModel& model, double speed_rad_s) {
  ReducedState state;
  ReducedScratch scratch;
  init(model, static_cast<float>(speed_rad_s), state, scratch);
  double angle_rad = 0;
  signal::ChainOutputs outputs{};
  return steady_of(model.sprockets, [&](bool measured) -> const signal::ChainOutputs& {
    angle_rad = std::fmod(angle_rad + speed_rad_s * kTick_s, math::kTwoPi<double>);
    step(model, {static_cast<float>(angle_rad), static_cast<float>(speed_rad_s), 0}, state,
         scratch);
    if (measured) {
      predict(model, state, scratch, {}, outputs);
    }
    return outputs;
  });
}

// Chain a strand that makes the reduced drive as tight as the full one, by secants.
float riding_at(ReducedModel& model, std::uint32_t node, double speed_rad_s, double wanted_N) {
  constexpr int kSecants = 6;
  const double most_m = 0.05 * static_cast<double>(model.pitch_m);
  double before_m = 0;
  double before_N = reduced_at(model, speed_rad_s).tension_N - wanted_N;
  double now_m = 1e-4 * static_cast<double>(model.pitch_m) * (before_N < 0 ? 5 : -5);
  for (int i = 0; i < kSecants; ++i) {
    model.riding_m[node] = static_cast<float>(now_m);
    const double now_N = reduced_at(model, speed_rad_s).tension_N - wanted_N;
    const double slope_N_m = (now_N - before_N) / (now_m - before_m);
    if (!(slope_N_m > 0)) {
      break;  // closer than what one run differs from the next
    }
    before_m = now_m;
    before_N = now_N;
    now_m = std::fmax(-most_m, std::fmin(most_m, now_m - now_N / slope_N_m));
  }
  return static_cast<float>(now_m);
}

}  // namespace

void calibrate(const drive::DriveModel& drive, ReducedModel& model) {
  const double nominal_rad_s = drive.spec.crank.speed_rpm * math::kTwoPi<double> / 60;
  const double most_rad_s = 1.25 * nominal_rad_s;
  const auto radius_m = static_cast<double>(model.sprocket[0].pitch_line_radius_m);
  const roller_chain::Equilibrium rest = roller_chain::find_equilibrium(drive);
  model.losses.fill(1);
  if (!rest.found || !(nominal_rad_s > 0)) {
    return;
  }
  model.riding_nodes_s_m = static_cast<float>((kRidingNodes - 1) / (most_rad_s * radius_m));
  for (std::uint32_t i = 1; i < kRidingNodes; ++i) {
    const double speed_rad_s = most_rad_s * i / (kRidingNodes - 1);
    const Steady full = full_at(drive, rest.at, speed_rad_s);
    model.riding_m[i] = riding_at(model, i, speed_rad_s, full.tension_N);
    model.losses[i] = 1;
    const Steady reduced = reduced_at(model, speed_rad_s);
    const double formula_W = reduced.joint_W + reduced.contact_W;
    model.losses[i] =
        static_cast<float>(formula_W > 0 ? (full.joint_W + full.contact_W) / formula_W : 1);
  }
  model.losses[0] = model.losses[1];
}

}  // namespace taut::reduced_chain
