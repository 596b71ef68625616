#include "host_tools/taut/twin_run.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/table_csv.h"
#include "host_tools/taut/twin_log.h"
#include "host_tools/taut/twin_machine.h"
#include "sim_core/twin/table.h"

namespace taut::tool {
namespace {

// A timeline longer than this has told its story.
constexpr std::size_t kMostChanges = 1000;

template <typename Struct>
Bytes bytes_of(const Struct& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  return {begin, begin + sizeof value};
}

// What is compared, a value a tick.
struct Traces {
  std::vector<float> link_N, gauge_N, true_link_N;
  std::vector<float> position_m, true_position_m;
  std::vector<float> acceleration_m_s2, true_acceleration_m_s2;
  std::vector<float> speed_rad_s, true_speed_rad_s;

  void add(const signal::SensorFrame& frame, const signal::Prediction& prediction,
           const rig::Truth& truth) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    const bool gauge_is_good = frame.link_force_N.quality == signal::Quality::kGood;
    link_N.push_back(prediction.tagged_link_N);
    gauge_N.push_back(gauge_is_good ? frame.link_force_N.value : kNone);
    true_link_N.push_back(truth.chain.tagged_link_N);
    position_m.push_back(prediction.tightener_position_m);
    true_position_m.push_back(static_cast<float>(truth.tightener_position_m));
    acceleration_m_s2.push_back(prediction.tightener_acceleration_m_s2);
    true_acceleration_m_s2.push_back(static_cast<float>(truth.tightener_acceleration_m_s2));
    speed_rad_s.push_back(prediction.crank_speed_rad_s);
    true_speed_rad_s.push_back(static_cast<float>(truth.crank.speed_rad_s));
  }

  void compare_from(std::size_t begin, TwinReport& report) const {
    report.link_measured = compare(link_N, gauge_N, begin);
    report.link_true = compare(link_N, true_link_N, begin);
    report.position_true = compare(position_m, true_position_m, begin);
    report.acceleration_true = compare(acceleration_m_s2, true_acceleration_m_s2, begin);
    report.speed_true = compare(speed_rad_s, true_speed_rad_s, begin);
  }
};

void watch(const signal::Prediction& prediction, double time_s, TwinReport& report) {
  ++report.ticks_by_trust[static_cast<std::size_t>(signal::trust_of(prediction.health))];
  const bool changed =
      report.timeline.empty() || report.timeline.back().health != prediction.health;
  if (changed && report.timeline.size() < kMostChanges) {
    report.timeline.push_back({time_s, prediction.health});
  }
}

template <twin::ChainModel Chain>
TwinReport run_by(const TwinRequest& request, const OnTime& on_time) {
  using Clock = std::chrono::steady_clock;
  const drive::DriveSpec& drive = request.rig.drive;
  const auto machine = make_twin<Chain>(request.rig, request.block);
  std::unique_ptr<LogWriter> log;
  if (!request.log.empty()) {
    const Bytes model = bytes_of(machine->model);
    log = std::make_unique<LogWriter>(
        request.log,
        LogHead{drive.name.c_str(), request.model, hash_of(model), drive.sprockets.size()}, model,
        bytes_of(machine->state));
    log->calibrate(machine->state.calibration);
  }
  std::unique_ptr<TableCsv> csv;
  if (!request.csv.empty()) {
    csv = std::make_unique<TableCsv>(
        request.csv,
        std::vector<Columns>{{twin::entries(twin::Part::kInput), "measured."},
                             {twin::entries(twin::Part::kMeasurement), "predicted."}},
        drive.sprockets.size());
  }
  rig::Rig rig(request.rig);
  TwinReport report;
  Traces traces;
  LinkFinder<Chain> finder(*machine);
  const Clock::time_point begin = Clock::now();
  for (std::uint64_t i = 0; i < request.ticks; ++i) {
    const rig::Rig::Tick& measured = rig.advance();
    tick(measured.frame, *machine);
    watch(machine->prediction, rig.time_s(), report);
    traces.add(machine->frame, machine->prediction, measured.truth);
    if (log) {
      log->add(machine->frame, machine->prediction);
    }
    if (csv) {
      csv->add({&machine->frame, &machine->prediction});
    }
    const bool is_settled = (machine->prediction.health & signal::kNotSettled) == 0;
    if (machine->state.calibration.gauge_is_placed == 0 && is_settled) {
      finder.add(*machine);
      if (finder.is_done()) {
        report.compared_from_s = report.compared_from_s.value_or(rig.time_s());
        report.tagged_link = place_gauge(finder, *machine);
        finder = LinkFinder<Chain>(*machine);
        if (log) {
          log->calibrate(machine->state.calibration);
        }
      }
    }
    on_time(rig.time_s());
  }
  report.wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
  if (report.compared_from_s) {
    traces.compare_from(
        static_cast<std::size_t>(std::llround(*report.compared_from_s / roller_chain::kTick_s)),
        report);
  }
  if (log) {
    log->close();
  }
  if (csv) {
    csv->commit();
  }
  return report;
}

template <twin::ChainModel Chain>
ReplayReport replay_by(const std::string& path, const TwinLog& log) {
  const auto machine = std::make_unique<TwinMachine<Chain>>();
  if (log.model.size() != sizeof machine->model || log.state.size() != sizeof machine->state) {
    throw Failure(ExitCode::kWrongUse, path + ": a model of " + std::to_string(log.model.size()) +
                                           " and a state of " + std::to_string(log.state.size()) +
                                           " bytes; this program's have " +
                                           std::to_string(sizeof machine->model) + " and " +
                                           std::to_string(sizeof machine->state) +
                                           ": replay it with the program that wrote it");
  }
  std::memcpy(&machine->model, log.model.data(), log.model.size());
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
      report.first_different = i;
    }
  }
  return report;
}

}  // namespace

TwinReport run_twin(const TwinRequest& request, const OnTime& on_time) {
  return request.model == kReducedModel ? run_by<twin::ReducedChain>(request, on_time)
                                        : run_by<RollerTwinChain>(request, on_time);
}

ReplayReport replay(const std::string& log) {
  const TwinLog read = read_log(log);
  return read.head.chain == kReducedModel ? replay_by<twin::ReducedChain>(log, read)
                                          : replay_by<RollerTwinChain>(log, read);
}

}  // namespace taut::tool
