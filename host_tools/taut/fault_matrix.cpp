#include "host_tools/taut/fault_matrix.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/progress.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/twin_machine.h"
#include "host_tools/taut/work_sharing.h"
#include "sim_core/math/constants.h"
#include "sim_core/twin/table.h"

namespace taut::tool {
namespace {

using rig::Fault;
using rig::FaultKind;
using rig::Sensor;

constexpr double kTick_s = signal::kTick_s;
// After the gauge was found, for all that compares with it.
constexpr double kCalm_s = 2;
constexpr double kLongestStart_s = 60;

std::size_t in_ticks(double time_s) {
  return static_cast<std::size_t>(std::llround(time_s / kTick_s));
}

// -- Which faults

// Of each reading: RMS of what it measures, but 2 % of what it can show at least.
struct Scales {
  std::array<double, 4> of_reading{};  // by Sensor
};

Scales scales_of(const std::vector<rig::Happening>& run, const rig::SensorSpec& sensors) {
  std::array<double, 4> squares{};
  for (const rig::Happening& tick : run) {
    const double values[] = {
        tick.truth.crank.acceleration_rad_s2, static_cast<double>(tick.truth.chain.tagged_link_N),
        tick.truth.tightener_acceleration_m_s2, tick.truth.tightener_position_m};
    for (std::size_t i = 0; i < squares.size(); ++i) {
      squares[i] += values[i] * values[i];
    }
  }
  const double full_scales[] = {
      sensors.crank_acceleration_rad_s2.full_scale, sensors.link_force_N.full_scale,
      sensors.tightener_acceleration_m_s2.full_scale, sensors.tightener_position_m.full_scale};
  Scales scales;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    scales.of_reading[i] =
        std::max(std::sqrt(squares[i] / static_cast<double>(run.size())), 0.02 * full_scales[i]);
  }
  return scales;
}

// Of pick-ups: a third of a tooth's pitch of 60, or what it turns by in some ticks.
double size_of(Sensor sensor, FaultKind kind, const Scales& scales) {
  const bool is_reading = static_cast<std::size_t>(sensor) < scales.of_reading.size();
  switch (kind) {
    case FaultKind::kGarbage:
      return is_reading ? scales.of_reading[static_cast<std::size_t>(sensor)] : 0.2;
    case FaultKind::kOffset:
      return is_reading ? scales.of_reading[static_cast<std::size_t>(sensor)] : 0.035;
    case FaultKind::kSlow:
      return is_reading ? scales.of_reading[static_cast<std::size_t>(sensor)] : 0.035;
    case FaultKind::kDelayed:
      return is_reading ? 0.025 : 0.005;
    case FaultKind::kIntermittent:
      return 0.5;
    case FaultKind::kTimeJump:
      return rig::size_rule(sensor, kind).whole ? 100 : 0.25e-3;
    default:
      break;
  }
  return 0;
}

struct Case {
  Fault fault;
  std::size_t phase;
};

std::vector<Case> cases_of(const FaultMatrixRequest& request, const Scales& scales) {
  std::vector<Case> cases;
  for (const Sensor sensor : request.sensors) {
    for (const FaultKind kind : request.kinds) {
      const rig::SizeRule rule = rig::size_rule(sensor, kind);
      if (!rule.possible) {
        continue;
      }
      const double size = size_of(sensor, kind, scales) * request.size_factor;
      for (std::size_t i = 0; i < static_cast<std::size_t>(request.phases); ++i) {
        const double sign = i % 2 == 1 && rule.lowest < 0 ? -1 : 1;
        const double wanted = rule.whole ? std::round(sign * size) : sign * size;
        const double fitting = std::clamp(wanted, rule.lowest, rule.highest);
        cases.push_back({{sensor, kind, rule.needed ? fitting : 0, 0, 0}, i});
      }
    }
  }
  return cases;
}

// -- One run without faults

template <twin::ChainModel Chain>
struct Snapshot {
  TwinMachine<Chain> machine;
  rig::Instruments instruments;
  double crank_rad;
};

struct Told {
  float link_N;
  std::uint32_t health;
};

// Of engine and drive, and of a twin without faults: by tick, from `begin` on.
template <twin::ChainModel Chain>
struct Reference {
  std::size_t begin = 0;  // tick of the first fault
  std::vector<rig::Happening> run;
  std::vector<Told> told;
  std::vector<std::unique_ptr<Snapshot<Chain>>> snapshots;  // by phase
  double mean_N = 0;
};

// Until the gauge is found and all is calm.
template <twin::ChainModel Chain>
void start(rig::Rig& rig, rig::Instruments& instruments, TwinMachine<Chain>& machine) {
  LinkFinder<Chain> finder(machine);
  std::optional<std::size_t> found;
  while (!found || rig.ticks() < *found + in_ticks(kCalm_s)) {
    if (!found && rig.time_s() > kLongestStart_s) {
      throw Failure(ExitCode::kNoSolution, "after " + std::to_string(kLongestStart_s) +
                                               " s the twin has not settled: no faults to try");
    }
    rig.advance();
    tick(instruments.measure(rig.happening()), machine);
    if (!found && (machine.prediction.health & signal::kNotSettled) == 0) {
      finder.add(machine);
      if (finder.is_done()) {
        place_gauge(finder, machine);
        found = rig.ticks();
      }
    }
  }
}

template <twin::ChainModel Chain>
Reference<Chain> run_reference(const FaultMatrixRequest& request) {
  rig::Rig rig(request.rig);
  rig::Instruments instruments(request.rig.sensors, request.rig.seed);
  const auto machine = make_twin<Chain>(request.rig, request.block);
  start(rig, instruments, *machine);
  Reference<Chain> reference;
  reference.begin = rig.ticks();
  const double turn_s = math::kTwoPi<double> / request.rig.engine.set_speed_rad_s;
  const auto phases = static_cast<std::size_t>(request.phases);
  const auto phase_tick = [&](std::size_t phase) {
    return in_ticks(turn_s * static_cast<double>(phase) / static_cast<double>(phases));
  };
  const std::size_t ticks = in_ticks(turn_s + request.fault_s + request.watch_s);
  Progress progress("taut faults: the bench", static_cast<double>(ticks) * kTick_s, "s");
  for (std::size_t i = 0; i < ticks; ++i) {
    if (reference.snapshots.size() < phases && i == phase_tick(reference.snapshots.size())) {
      reference.snapshots.push_back(std::make_unique<Snapshot<Chain>>(
          Snapshot<Chain>{*machine, instruments, rig.happening().truth.crank.angle_rad}));
    }
    rig.advance();
    reference.run.push_back(rig.happening());
    tick(instruments.measure(rig.happening()), *machine);
    const signal::Prediction& prediction = machine->prediction;
    reference.told.push_back({prediction.tagged_link_N, prediction.health});
    reference.mean_N += static_cast<double>(prediction.tagged_link_N) / static_cast<double>(ticks);
    progress.show(static_cast<double>(i) * kTick_s);
  }
  return reference;
}

// -- One fault

bool is_finite(const signal::Prediction& prediction) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&prediction);
  for (const signal::Entry& entry : twin::entries(twin::Part::kMeasurement)) {
    if (entry.type != signal::Type::kFloat32) {
      continue;
    }
    for (std::size_t i = 0; i < signal::times(entry.repeat, signal::kMaxStrands); ++i) {
      float value = 0;
      std::memcpy(&value, bytes + entry.offset + i * sizeof value, sizeof value);
      if (!std::isfinite(value)) {
        return false;
      }
    }
  }
  return true;
}

