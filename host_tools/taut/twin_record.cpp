#include "host_tools/taut/twin_record.h"

#include <algorithm>
#include <limits>

#include "sim_core/roller_chain/step_size.h"
#include "sim_core/twin/table.h"

namespace taut::tool {
namespace {

// A timeline longer than this has told its story.
constexpr std::size_t kMostChanges = 1000;

}  // namespace

void TwinTraces::add(const signal::SensorFrame& frame, const signal::Prediction& prediction,
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

void TwinTraces::forget(std::size_t ticks) {
  for (std::vector<float>* trace :
       {&link_N, &gauge_N, &true_link_N, &position_m, &true_position_m, &acceleration_m_s2,
        &true_acceleration_m_s2, &speed_rad_s, &true_speed_rad_s}) {
    trace->erase(trace->begin(), trace->begin() + static_cast<std::ptrdiff_t>(ticks));
  }
  first_tick += ticks;
}

void TwinTraces::compare_from(std::uint64_t tick, TwinReport& report) const {
  const std::size_t begin = tick > first_tick ? tick - first_tick : 0;
  report.link_measured = compare(link_N, gauge_N, begin);
  report.link_true = compare(link_N, true_link_N, begin);
  report.position_true = compare(position_m, true_position_m, begin);
  report.acceleration_true = compare(acceleration_m_s2, true_acceleration_m_s2, begin);
  report.speed_true = compare(speed_rad_s, true_speed_rad_s, begin);
}

template <twin::ChainModel Chain>
TwinRecord<Chain>::TwinRecord(const drive::DriveSpec& drive, const std::string& model,
                              const TwinFiles& files, const TwinMachine<Chain>& machine,
                              std::size_t kept_ticks)
    : finder_(machine), kept_ticks_(kept_ticks) {
  if (!files.log.empty()) {
    const Bytes bytes = bytes_of(machine.model);
    log_ = std::make_unique<LogWriter>(
        files.log, LogHead{drive.name.c_str(), model, hash_of(bytes), drive.sprockets.size()},
        bytes, bytes_of(machine.state));
    log_->calibrate(machine.state.calibration);
  }
  if (!files.csv.empty()) {
    csv_ = std::make_unique<TableCsv>(
        files.csv,
        std::vector<Columns>{{twin::entries(twin::Part::kInput), "measured."},
                             {twin::entries(twin::Part::kMeasurement), "predicted."}},
        drive.sprockets.size());
  }
}

template <twin::ChainModel Chain>
void TwinRecord<Chain>::watch(const signal::Prediction& prediction, double time_s, double tick_s) {
  ++report_.ticks_by_trust[static_cast<std::size_t>(signal::trust_of(prediction.health))];
  const bool changed =
      report_.timeline.empty() || report_.timeline.back().health != prediction.health;
  if (changed && report_.timeline.size() < kMostChanges) {
    report_.timeline.push_back({time_s, prediction.health});
  }
  ++ticks_;
  report_.mean_tick_s += (tick_s - report_.mean_tick_s) / static_cast<double>(ticks_);
  report_.worst_tick_s = std::max(report_.worst_tick_s, tick_s);
  report_.overruns += tick_s > roller_chain::kTick_s ? 1 : 0;
}

template <twin::ChainModel Chain>
void TwinRecord<Chain>::find_gauge(TwinMachine<Chain>& machine, double time_s) {
  finder_.add(machine);
  if (finder_.is_done()) {
    report_.compared_from_s = time_s;
    compared_from_tick_ = ticks_;
    report_.tagged_link = finder_.link();
    twin::Calibration calibration = machine.state.calibration;
    calibration.tagged_link = report_.tagged_link;
    calibrate(calibration, machine);
  }
}

template <twin::ChainModel Chain>
void TwinRecord<Chain>::calibrate(const twin::Calibration& calibration,
                                  TwinMachine<Chain>& machine) {
  twin::calibrate(calibration, machine.state);
  if (log_) {
    log_->calibrate(calibration);
  }
}

template <twin::ChainModel Chain>
void TwinRecord<Chain>::add(TwinMachine<Chain>& machine, const rig::Truth& truth, double time_s,
                            double tick_s) {
  watch(machine.prediction, time_s, tick_s);
  traces_.add(machine.frame, machine.prediction, truth);
  if (traces_.link_N.size() / 2 >= kept_ticks_) {
    traces_.forget(kept_ticks_);
  }
  if (log_) {
    log_->add(machine.frame, machine.prediction);
  }
  if (csv_) {
    csv_->add({&machine.frame, &machine.prediction});
  }
  const bool is_settled = (machine.prediction.health & signal::kNotSettled) == 0;
  if (!has_found_gauge() && is_settled) {
    find_gauge(machine, time_s);
  }
}

template <twin::ChainModel Chain>
TwinReport TwinRecord<Chain>::finish() {
  TwinReport report = report_;
  if (has_found_gauge()) {
    traces_.compare_from(compared_from_tick_, report);
  }
  if (log_) {
    log_->close();
  }
  if (csv_) {
    csv_->commit();
  }
  return report;
}

template class TwinRecord<twin::ReducedChain>;
template class TwinRecord<RollerTwinChain>;

}  // namespace taut::tool
