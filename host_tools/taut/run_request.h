// What `taut run` is to do: its options checked, files read, times in whole steps.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "host_tools/taut/acceleration_file.h"
#include "host_tools/taut/reduction.h"
#include "host_tools/taut/run_options.h"
#include "sim_core/drive/drive_spec.h"
#include "sim_core/roller_chain/outputs.h"
#include "sim_core/roller_chain/roller_model.h"

namespace taut::tool {

struct CrankRequest {
  double speed_rad_s = 0;
  double run_up_s = 0;  // 0: at speed from the start
  double fade_in_s = 0;
  int order = 1;
  double order_amplitude_rad_s2 = 0;
  std::shared_ptr<const std::vector<double>> table_rad_s2;  // null: none
  std::shared_ptr<const AccelerationSeries> series;
};

struct RunRequest {
  drive::DriveSpec spec;
  double tooth_phase = 0;
  CrankRequest crank;
  roller_chain::StepSpec step;
  roller_chain::Tags tags;
  std::string model;       // kRollerModel, kImplicitModel or kReducedModel
  std::string integrator;  // as written, or what it stands for
  std::string precision;
  std::uint64_t steps = 0;
  std::uint64_t window_begin = 0;  // steps after this one are in the statistics
  std::uint64_t out_every = 1;     // steps from one row of the CSV file to the next
  std::string out;                 // its path; empty: none
  // Of the reduced model: made before, else read from a file, else made for the run.
  std::shared_ptr<const Reduction> reduction;
  std::string block;  // path
  // What only a comparison of models asks for:
  std::size_t windows = 1;                 // parts of the window with statistics of their own
  std::uint64_t record_begin = kNoRecord;  // ticks after this step are kept

  static constexpr std::uint64_t kNoRecord = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] bool is_reduced() const { return model == kReducedModel; }
  [[nodiscard]] bool is_implicit() const { return model == kImplicitModel; }
  [[nodiscard]] double time_s(std::uint64_t step_count) const {
    return static_cast<double>(step_count) * step.step_s;
  }
  [[nodiscard]] double duration_s() const { return time_s(steps); }
  // Numbers that statistics keep until the end.
  [[nodiscard]] std::uint64_t samples() const {
    return (steps - window_begin) * (spec.sprockets.size() * (windows > 1 ? 2 : 1) + 1);
  }
};

// Of all runs that are made at once: floats, 2 GB.
inline constexpr std::uint64_t kMostSamples = 500'000'000;

// Reads the files that the options name. Throws a Failure that says what is wrong.
[[nodiscard]] RunRequest make_run_request(const RunOptions& options, AccelerationFiles& files);

// The same times in twice as many steps.
void halve_step(RunRequest& request);

[[nodiscard]] double to_rad_s(double speed_rpm);
[[nodiscard]] double to_rpm(double speed_rad_s);

}  // namespace taut::tool
