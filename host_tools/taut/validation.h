// A model in steps of a tick held against the full one, point by point: statistics of each strand
// over several windows, driver power, resonances, and a link on its way round the loop. The full
// model makes steps so small that the crankshaft gives what it loses.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host_tools/taut/operating_points.h"
#include "host_tools/taut/rest_comparison.h"
#include "host_tools/taut/run_batch.h"

namespace taut::tool {

struct ValidateOptions {
  RestRequest rest;
  std::string model = kReducedModel;
  PointGrid grid;
  std::string points;  // a file; empty: the grid
  double settle_s = 10;
  double window_s = 10;
  std::optional<int> jobs;
  std::string csv;
  std::string plot;
  bool json = false;
};

// Of a window's statistics: the mean of all windows by each model. What the full model's windows
// differ by says how much of an error is chaos.
struct Compared {
  Pair value;
  double full_spread;  // largest less smallest of its windows, as a part of their mean
  [[nodiscard]] double error() const { return value.error(); }
};

struct StrandFigures {  // tension at its middle
  Compared mean_N;
  Compared sd_N;
  Compared p999_N;
};

struct StrandFigure {
  const char* name;
  const char* in_words;
  Compared StrandFigures::*member;
};
inline constexpr std::array<StrandFigure, 3> kStrandFigures{{
    {"mean", "mean", &StrandFigures::mean_N},
    {"sd", "sd", &StrandFigures::sd_N},
    {"p999", "99.9 % peak", &StrandFigures::p999_N},
}};

// The last time round the loop at constant speed, tick by tick.
struct TaggedLink {
  double mean_N;              // by the full model
  double rms_N;               // of the difference
  std::size_t full_passages;  // over sprockets, of the tagged roller
  std::size_t fast_passages;
  bool same_order;       // as many, each in the time of the other
  double worst_pitches;  // by which a run-on or a run-off comes early or late
};

struct PointComparison {
  OperatingPoint point;
  std::optional<Failure> failure;  // then nothing of what follows
  double full_step_s = 0;          // in which the full model was computed at last
  double full_power_gap = 0;       // (given - lost)/lost of it, over all windows
  std::vector<StrandFigures> strands;
  Compared driver_W{};
  std::optional<TaggedLink> tagged;  // of a constant speed
  HealthSteps health_steps{};        // of the fast model
  std::vector<RecordedTick> full_record;
  std::vector<RecordedTick> fast_record;

  [[nodiscard]] std::size_t tightest() const;  // strand, by the full model's 99.9 %
};

struct Resonance {
  std::string of;  // "order 6, 4 rad/s^2"
  std::size_t strand;
  Pair speed_rpm;
  Pair height_N;                    // 99.9 % of the tension
  std::vector<std::size_t> points;  // by rising speed
};

// Of many points and all strands.
struct ErrorSummary {
  std::size_t count;
  double median;  // of sizes of errors
  double median_spread;
  double worst;
  double worst_spread;  // of the full model, there
  std::size_t worst_point;
  std::size_t worst_strand;
};

struct VariantAtRest {
  std::string variant;  // empty: the drive as it is
  RestComparison rest;
};

struct Validation {
  std::string drive;  // its name
  std::string model;  // that is compared
  double window_s = 0;
  double settle_s = 0;
  std::vector<VariantAtRest> at_rest;
  std::vector<PointComparison> points;
  std::vector<Resonance> resonances;
  int workers = 0;
  double wall_s = 0;
  double simulated_s = 0;
};

inline constexpr std::size_t kWindows = 3;

// A point is computed again in steps half as long where the full model's powers differ by more,
// down to a quarter of the drive's own step: seats that are pressed hard are stiffer than links,
// which that step is made for, and seem to lose what nobody gives.
inline constexpr double kMostPowerGap = 0.05;
inline constexpr int kHalvings = 2;

void add_validate_options(CLI::App& command, ValidateOptions& options);

// Throws a Failure before the first run where something is wrong or a drive cannot be reduced; a
// point whose run fails says so in its place.
[[nodiscard]] Validation validate_drive(const ValidateOptions& options);

// Points at constant speed, or the others; none where no point is of that kind.
[[nodiscard]] std::optional<ErrorSummary> summary_of(const Validation& validation,
                                                     const StrandFigure& figure, bool constant);
[[nodiscard]] std::optional<ErrorSummary> driver_summary_of(const Validation& validation,
                                                            bool constant);
// The point with the largest gap between the full model's powers; none where all have failed.
[[nodiscard]] const PointComparison* largest_gap_of(const Validation& validation);

[[nodiscard]] std::string to_text(const Validation& validation);
[[nodiscard]] std::string to_csv(const Validation& validation);
[[nodiscard]] nlohmann::ordered_json to_json(const Validation& validation);
[[nodiscard]] std::string draw_validation(const Validation& validation);

}  // namespace taut::tool
