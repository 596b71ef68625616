// What is kept of a twin's run against the rig, tick by tick: traces to compare, health over time,
// what ticks took, a log. It also finds out which link the gauge is on, and tells the twin.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host_tools/taut/table_csv.h"
#include "host_tools/taut/trace_comparison.h"
#include "host_tools/taut/twin_log.h"
#include "host_tools/taut/twin_machine.h"

namespace taut::tool {

struct HealthChange {
  double time_s = 0;
  std::uint32_t health = 0;
};

struct TwinReport {
  // From there on traces are compared: the chain has settled and its gauge is found. Nothing
  // where the run was too short for that.
  std::optional<double> compared_from_s;
  std::uint32_t tagged_link = 0;  // index, as the twin found it
  TraceComparison link_measured;  // predicted against the gauge; while that is good
  TraceComparison link_true;
  TraceComparison position_true;  // of the tightener
  TraceComparison acceleration_true;
  TraceComparison speed_true;  // of the crank
  std::vector<HealthChange> timeline;
  std::array<std::uint64_t, 3> ticks_by_trust{};
  double mean_tick_s = 0;  // of the twin alone, by this machine's clock
  double worst_tick_s = 0;
  std::uint64_t overruns = 0;  // ticks that took longer than a tick may
  double wall_s = 0;
};

// A value a tick.
struct TwinTraces {
  std::vector<float> link_N, gauge_N, true_link_N;
  std::vector<float> position_m, true_position_m;
  std::vector<float> acceleration_m_s2, true_acceleration_m_s2;
  std::vector<float> speed_rad_s, true_speed_rad_s;
  std::uint64_t first_tick = 0;  // of those kept

  void add(const signal::SensorFrame& frame, const signal::Prediction& prediction,
           const rig::Truth& truth);
  void forget(std::size_t ticks);  // the oldest ones
  void compare_from(std::uint64_t tick, TwinReport& report) const;
};

struct TwinFiles {
  std::string log;  // paths; empty: none
  std::string csv;
};

inline constexpr std::size_t kAllTicks = static_cast<std::size_t>(-1);

template <twin::ChainModel Chain>
class TwinRecord {
 public:
  // Traces have `kept_ticks` at least and twice as many at most.
  TwinRecord(const drive::DriveSpec& drive, const std::string& model, const TwinFiles& files,
             const TwinMachine<Chain>& machine, std::size_t kept_ticks = kAllTicks);

  // After a tick of the machine, which took so long and ended at this time.
  void add(TwinMachine<Chain>& machine, const rig::Truth& truth, double time_s, double tick_s);
  // By someone else than add().
  void calibrate(const twin::Calibration& calibration, TwinMachine<Chain>& machine);

  [[nodiscard]] bool has_found_gauge() const { return report_.compared_from_s.has_value(); }
  [[nodiscard]] const TwinReport& so_far() const { return report_; }
  [[nodiscard]] const TwinTraces& traces() const { return traces_; }
  [[nodiscard]] TwinReport finish();  // files are complete

 private:
  void watch(const signal::Prediction& prediction, double time_s, double tick_s);
  void find_gauge(TwinMachine<Chain>& machine, double time_s);

  TwinReport report_;
  TwinTraces traces_;
  std::unique_ptr<LogWriter> log_;
  std::unique_ptr<TableCsv> csv_;
  LinkFinder<Chain> finder_;
  std::size_t kept_ticks_;
  std::uint64_t ticks_ = 0;
  std::uint64_t compared_from_tick_ = 0;
};

}  // namespace taut::tool
