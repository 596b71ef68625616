// What is kept of a twin's run, whatever it runs against, tick by tick: traces to compare, health
// over time, what ticks took, a log. It also finds out which link the gauge is on, and tells the
// twin.
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

// Predicted against what was true.
struct TrueComparison {
  TraceComparison link;
  TraceComparison position;  // of the tightener
  TraceComparison acceleration;
  TraceComparison speed;  // of the crank
};

struct TwinReport {
  std::uint64_t ticks = 0;
  bool is_whole = true;  // else the log was cut off after them
  // From there on traces are compared: the chain has settled and its gauge is found. Nothing
  // where the run was too short for that.
  std::optional<double> compared_from_s;
  std::uint32_t tagged_link = 0;  // index, as the twin found it
  // Predicted against each sensor, while that is good.
  TraceComparison link_measured;
  TraceComparison position_measured;
  TraceComparison acceleration_measured;
  std::optional<TrueComparison> truth;  // nobody knows it of a log
  std::vector<HealthChange> timeline;
  std::array<std::uint64_t, 3> ticks_by_trust{};
  double mean_tick_s = 0;  // of the twin alone, by this machine's clock
  double worst_tick_s = 0;
  std::uint64_t overruns = 0;  // ticks that took longer than a tick may
  double wall_s = 0;           // of the run, told by who ran it
};

// One quantity, a value a tick; none where a sensor was not good, or there is none.
struct Trace {
  std::vector<float> predicted, measured, truth;

  void add(float told, const signal::Sample* sample, std::optional<double> exact);
  void forget(std::size_t ticks);
};

struct TwinTraces {
  Trace link_N, position_m, acceleration_m_s2, speed_rad_s;
  std::uint64_t first_tick = 0;  // of those kept

  // Without truth: null.
  void add(const signal::SensorFrame& frame, const signal::Prediction& told,
           const rig::Truth* truth);
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
  // The machine outlives it. Traces have `kept_ticks` at least and twice as many at most.
  TwinRecord(const drive::DriveSpec& drive, const std::string& model, const TwinFiles& files,
             TwinMachine<Chain>& machine, std::size_t kept_ticks = kAllTicks);

  // After a tick of the machine, which took so long and ended at this time. Without truth: null.
  void add(const rig::Truth* truth, double time_s, double tick_s);
  // By someone else than add(). A search for the gauge begins anew.
  void calibrate(const twin::Calibration& calibration);

  [[nodiscard]] const TwinReport& so_far() const { return report_; }
  [[nodiscard]] const TwinTraces& traces() const { return traces_; }
  [[nodiscard]] TwinReport finish();  // files are complete

 private:
  void watch(double time_s, double tick_s);
  void find_link(double time_s);
  void log_calibration();

  TwinMachine<Chain>& machine_;
  TwinReport report_;
  TwinTraces traces_;
  std::unique_ptr<LogWriter> log_;
  std::unique_ptr<TableCsv> csv_;
  LinkFinder<Chain> finder_;
  std::size_t kept_ticks_;
  std::uint64_t compared_from_tick_ = 0;
};

}  // namespace taut::tool
