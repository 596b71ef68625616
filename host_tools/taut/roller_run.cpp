#include "host_tools/taut/roller_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"
#include "sim_core/crank/synthetic.h"
#include "sim_core/roller_chain/outputs.h"
#include "sim_core/roller_chain/power_balance.h"
#include "sim_core/roller_chain/step.h"

namespace taut::tool {
namespace {

// A drive and its crank, with all that a step needs.
template <typename Real, typename Force>
struct Machine {
  crank::SyntheticModel<Real> crank_model;
  crank::SyntheticState<Real> crank;
  roller_chain::RollerModel<Real, Force> model;
  roller_chain::RollerState<Real, Force> state;
  roller_chain::RollerScratch<Real, Force> scratch;
  roller_chain::Outputs outputs;
};

crank::SyntheticSpec crank_spec(const RunRequest& request) {
  const CrankRequest& crank = request.crank;
  crank::SyntheticSpec spec;
  spec.step_s = request.step.step_s;
  spec.speed_rad_s = crank.speed_rad_s;
  spec.run_up_s = crank.run_up_s;
  spec.fade_in_s = crank.fade_in_s;
  spec.order = crank.order;
  spec.order_amplitude_rad_s2 = crank.order_amplitude_rad_s2;
  if (crank.table_rad_s2) {
    spec.table_rad_s2 = {crank.table_rad_s2->data(), crank.table_rad_s2->size()};
  }
  if (crank.series) {
    const std::vector<float>& samples_rad_s2 = crank.series->samples_rad_s2;
    spec.series_rad_s2 = {samples_rad_s2.data(), samples_rad_s2.size()};
    spec.series_period_s = crank.series->period_s;
  }
  return spec;
}

// predict() writes where the tightener is only if it moves.
roller_chain::Outputs outputs_at_rest(const RestingDrive& resting) {
  roller_chain::Outputs outputs{};
  const drive::TightenerSpec& tightener = resting.model.spec.tightener;
  outputs.tightener_x_m = static_cast<float>(resting.report.centre_x_m);
  outputs.tightener_y_m = static_cast<float>(resting.report.centre_y_m);
  outputs.arm_mass_centre_x_m = static_cast<float>(tightener.mass_centre_x_m);
  outputs.arm_mass_centre_y_m = static_cast<float>(tightener.mass_centre_y_m);
  return outputs;
}

template <typename Real, typename Force>
void set_up(const RunRequest& request, const RestingDrive& resting, Machine<Real, Force>& machine) {
  crank::make_synthetic(crank_spec(request), machine.crank_model);
  crank::init(machine.crank_model, machine.crank);
  roller_chain::make_roller_model(resting.model, request.step, machine.model);
  roller_chain::init(machine.model, resting.rest.at, machine.crank.motion.speed_rad_s,
                     machine.state, machine.scratch);
  machine.outputs = outputs_at_rest(resting);
}

template <typename Real, typename Force>
void make_step(Machine<Real, Force>& machine) {
  crank::advance(machine.crank_model, machine.crank);
  roller_chain::step(machine.model, machine.crank.motion, machine.state, machine.scratch);
}

template <typename Real, typename Force>
void make_outputs(const roller_chain::Tags& tags, Machine<Real, Force>& machine) {
  roller_chain::predict(machine.model, machine.state, machine.scratch, tags, machine.outputs);
}

template <typename Real, typename Force>
double largest_link_N(const Machine<Real, Force>& machine) {
  const auto& tension_N = machine.scratch.tension_N;
  return static_cast<double>(
      *std::max_element(tension_N.begin(), tension_N.begin() + machine.model.links));
}

// No link has lost or won half its length, and none is no number: an unstable chain flies
// apart, and far from its sprockets it may do so for long with numbers that are finite.
template <typename Real, typename Force>
bool is_whole(const Machine<Real, Force>& machine) {
  const auto& model = machine.model;
  const Force half_m = Force(0.5) * static_cast<Force>(model.pitch_m);
  for (std::size_t i = 0; i < model.links; ++i) {
    if (!(std::abs(machine.scratch.tension_N[i]) < half_m * model.link_stiffness_N_m[i])) {
      return false;
    }
  }
  return true;
}

template <typename Real, typename Force>
void check(const RunRequest& request, double time_s, const Machine<Real, Force>& machine) {
  if (!is_whole(machine)) {
    throw Failure(ExitCode::kNoSolution,
                  std::string(request.spec.name.c_str()) + ": the chain had flown apart by " +
                      fixed(time_s, 4) + " s, in steps of " + general(request.step.step_s * 1e6) +
                      " us; try a smaller --step-us, or a lower speed or acceleration");
  }
  constexpr double kBackwards = -0.01;  // of the nominal speed; less is a crank that stands
  const auto speed_rad_s = static_cast<double>(machine.crank.motion.speed_rad_s);
  if (!(speed_rad_s > kBackwards * request.crank.speed_rad_s)) {
    throw Failure(ExitCode::kWrongUse,
                  "the crankshaft turns backwards at " + fixed(time_s, 4) + " s, with " +
                      fixed(to_rpm(speed_rad_s), 2) +
                      " rpm: give less acceleration (--accel-amplitude, --accel-table, "
                      "--accel-series) or more speed (--speed-rpm)");
  }
}

// Turns of the crank in which what it gives and what is lost agree.
class SteadyWatch {
 public:
  template <typename Real, typename Force>
  void add(const Machine<Real, Force>& machine, double time_s) {
    roller_chain::add(machine.scratch.powers, machine.crank.motion,
                      static_cast<double>(machine.model.step_s), balance_);
    const bool steady = roller_chain::is_steady(balance_);
    if (steady && !report_.reached) {
      report_.from_s = time_s;
    }
    report_.reached = steady;
  }
  [[nodiscard]] SteadyReport report() const {
    SteadyReport report = report_;
    report.last_imbalance = balance_.imbalance;
    report.turns = balance_.turns;
    return report;
  }

