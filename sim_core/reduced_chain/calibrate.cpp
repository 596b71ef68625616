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
// Waves fill the strands of a damped drive within one second. Where joints do not damp (6L60MC)
// they go on growing for six: after three its tension is within 6 % of where it ends.
constexpr int kSettlingTicks = 6000;
constexpr int kMeasuredTicks = 2000;

// Means at constant speed.
struct Steady {
  double tension_N = 0;  // of all strands
  double joint_W = 0;
  double contact_W = 0;
  double friction_W = 0;
  double bars_W = 0;  // of that, of the reduced chain

  void add(const signal::ChainOutputs& outputs, std::size_t strands) {
    for (std::size_t s = 0; s < strands; ++s) {
      tension_N += static_cast<double>(outputs.strand_mean_N[s]) /
                   (static_cast<double>(strands) * kMeasuredTicks);
    }
    joint_W += static_cast<double>(outputs.joint_W) / kMeasuredTicks;
    contact_W += static_cast<double>(outputs.contact_W) / kMeasuredTicks;
    friction_W += static_cast<double>(outputs.friction_W) / kMeasuredTicks;
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
  roller_chain::RollerModel<double, float> model;
  roller_chain::RollerState<double, float> state;
  roller_chain::RollerScratch<double, float> scratch;
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
  double bars_W = 0;
  signal::ChainOutputs outputs{};
  Steady steady = steady_of(model.sprockets, [&](bool measured) -> const signal::ChainOutputs& {
    angle_rad = std::fmod(angle_rad + speed_rad_s * kTick_s, math::kTwoPi<double>);
    step(model, {static_cast<float>(angle_rad), static_cast<float>(speed_rad_s), 0}, state,
         scratch);
    if (measured) {
      predict(model, state, scratch, {}, outputs);
      for (const float drag_N : scratch.bar_drag_N) {
        bars_W += static_cast<double>(drag_N * state.chain_m_s) / kMeasuredTicks;
      }
    }
    return outputs;
  });
  steady.bars_W = bars_W;
  return steady;
}

// Chain a strand that makes the reduced drive as tight as the full one, by secants from what the
// node before found.
struct Riding {
  double take_up_m = 0;
  double slope_N_m = 0;  // of the strands' mean tension; 0: not known yet
};

void find_riding(ReducedModel& model, std::uint32_t node, double speed_rad_s, double wanted_N,
                 Riding& riding) {
  constexpr int kSecants = 6;
  constexpr double kCloseEnough = 5e-4;  // of the tension: one run differs that much from the next
  const double most_m = 0.05 * static_cast<double>(model.pitch_m);
  const auto missing_N = [&] {
    model.at_speed[node].riding_m = static_cast<float>(riding.take_up_m);
    return wanted_N - reduced_at(model, speed_rad_s).tension_N;
  };
  double now_N = missing_N();
  for (int i = 0; i < kSecants && std::abs(now_N) > kCloseEnough * wanted_N; ++i) {
    const double before_m = riding.take_up_m;
    const double before_N = now_N;
    const double step_m =
        riding.slope_N_m > 0 ? now_N / riding.slope_N_m : std::copysign(0.01 * most_m, now_N);
    riding.take_up_m = std::fmax(-most_m, std::fmin(most_m, before_m + step_m));
    now_N = missing_N();
    const double slope_N_m = (before_N - now_N) / (riding.take_up_m - before_m);
    if (!(slope_N_m > 0)) {
      break;
    }
    riding.slope_N_m = slope_N_m;
  }
}

double part_of(double full_W, double formula_W) {
  return formula_W > 0 ? std::fmax(full_W / formula_W, 0) : 1;
}

}  // namespace

void calibrate(const drive::DriveModel& drive, ReducedModel& model) {
  const double nominal_rad_s = drive.spec.crank.speed_rpm * math::kTwoPi<double> / 60;
  const double most_rad_s = 1.25 * nominal_rad_s;
  const auto radius_m = static_cast<double>(model.sprocket[0].pitch_line_radius_m);
  const roller_chain::Equilibrium rest = roller_chain::find_equilibrium(drive);
  model.at_speed.fill({.riding_m = 0, .joints = 1, .seats = 1, .rubbing = 1});
  if (!rest.found || !(nominal_rad_s > 0)) {
    return;
  }
  model.speed_nodes_s_m = static_cast<float>((kSpeedNodes - 1) / (most_rad_s * radius_m));
  Riding riding;
  for (std::uint32_t i = 1; i < kSpeedNodes; ++i) {
    AtSpeed& at_speed = model.at_speed[i];
    const double speed_rad_s = most_rad_s * i / (kSpeedNodes - 1);
    const Steady full = full_at(drive, rest.at, speed_rad_s);
    find_riding(model, i, speed_rad_s, full.tension_N, riding);
    const Steady formula = reduced_at(model, speed_rad_s);
    at_speed.joints = static_cast<float>(part_of(full.joint_W, formula.joint_W));
    at_speed.seats = static_cast<float>(part_of(full.contact_W, formula.contact_W));
    // Bars press as their indentation and the tension tell.
    at_speed.rubbing = static_cast<float>(
        part_of(full.friction_W - formula.bars_W, formula.friction_W - formula.bars_W));
  }
  model.at_speed[0] = model.at_speed[1];
  model.at_speed[0].riding_m = 0;
}

}  // namespace taut::reduced_chain
