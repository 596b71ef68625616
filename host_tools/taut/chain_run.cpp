#include "host_tools/taut/chain_run.h"

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
#include "sim_core/twin/chains.h"

namespace taut::tool {
namespace {

template <typename Real, typename Force>
using RollerStart = twin::RollerChainStart<Real, Force>;

// A drive and its crank, with all that a step needs.
template <twin::ChainModel Chain>
struct Machine {
  crank::SyntheticModel<typename Chain::Real> crank_model;
  crank::SyntheticState<typename Chain::Real> crank;
  typename Chain::Model model;
  typename Chain::State state;
  typename Chain::Scratch scratch;
  signal::ChainOutputs outputs;
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
signal::ChainOutputs outputs_at_rest(const RunRequest& request) {
  signal::ChainOutputs outputs{};
  const drive::TightenerSpec& tightener = request.spec.tightener;
  if (tightener.kind != drive::TightenerKind::kNone) {
    const auto at = static_cast<std::size_t>(tightener.sprocket) - 1;
    outputs.tightener_x_m = static_cast<float>(request.spec.sprockets[at].centre_x_m);
    outputs.tightener_y_m = static_cast<float>(request.spec.sprockets[at].centre_y_m);
  }
  outputs.arm_mass_centre_x_m = static_cast<float>(tightener.mass_centre_x_m);
  outputs.arm_mass_centre_y_m = static_cast<float>(tightener.mass_centre_y_m);
  return outputs;
}

// What the models differ in, beyond the functions that every chain has.

template <typename Real, typename Force>
void make_model(const RunRequest& request, const RunStart& start, RollerStart<Real, Force>& model) {
  roller_chain::make_roller_model(start.resting->model, request.step, model.model);
  model.rest = start.resting->rest.at;
}

void make_model(const RunRequest& /*request*/, const RunStart& start,
                reduced_chain::ReducedModel& model) {
  model = start.reduction->block.model;
}

void make_model(const RunRequest& /*request*/, const RunStart& start,
                implicit_chain::ImplicitModel& model) {
  make_implicit_chain(*start.resting, model);
}

template <typename Real, typename Force>
std::uint64_t hash_of(const Machine<twin::RollerChain<Real, Force>>& machine) {
  return roller_chain::hash_of(machine.model.model, machine.state);
}

std::uint64_t hash_of(const Machine<twin::ReducedChain>& machine) {
  return reduced_chain::hash_of(machine.model, machine.state);
}

std::uint64_t hash_of(const Machine<twin::ImplicitChain>& machine) {
  return implicit_chain::hash_of(machine.model, machine.state);
}

template <typename State>
std::uint32_t health_of(const State& /*state*/) {
  return 0;
}

std::uint32_t health_of(const reduced_chain::ReducedState& state) {
  return state.health;
}

template <typename Force>
double largest_of(const roller_chain::PerLink<Force>& tension_N, std::size_t links) {
  return static_cast<double>(*std::max_element(tension_N.begin(), tension_N.begin() + links));
}

template <typename Real, typename Force>
double largest_link_N(const Machine<twin::RollerChain<Real, Force>>& machine) {
  return largest_of(machine.scratch.tension_N, machine.model.model.links);
}

double largest_link_N(const Machine<twin::ImplicitChain>& machine) {
  return largest_of(machine.scratch.chain.tension_N, machine.model.chain.links);
}

// Links bear most where a wrap begins or ends.
double largest_link_N(const Machine<twin::ReducedChain>& machine) {
  const reduced_chain::ReducedScratch& scratch = machine.scratch;
  const auto largest = [&](const reduced_chain::PerSprocket<float>& pulls_N) {
    return *std::max_element(pulls_N.begin(), pulls_N.begin() + machine.model.sprockets);
  };
  const float speed_m_s = machine.state.chain_m_s;
  return static_cast<double>(std::max(largest(scratch.leaving_N), largest(scratch.arriving_N)) +
                             machine.model.mass_per_length_kg_m * speed_m_s * speed_m_s);
}

template <typename Real, typename Force>
bool is_whole(const Machine<twin::RollerChain<Real, Force>>& machine) {
  return roller_chain::is_whole(machine.model.model, machine.scratch);
}

bool is_whole(const Machine<twin::ImplicitChain>& machine) {
  return roller_chain::is_whole(machine.model.chain, machine.scratch.chain);
}

// Its step bounds tensions; numbers they must be.
bool is_whole(const Machine<twin::ReducedChain>& machine) {
  return std::all_of(machine.scratch.total_N.begin(),
                     machine.scratch.total_N.begin() + machine.model.sprockets,
                     [](float tension_N) { return std::isfinite(tension_N); });
}

// From here on, one for all.

template <typename Chain>
void set_up(const RunRequest& request, const RunStart& start, Machine<Chain>& machine) {
  crank::make_synthetic(crank_spec(request), machine.crank_model);
  crank::init(machine.crank_model, machine.crank);
  make_model(request, start, machine.model);
  Chain::init(machine.model, machine.crank.motion.speed_rad_s, machine.state, machine.scratch);
  machine.outputs = outputs_at_rest(request);
}

template <typename Chain>
void make_step(Machine<Chain>& machine) {
  crank::advance(machine.crank_model, machine.crank);
  Chain::step(machine.model, machine.crank.motion, machine.state, machine.scratch);
}

template <typename Chain>
void make_outputs(const signal::Tags& tags, Machine<Chain>& machine) {
  Chain::predict(machine.model, machine.state, machine.scratch, tags, machine.outputs);
}

template <typename Chain>
void check(const RunRequest& request, double time_s, const Machine<Chain>& machine) {
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
  void add(const Machine<twin::RollerChain<Real, Force>>& machine, double time_s) {
    roller_chain::add(machine.scratch.powers, machine.crank.motion,
                      static_cast<double>(machine.model.model.step_s), balance_);
    report_.judged = true;
    const bool steady = roller_chain::is_steady(balance_);
    if (steady && !report_.reached) {
      report_.from_s = time_s;
    }
    report_.reached = steady;
  }
  // Others compute no powers that would balance within a turn.
  template <typename Other>
  void add(const Machine<Other>& /*machine*/, double /*time_s*/) {}
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

std::uint64_t steps_a_tick(const RunRequest& request) {
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::llround(roller_chain::kTick_s / request.step.step_s)));
}

// All that is kept of the outputs.
class Keeper {
 public:
  explicit Keeper(const RunRequest& request)
      : request_(request),
        statistics_(request.spec.sprockets.size(), request.step.step_s,
                    request.steps - request.window_begin),
        recorder_(steps_a_tick(request)) {
    if (request.windows > 1) {
      windows_.resize(request.windows, WindowCollector(request.spec.sprockets.size()));
    }
  }