// RMS of the error over the last ticks, by whether all, or none, of them were valid.
class ErrorWindow {
 public:
  void add(double whole_part, bool is_valid, FaultOutcome& outcome) {
    // Two equal poles, together 3 dB at kSlow_Hz.
    constexpr double kPole_Hz = kSlow_Hz / 0.6436;
    const double share = 1 - std::exp(-math::kTwoPi<double> * kPole_Hz * kTick_s);
    slow_[0] += share * (whole_part - slow_[0]);
    slow_[1] += share * (slow_[0] - slow_[1]);
    const double part = slow_[1];
    constexpr double kTicks = kWrongFor_s / kTick_s;
    if (is_valid != was_valid_ || squares_.empty()) {
      squares_.assign(static_cast<std::size_t>(kTicks), 0);
      sum_ = 0;
      filled_ = 0;
      was_valid_ = is_valid;
    }
    double& oldest = squares_[filled_ % squares_.size()];
    sum_ += part * part - oldest;
    oldest = part * part;
    if (++filled_ >= squares_.size()) {
      double& worst = is_valid ? outcome.valid_error : outcome.told_error;
      worst = std::max(worst, std::sqrt(std::max(0.0, sum_) / kTicks));
    }
  }

 private:
  std::vector<double> squares_;
  std::array<double, 2> slow_{};
  double sum_ = 0;
  std::size_t filled_ = 0;
  bool was_valid_ = false;
};

