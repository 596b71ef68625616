#include "host_tools/taut/twin_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/twin_log.h"
#include "host_tools/taut/twin_machine.h"
#include "sim_core/twin/table.h"

namespace taut::tool {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Ticks of a machine into the record: `next` makes one and gives its truth, or null.
template <twin::ChainModel Chain, typename Next>
TwinReport run_ticks(const TwinRequest& request, std::uint64_t ticks, TwinMachine<Chain>& machine,
                     const OnTime& on_time, Next next) {
  TwinRecord<Chain> record(request.rig.drive, request.model, request.files, machine);
  const Clock::time_point begin = Clock::now();
  for (std::uint64_t i = 0; i < ticks; ++i) {
    const double time_s = static_cast<double>(i + 1) * roller_chain::kTick_s;
    double tick_s = 0;
    const rig::Truth* truth = next(i, tick_s);
    record.add(truth, time_s, tick_s);
    on_time(time_s);
  }
  const double wall_s = seconds_since(begin);
  TwinReport report = record.finish();
  report.wall_s = wall_s;
  return report;
}

template <twin::ChainModel Chain>
TwinReport run_against_rig(const TwinRequest& request, const OnTime& on_time) {
  const auto machine = make_twin<Chain>(request.rig, request.block);
  rig::Rig rig(request.rig);
  return run_ticks(request, request.ticks.value_or(0), *machine, on_time,
                   [&](std::uint64_t /*tick*/, double& tick_s) {
                     const rig::Rig::Tick& measured = rig.advance();
                     const Clock::time_point begin = Clock::now();
                     tick(measured.frame, *machine);
                     tick_s = seconds_since(begin);
                     return &measured.truth;
                   });
}

// A model as it was logged.
template <twin::ChainModel Chain>
void load_model(const std::string& path, const TwinLog& log, twin::TwinModel<Chain>& model) {
  if (log.model.size() != sizeof model) {
    throw Failure(ExitCode::kWrongUse, path + ": a model of " + std::to_string(log.model.size()) +
                                           " bytes; this program's has " +
                                           std::to_string(sizeof model) +
                                           ": use the program that wrote it");
  }
  std::memcpy(&model, log.model.data(), log.model.size());
}

// What a twin knows of its sensors.
template <twin::ChainModel Logged, twin::ChainModel Chain>
void take_sensors(const std::string& path, const TwinLog& log, twin::TwinModel<Chain>& model) {
  const auto logged = std::make_unique<twin::TwinModel<Logged>>();
  load_model(path, log, *logged);
  model.observer = logged->observer;
  model.monitor = logged->monitor;
}

// Its drive, block and gauge are its own; the crank's sensors are those of the log.
template <twin::ChainModel Chain>
TwinReport run_against_log(const TwinRequest& request, const OnTime& on_time) {
  const std::string& path = request.against;
  const TwinLog log = read_log(path);
  const std::string name = request.rig.drive.name.c_str();
  if (log.head.drive != name) {
    throw Failure(ExitCode::kWrongUse, path + ": a log of the drive " + log.head.drive +
                                           ", not of " + name + ": give the drive that was logged");
  }
  const auto machine = make_twin<Chain>(request.rig, request.block);
  by_chain(log.head.chain, [&](auto chain) {
    take_sensors<typename decltype(chain)::type>(path, log, machine->model);
  });
  const std::uint64_t ticks =
      std::min<std::uint64_t>(log.rows.size(), request.ticks.value_or(log.rows.size()));
  TwinReport report = run_ticks(
      request, ticks, *machine, on_time, [&](std::uint64_t i, double& tick_s) -> const rig::Truth* {
        const Clock::time_point begin = Clock::now();
        machine->frame = log.rows[i].frame;
        machine->prediction =
            twin::tick(machine->model, machine->frame, machine->state, machine->scratch);
        tick_s = seconds_since(begin);
        return nullptr;
      });
  report.is_whole = log.is_whole || ticks < log.rows.size();
  return report;
}

template <twin::ChainModel Chain>
TwinReport run_by(const TwinRequest& request, const OnTime& on_time) {
  return request.against.empty() ? run_against_rig<Chain>(request, on_time)
                                 : run_against_log<Chain>(request, on_time);
}

std::string value_text(signal::Type type, const char* place) {
  if (type == signal::Type::kUint32) {
    std::uint32_t value = 0;
    std::memcpy(&value, place, sizeof value);
    return std::to_string(value);
  }
  float value = 0;  // a prediction has no doubles
  std::memcpy(&value, place, sizeof value);
  return general(static_cast<double>(value));
}

// The first quantity that differs, in the words of the table.
std::string difference_of(const signal::Prediction& logged, const signal::Prediction& again,
                          std::size_t sprockets) {
  for (const signal::Entry& entry : twin::entries(twin::Part::kMeasurement)) {
    const std::size_t size = signal::size_of(entry.type);
    for (std::size_t i = 0; i < signal::times(entry.repeat, sprockets); ++i) {
      const auto* const then = reinterpret_cast<const char*>(&logged) + entry.offset + i * size;
      const auto* const now = reinterpret_cast<const char*>(&again) + entry.offset + i * size;
      if (std::memcmp(then, now, size) != 0) {
        const std::string index =
            entry.repeat == signal::Repeat::kOnce ? "" : "[" + std::to_string(i + 1) + "]";
        return entry.name + index + " was logged as " + value_text(entry.type, then) + " and is " +
               value_text(entry.type, now);
      }
    }
  }
  return "beyond the quantities of the table";
}

template <twin::ChainModel Chain>
ReplayReport replay_by(const std::string& path, const TwinLog& log) {
  const auto machine = std::make_unique<TwinMachine<Chain>>();
  load_model(path, log, machine->model);
  if (log.state.size() != sizeof machine->state) {
    throw Failure(ExitCode::kWrongUse, path + ": a state of " + std::to_string(log.state.size()) +
                                           " bytes; this program's has " +
                                           std::to_string(sizeof machine->state) +
                                           ": replay it with the program that wrote it");
  }
  twin::init(machine->model, {}, machine->state, machine->scratch);
  std::memcpy(&machine->state, log.state.data(), log.state.size());
  ReplayReport report;
  report.rows = log.rows.size();
  report.is_whole = log.is_whole;
  auto calibration = log.calibrations.begin();
  for (std::size_t i = 0; i < log.rows.size() && !report.first_different; ++i) {
    for (; calibration != log.calibrations.end() && calibration->row <= i; ++calibration) {
      twin::calibrate(calibration->values, machine->state);
    }
    const signal::Prediction again =
        twin::tick(machine->model, log.rows[i].frame, machine->state, machine->scratch);
    if (bytes_of(again) != bytes_of(log.rows[i].prediction)) {
      report.first_different = {i,
                                difference_of(log.rows[i].prediction, again, log.head.sprockets)};
    }
  }
  return report;
}

}  // namespace

TwinReport run_twin(const TwinRequest& request, const OnTime& on_time) {
  return by_chain(request.model, [&](auto chain) {
    return run_by<typename decltype(chain)::type>(request, on_time);
  });
}

ReplayReport replay(const std::string& log) {
  const TwinLog read = read_log(log);
  return by_chain(read.head.chain,
                  [&](auto chain) { return replay_by<typename decltype(chain)::type>(log, read); });
}

}  // namespace taut::tool