  [[nodiscard]] bool wants(std::uint64_t step) const {
    return step > request_.window_begin || step > request_.record_begin;
  }

  void add(std::uint64_t step, const signal::ChainOutputs& outputs, double link_max_N,
           double crank_rad_s, std::uint32_t health) {
    if (step > request_.record_begin) {
      recorder_.add(outputs);
    }
    if (step <= request_.window_begin) {
      return;
    }
    statistics_.add(outputs, link_max_N, crank_rad_s);
    if (!windows_.empty()) {
      const std::uint64_t in_window = step - request_.window_begin - 1;
      const std::uint64_t whole = request_.steps - request_.window_begin;
      windows_[in_window * windows_.size() / whole].add(outputs);
    }
    for (std::size_t i = 0; i < kHealthColumns.size(); ++i) {
      health_steps_[i] += (health & kHealthColumns[i].bit) != 0 ? 1U : 0U;
    }
  }

  [[nodiscard]] RunResult take() {
    RunResult result;
    result.statistics = statistics_.statistics();
    for (const WindowCollector& window : windows_) {
      result.windows.push_back(window.statistics());
    }
    result.record = recorder_.take();
    result.health_steps = health_steps_;
    return result;
  }

 private:
  const RunRequest& request_;
  StatisticsCollector statistics_;
  std::vector<WindowCollector> windows_;
  Recorder recorder_;
  HealthSteps health_steps_{};
};

template <twin::ChainModel Chain>
RunResult run_by(const RunRequest& request, const RunStart& start, TableCsv* csv,
                 const OnTime& on_time) {
  using Clock = std::chrono::steady_clock;
  const auto machine = std::make_unique<Machine<Chain>>();
  set_up(request, start, *machine);
  Keeper keeper(request);
  SteadyWatch steady;
  const std::uint64_t check_every = steps_a_tick(request);
  if (csv != nullptr) {
    make_outputs(request.tags, *machine);
    csv->add({&machine->outputs});
  }
  const Clock::time_point begin = Clock::now();
  for (std::uint64_t i = 1; i <= request.steps; ++i) {
    make_step(*machine);
    steady.add(*machine, request.time_s(i));
    const bool row_due = csv != nullptr && i % request.out_every == 0;
    if (keeper.wants(i) || row_due) {
      make_outputs(request.tags, *machine);
    }
    if (i % check_every == 0 || row_due || i == request.steps) {
      check(request, request.time_s(i), *machine);
      on_time(request.time_s(i));
    }
    if (keeper.wants(i)) {
      keeper.add(i, machine->outputs, largest_link_N(*machine),
                 static_cast<double>(machine->crank.motion.speed_rad_s), health_of(machine->state));
    }
    if (row_due) {
      csv->add({&machine->outputs});
    }
  }
  const std::chrono::duration<double> wall = Clock::now() - begin;
  RunResult result = keeper.take();
  result.steady = steady.report();
  result.table_mean_removed_rad_s2 = machine->crank_model.table_mean_rad_s2;
  result.state_hash = hash_of(*machine);
  result.wall_s = wall.count();
  return result;
}

}  // namespace

RunStart start_of(const RunRequest& request) {
  RunStart start;
  if (request.is_reduced()) {
    start.reduction = request.reduction       ? request.reduction
                      : request.block.empty() ? reduce_drive(request.spec)
                                              : read_reduction(request.block, request.spec);
  } else {
    roller_chain::StaticsOptions at_rest;
    at_rest.tooth_phase = request.tooth_phase;
    start.resting = std::make_unique<const RestingDrive>(rest_drive(request.spec, at_rest));
  }
  return start;
}

RunResult run_chain(const RunRequest& request, const RunStart& start, TableCsv* csv,
                    const OnTime& on_time) {
  if (request.is_reduced()) {
    return run_by<twin::ReducedChain>(request, start, csv, on_time);
  }
  if (request.is_implicit()) {
    return run_by<twin::ImplicitChain>(request, start, csv, on_time);
  }
  if (request.precision == "float") {
    return run_by<twin::RollerChain<float>>(request, start, csv, on_time);
  }
  if (request.precision == "mixed") {
    return run_by<twin::RollerChain<double, float>>(request, start, csv, on_time);
  }
  return run_by<twin::RollerChain<double>>(request, start, csv, on_time);
}

}  // namespace taut::tool