std::uint32_t worse(std::uint32_t health, std::uint32_t other) {
  const auto trust = std::max(signal::trust_of(health), signal::trust_of(other));
  return ((health | other) & ~signal::kTrustMask) | static_cast<std::uint32_t>(trust);
}

template <twin::ChainModel Chain>
FaultOutcome run_case(const FaultMatrixRequest& request, const Reference<Chain>& reference,
                      const Case& one, const Advance& advance) {
  const auto at = std::make_unique<Snapshot<Chain>>(*reference.snapshots[one.phase]);
  FaultOutcome outcome;
  const std::uint64_t begin = at->instruments.ticks();
  const std::uint64_t end = begin + in_ticks(request.fault_s);
  const std::uint64_t stop = end + in_ticks(request.watch_s);
  outcome.phase_deg = at->crank_rad / math::kPi<double> * 180;
  outcome.fault = one.fault;
  outcome.fault.at_s = static_cast<double>(begin) * kTick_s;
  outcome.fault.until_s = static_cast<double>(end) * kTick_s;
  at->instruments.inject(outcome.fault);
  ErrorWindow window;
  std::uint64_t last_different = begin;
  for (std::uint64_t i = begin; i < stop; ++i) {
    const Told& without = reference.told[i - reference.begin];
    tick(at->instruments.measure(reference.run[i - reference.begin]), at->machine);
    const signal::Prediction& prediction = at->machine.prediction;
    const std::uint32_t health = prediction.health;
    if (health != without.health) {
      last_different = i + 1;
      const std::uint32_t more = health & ~without.health & ~signal::kTrustMask;
      outcome.health = worse(outcome.health, more | (health & signal::kTrustMask));
      if (!outcome.noticed_s && more != 0) {
        outcome.noticed_s = static_cast<double>(i - begin + 1) * kTick_s;
      }
    }
    outcome.is_finite = outcome.is_finite && is_finite(prediction);
    window.add(static_cast<double>(prediction.tagged_link_N - without.link_N) / reference.mean_N,
               signal::trust_of(health) == signal::Trust::kValid, outcome);
  }
  if (last_different < stop) {
    outcome.recovered_s =
        last_different > end ? static_cast<double>(last_different - end) * kTick_s : 0;
  }
  advance(static_cast<double>(stop - begin) * kTick_s);
  return outcome;
}

template <twin::ChainModel Chain>
FaultMatrix run_by(const FaultMatrixRequest& request) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const Reference<Chain> reference = run_reference<Chain>(request);
  const std::vector<Case> cases = cases_of(request, scales_of(reference.run, request.rig.sensors));
  FaultMatrix matrix;
  matrix.begin_s = static_cast<double>(reference.begin) * kTick_s;
  matrix.mean_N = reference.mean_N;
  matrix.outcomes.resize(cases.size());
  matrix.threads = threads_for(request.jobs, cases.size());
  const double whole_s = static_cast<double>(cases.size()) * (request.fault_s + request.watch_s);
  share_work({"taut faults", whole_s, "s", "cases", cases.size()}, matrix.threads,
             [&](std::size_t i, const Advance& advance) {
               matrix.outcomes[i] = run_case(request, reference, cases[i], advance);
             });
  matrix.wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
  return matrix;
}

}  // namespace

std::size_t FaultMatrix::wrong() const {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(),
                    [](const FaultOutcome& outcome) { return outcome.is_wrong(); }));
}

FaultMatrix run_fault_matrix(const FaultMatrixRequest& request) {
  return by_chain(request.model, [&]<typename Chain>() { return run_by<Chain>(request); });
}

}  // namespace taut::tool