 private:
  roller_chain::PowerBalance balance_{};
  SteadyReport report_;
};

template <typename Real, typename Force>
RunResult run_in(const RunRequest& request, const RestingDrive& resting, OutputsCsv* csv,
                 const OnTime& on_time) {
  using Clock = std::chrono::steady_clock;
  const auto machine = std::make_unique<Machine<Real, Force>>();
  set_up(request, resting, *machine);
  StatisticsCollector collector(machine->model.sprockets, request.step.step_s,
                                request.steps - request.window_begin);
  SteadyWatch steady;
  const std::uint64_t check_every = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(roller_chain::kTick_s / request.step.step_s));
  if (csv != nullptr) {
    make_outputs(request.tags, *machine);
    csv->add(machine->outputs);
  }
  const Clock::time_point begin = Clock::now();
  for (std::uint64_t i = 1; i <= request.steps; ++i) {
    make_step(*machine);
    steady.add(*machine, request.time_s(i));
    const bool in_window = i > request.window_begin;
    const bool row_due = csv != nullptr && i % request.out_every == 0;
    if (in_window || row_due) {
      make_outputs(request.tags, *machine);
    }
    if (i % check_every == 0 || row_due || i == request.steps) {
      check(request, request.time_s(i), *machine);
      on_time(request.time_s(i));
    }
    if (in_window) {
      collector.add(machine->outputs, largest_link_N(*machine),
                    static_cast<double>(machine->crank.motion.speed_rad_s));
    }
    if (row_due) {
      csv->add(machine->outputs);
    }
  }
  const std::chrono::duration<double> wall = Clock::now() - begin;
  return {collector.statistics(), steady.report(), machine->crank_model.table_mean_rad_s2,
          roller_chain::hash_of(machine->model, machine->state), wall.count()};
}

}  // namespace

RestingDrive rest_of(const RunRequest& request) {
  roller_chain::StaticsOptions at_rest;
  at_rest.tooth_phase = request.tooth_phase;
  return rest_drive(request.spec, at_rest);
}

RunResult run_roller(const RunRequest& request, const RestingDrive& resting, OutputsCsv* csv,
                     const OnTime& on_time) {
  if (request.precision == "float") {
    return run_in<float, float>(request, resting, csv, on_time);
  }
  if (request.precision == "mixed") {
    return run_in<double, float>(request, resting, csv, on_time);
  }
  return run_in<double, double>(request, resting, csv, on_time);
}

}  // namespace taut::tool
