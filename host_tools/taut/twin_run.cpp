#include "host_tools/taut/twin_run.h"

#include <chrono>
#include <cstring>
#include <memory>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/twin_log.h"
#include "host_tools/taut/twin_machine.h"

namespace taut::tool {
namespace {

template <twin::ChainModel Chain>
TwinReport run_by(const TwinRequest& request, const OnTime& on_time) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  };
  const drive::DriveSpec& drive = request.rig.drive;
  const auto machine = make_twin<Chain>(drive, request.block, observer_for(request.rig));
  TwinRecord<Chain> record(drive, request.model, request.files, *machine);
  rig::Rig rig(request.rig);
  const Clock::time_point begin = Clock::now();
  for (std::uint64_t i = 0; i < request.ticks; ++i) {
    const rig::Rig::Tick& measured = rig.advance();
    const Clock::time_point tick_begin = Clock::now();
    tick(measured.frame, *machine);
    const Clock::time_point tick_end = Clock::now();
    record.add(*machine, measured.truth, rig.time_s(), seconds(tick_end - tick_begin));
    on_time(rig.time_s());
  }
  const double wall_s = seconds(Clock::now() - begin);
  TwinReport report = record.finish();
  report.wall_s = wall_s;
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
