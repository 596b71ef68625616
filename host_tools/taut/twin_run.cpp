#include "host_tools/taut/twin_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/table_csv.h"
#include "host_tools/taut/text.h"
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

// One quantity, a value a tick; none where a sensor was not good.
struct Trace {
  std::vector<float> predicted, measured, truth;

  void add(float told, const signal::Sample* sample, std::optional<double> exact) {
    const bool is_good = sample != nullptr && sample->quality == signal::Quality::kGood;
    predicted.push_back(told);
    measured.push_back(is_good ? sample->value : std::numeric_limits<float>::quiet_NaN());
    if (exact) {
      truth.push_back(static_cast<float>(*exact));
    }
  }
};

struct Traces {
  Trace link_N, position_m, acceleration_m_s2, speed_rad_s;

  // Without truth: null.
  void add(const signal::SensorFrame& frame, const signal::Prediction& told,
           const rig::Truth* truth) {
    const auto exact = [truth](auto member) {
      return truth == nullptr ? std::nullopt : std::optional<double>(member(*truth));
    };
    using rig::Truth;
    link_N.add(told.tagged_link_N, &frame.link_force_N,
               exact([](const Truth& t) { return t.chain.tagged_link_N; }));
    position_m.add(told.tightener_position_m, &frame.tightener_position_m,
                   exact([](const Truth& t) { return t.tightener_position_m; }));
    acceleration_m_s2.add(told.tightener_acceleration_m_s2, &frame.tightener_acceleration_m_s2,
                          exact([](const Truth& t) { return t.tightener_acceleration_m_s2; }));
    speed_rad_s.add(told.crank_speed_rad_s, nullptr,
                    exact([](const Truth& t) { return t.crank.speed_rad_s; }));
  }

  void compare_from(std::size_t begin, TwinReport& report) const {
    const auto measured = [begin](const Trace& trace) {
      return compare(trace.predicted, trace.measured, begin);
    };
    const auto exact = [begin](const Trace& trace) {
      return compare(trace.predicted, trace.truth, begin);
    };
    report.link_measured = measured(link_N);
    report.position_measured = measured(position_m);
    report.acceleration_measured = measured(acceleration_m_s2);
    if (!link_N.truth.empty()) {
      report.truth = {exact(link_N), exact(position_m), exact(acceleration_m_s2),
                      exact(speed_rad_s)};
    }
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

// What becomes of a twin's ticks, whatever it runs against.
template <twin::ChainModel Chain>
class Recorder {
 public:
  Recorder(const TwinRequest& request, TwinMachine<Chain>& machine)
      : machine_(machine), finder_(machine) {
    const drive::DriveSpec& drive = request.rig.drive;
    if (!request.log.empty()) {
      const Bytes model = bytes_of(machine.model);
      log_ = std::make_unique<LogWriter>(
          request.log,
          LogHead{drive.name.c_str(), request.model, hash_of(model), drive.sprockets.size()}, model,
          bytes_of(machine.state));
      log_->calibrate(machine.state.calibration);
    }
    if (!request.csv.empty()) {
      csv_ = std::make_unique<TableCsv>(
          request.csv,
          std::vector<Columns>{{twin::entries(twin::Part::kInput), "measured."},
                               {twin::entries(twin::Part::kMeasurement), "predicted."}},
          drive.sprockets.size());
    }
  }

  // After each tick of the machine.
  void add(const rig::Truth* truth) {
    ++report_.ticks;
    watch(machine_.prediction, time_s(), report_);
    traces_.add(machine_.frame, machine_.prediction, truth);
    if (log_) {
      log_->add(machine_.frame, machine_.prediction);
    }
    if (csv_) {
      csv_->add({&machine_.frame, &machine_.prediction});
    }
    find_link();
  }

  [[nodiscard]] double time_s() const {
    return static_cast<double>(report_.ticks) * roller_chain::kTick_s;
  }

  [[nodiscard]] TwinReport finish() {
    report_.wall_s = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (report_.compared_from_s) {
      traces_.compare_from(
          static_cast<std::size_t>(std::llround(*report_.compared_from_s / roller_chain::kTick_s)),
          report_);
    }
    if (log_) {
      log_->close();
    }
    if (csv_) {
      csv_->commit();
    }
    return report_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void find_link() {
    const bool is_settled = (machine_.prediction.health & signal::kNotSettled) == 0;
    if (machine_.state.calibration.gauge_is_placed != 0 || !is_settled) {
      return;
    }
    finder_.add(machine_);
    if (finder_.is_done()) {
      report_.compared_from_s = report_.compared_from_s.value_or(time_s());
      report_.tagged_link = place_gauge(finder_, machine_);
      finder_ = LinkFinder<Chain>(machine_);
      if (log_) {
        log_->calibrate(machine_.state.calibration);
      }
    }
  }

  TwinMachine<Chain>& machine_;
  std::unique_ptr<LogWriter> log_;
  std::unique_ptr<TableCsv> csv_;
  TwinReport report_;
  Traces traces_;
  LinkFinder<Chain> finder_;
  Clock::time_point begin_ = Clock::now();
};

template <twin::ChainModel Chain>
TwinReport run_against_rig(const TwinRequest& request, const OnTime& on_time) {
  const auto machine = make_twin<Chain>(request.rig, request.block);
  rig::Rig rig(request.rig);
  Recorder<Chain> recorder(request, *machine);
  for (std::uint64_t i = 0; i < request.ticks.value_or(0); ++i) {
    const rig::Rig::Tick& measured = rig.advance();
    tick(measured.frame, *machine);
    recorder.add(&measured.truth);
    on_time(recorder.time_s());
  }
  return recorder.finish();
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
  Recorder<Chain> recorder(request, *machine);
  const std::uint64_t ticks =
      std::min<std::uint64_t>(log.rows.size(), request.ticks.value_or(log.rows.size()));
  for (std::uint64_t i = 0; i < ticks; ++i) {
    machine->frame = log.rows[i].frame;
    machine->prediction =
        twin::tick(machine->model, machine->frame, machine->state, machine->scratch);
    recorder.add(nullptr);
    on_time(recorder.time_s());
  }
  TwinReport report = recorder.finish();
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
