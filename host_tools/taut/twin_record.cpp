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

void Trace::add(float told, const signal::Sample* sample, std::optional<double> exact) {
  const bool is_good = sample != nullptr && sample->quality == signal::Quality::kGood;
  predicted.push_back(told);
  measured.push_back(is_good ? sample->value : std::numeric_limits<float>::quiet_NaN());
  if (exact) {
    truth.push_back(static_cast<float>(*exact));
  }
}

void Trace::forget(std::size_t ticks) {
  for (std::vector<float>* values : {&predicted, &measured, &truth}) {
    const std::size_t gone = std::min(ticks, values->size());
    values->erase(values->begin(), values->begin() + static_cast<std::ptrdiff_t>(gone));
  }
}

void TwinTraces::add(const signal::SensorFrame& frame, const signal::Prediction& told,
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

void TwinTraces::forget(std::size_t ticks) {
  for (Trace* trace : {&link_N, &position_m, &acceleration_m_s2, &speed_rad_s}) {
    trace->forget(ticks);
  }
  first_tick += ticks;
}

void TwinTraces::compare_from(std::uint64_t tick, TwinReport& report) const {
  const std::size_t begin = tick > first_tick ? tick - first_tick : 0;
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
    report.truth = {exact(link_N), exact(position_m), exact(acceleration_m_s2), exact(speed_rad_s)};
  }
}

template <twin::ChainModel Chain>
TwinRecord<Chain>::TwinRecord(const drive::DriveSpec& drive, const std::string& model,
                              const TwinFiles& files, TwinMachine<Chain>& machine,
                              std::size_t kept_ticks)
    : machine_(machine), finder_(machine), kept_ticks_(kept_ticks) {
  if (!files.log.empty()) {
    const Bytes bytes = bytes_of(machine.model);
    log_ = std::make_unique<LogWriter>(
        files.log, LogHead{drive.name.c_str(), model, hash_of(bytes), drive.sprockets.size()},
        bytes, bytes_of(machine.state));
    log_calibration();
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
void TwinRecord<Chain>::watch(double time_s, double tick_s) {
  const std::uint32_t health = machine_.prediction.health;
  ++report_.ticks_by_trust[static_cast<std::size_t>(signal::trust_of(health))];
  const bool changed = report_.timeline.empty() || report_.timeline.back().health != health;
  if (changed && report_.timeline.size() < kMostChanges) {
    report_.timeline.push_back({time_s, health});
  }
  ++report_.ticks;
  report_.mean_tick_s += (tick_s - report_.mean_tick_s) / static_cast<double>(report_.ticks);
  report_.worst_tick_s = std::max(report_.worst_tick_s, tick_s);
  report_.overruns += tick_s > roller_chain::kTick_s ? 1 : 0;
}

template <twin::ChainModel Chain>
void TwinRecord<Chain>::find_link(double time_s) {
  const bool is_settled = (machine_.prediction.health & signal::kNotSettled) == 0;
  if (machine_.state.calibration.gauge_is_placed != 0 || !is_settled) {
    return;
  }
  finder_.add(machine_);
  if (!finder_.is_done()) {
    return;
  }
  if (!report_.compared_from_s) {
    report_.compared_from_s = time_s;
    compared_from_tick_ = report_.ticks;
  }
  report_.tagged_link = place_gauge(finder_, machine_);
  finder_ = LinkFinder<Chain>(machine_);
  log_calibration();
}

template <twin::ChainModel Chain>
void TwinRecord<Chain>::log_calibration() {
  if (log_) {
    log_->calibrate(machine_.state.calibration);
  }
}

template <twin::ChainModel Chain>
void TwinRecord<Chain>::calibrate(const twin::Calibration& calibration) {
  twin::calibrate(calibration, machine_.state);
  finder_ = LinkFinder<Chain>(machine_);
  log_calibration();
}

template <twin::ChainModel Chain>
void TwinRecord<Chain>::add(const rig::Truth* truth, double time_s, double tick_s) {
  watch(time_s, tick_s);
  traces_.add(machine_.frame, machine_.prediction, truth);
  if (traces_.link_N.predicted.size() / 2 >= kept_ticks_) {
    traces_.forget(kept_ticks_);
  }
  if (log_) {
    log_->add(machine_.frame, machine_.prediction);
  }
  if (csv_) {
    csv_->add({&machine_.frame, &machine_.prediction});
  }
  find_link(time_s);
}

template <twin::ChainModel Chain>
TwinReport TwinRecord<Chain>::finish() {
  TwinReport report = report_;
  if (report.compared_from_s) {
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
template class TwinRecord<twin::ImplicitChain>;
template class TwinRecord<RollerTwinChain>;

}  // namespace taut::tool
