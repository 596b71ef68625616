#include "host_tools/taut/validation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/reduction.h"
#include "host_tools/taut/text.h"
#include "sim_core/drive/spec_hash.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::tool {
namespace {

constexpr double kHistory_s = 2;  // kept for pictures, where there is no loop to follow

double loop_s(const RunRequest& request) {
  const double teeth = request.spec.sprockets.front().teeth;
  return request.spec.chain.links / teeth / (to_rpm(request.crank.speed_rad_s) / 60);
}

// In whole ticks, and not longer than the run.
std::uint64_t record_begin_of(const RunRequest& request, double record_s) {
  const auto ticks = static_cast<std::uint64_t>(std::llround(record_s / roller_chain::kTick_s));
  const auto steps_a_tick =
      static_cast<std::uint64_t>(std::llround(roller_chain::kTick_s / request.step.step_s));
  return request.steps -
         std::min(ticks * steps_a_tick, request.steps / steps_a_tick * steps_a_tick);
}

double whole_ticks_s(double time_s) {
  constexpr double kRoundOff = 1e-9;
  return std::ceil(time_s / roller_chain::kTick_s - kRoundOff) * roller_chain::kTick_s;
}

// Whole turns of the crankshaft: in parts of one it gives more power than is lost, or less.
double window_s_of(const OperatingPoint& point, const ValidateOptions& options) {
  constexpr double kRoundOff = 1e-9;
  const double turn_s = 60 / point.speed_rpm;
  return whole_ticks_s(std::ceil(options.window_s / turn_s - kRoundOff) * turn_s);
}

RunOptions run_options_of(const OperatingPoint& point, const ValidateOptions& options,
                          const char* model) {
  RunOptions run;
  run.rest = options.rest;
  std::vector<std::string>& settings = run.rest.drive.settings;
  settings.insert(settings.end(), point.settings.begin(), point.settings.end());
  run.rest.tightener = point.tightener.empty() ? options.rest.tightener : point.tightener;
  run.model = model;
  run.precision = model == std::string(kRollerModel) ? "mixed" : "";
  run.speed_rpm = point.speed_rpm;
  if (!point.is_constant()) {
    run.order = point.order;
    run.accel_amplitude_rad_s2 = point.amplitude_rad_s2;
  }
  run.stats_from_s = whole_ticks_s(options.settle_s);
  run.duration_s = *run.stats_from_s + kWindows * window_s_of(point, options);
  return run;
}

RunRequest request_of(const OperatingPoint& point, const ValidateOptions& options,
                      const char* model) {
  const auto refuse = [&](const std::string& text) {
    throw Failure(ExitCode::kWrongUse, point.name() + ": " + text);
  };
  if (!(point.speed_rpm >= 0.01 && point.speed_rpm <= 20000)) {
    refuse("speed " + general(point.speed_rpm) + " rpm: allowed 0.01 to 20000 rpm");
  }
  if (!(point.amplitude_rad_s2 >= 0 && point.amplitude_rad_s2 <= 1e5)) {
    refuse("amplitude " + general(point.amplitude_rad_s2) + ": allowed 0 to 100000 rad/s^2");
  }
  AccelerationFiles none;
  try {
    RunRequest request = make_run_request(run_options_of(point, options, model), none);
    request.windows = kWindows;
    request.record_begin =
        record_begin_of(request, point.is_constant() ? loop_s(request) : kHistory_s);
    return request;
  } catch (const Failure& failure) {
    throw Failure(failure.code(), point.name() + ": " + failure.what());
  }
}

// Of each drive that occurs, once and before the runs: no hour of computing for one that cannot be
// fast.
std::vector<VariantAtRest> reduce_all(const std::vector<OperatingPoint>& points,
                                      std::vector<RunRequest>& requests) {
  std::vector<VariantAtRest> found;
  std::map<std::uint64_t, std::shared_ptr<const Reduction>> known;
  for (std::size_t i = 0; i < points.size(); ++i) {
    RunRequest& request = requests[2 * i + 1];
    std::shared_ptr<const Reduction>& reduction = known[drive::hash_of(request.spec)];
    if (!reduction) {
      reduction = reduce_drive(request.spec);
      found.push_back({points[i].variant(), reduction->rest});
    }
    request.reduction = reduction;
  }
  return found;
}

// The same of models that need no reduction.
std::vector<VariantAtRest> rest_all(const std::vector<OperatingPoint>& points,
                                    const std::vector<RunRequest>& requests) {
  std::vector<VariantAtRest> found;
  std::set<std::uint64_t> known;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const drive::DriveSpec& spec = requests[2 * i + 1].spec;
    if (known.insert(drive::hash_of(spec)).second) {
      const RestingDrive resting = rest_drive(spec);
      const auto model = std::make_unique<implicit_chain::ImplicitModel>();
      make_implicit_chain(resting, *model);
      found.push_back({points[i].variant(), compare_at_rest(resting, *model)});
    }
  }
  return found;
}

// What `value` finds in each window.
template <typename Value>
Compared compared(const RunResult& full, const RunResult& fast, const Value& value) {
  const auto mean_of = [&](const RunResult& result) {
    double sum = 0;
    for (const WindowStatistics& window : result.windows) {
      sum += value(window);
    }
    return sum / static_cast<double>(result.windows.size());
  };
  double lowest = value(full.windows.front());
  double highest = lowest;
  for (const WindowStatistics& window : full.windows) {
    lowest = std::min(lowest, value(window));
    highest = std::max(highest, value(window));
  }
  const double mean = mean_of(full);
  return {{mean, mean_of(fast)}, (highest - lowest) / std::abs(mean)};
}

StrandFigures figures_of(const RunResult& full, const RunResult& fast, std::size_t strand) {
  const auto by = [&](double ForceStatistics::*member) {
    return compared(full, fast,
                    [&](const WindowStatistics& window) { return window.strands[strand].*member; });
  };
  return {by(&ForceStatistics::mean_N), by(&ForceStatistics::sd_N), by(&ForceStatistics::p999_N)};
}

// While the tagged roller lies on a sprocket.
struct Passage {
  double on_s;
  double off_s;
};

// A roller that bounces is still on its sprocket; strands take longer than `longest_gap_s`.
std::vector<Passage> passages_of(const std::vector<RecordedTick>& record, double longest_gap_s) {
  constexpr float kPressed = 0.02F;  // of the largest force: less is a graze
  float largest_N = 0;
  for (const RecordedTick& tick : record) {
    largest_N = std::max(largest_N, tick.tagged_roller_N);
  }
  std::vector<Passage> passages;
  for (const RecordedTick& tick : record) {
    if (!(tick.tagged_roller_N > kPressed * largest_N)) {
      continue;
    }
    if (passages.empty() || tick.time_s - passages.back().off_s > longest_gap_s) {
      passages.push_back({tick.time_s, tick.time_s});
    }
    passages.back().off_s = tick.time_s;
  }
  return passages;
}

bool overlap(const Passage& a, const Passage& b) {
  return a.on_s < b.off_s && b.on_s < a.off_s;
}

// Without what one model alone sees of a passage where the record begins or ends.
std::vector<Passage> without_rests(const std::vector<Passage>& passages,
                                   const std::vector<Passage>& others, double from_s, double to_s) {
  std::vector<Passage> whole;
  for (const Passage& passage : passages) {
    const bool at_end = passage.off_s < from_s || passage.on_s > to_s;
    const bool seen_by_both = std::any_of(others.begin(), others.end(), [&](const Passage& other) {
      return overlap(passage, other);
    });
    if (!at_end || seen_by_both) {
      whole.push_back(passage);
    }
  }
  return whole;
}

void compare_passages(const std::vector<RecordedTick>& full, const std::vector<RecordedTick>& fast,
                      double pitch_s, TaggedLink& tagged) {
  const double from_s = full.front().time_s + 2 * pitch_s;
  const double to_s = full.back().time_s - 2 * pitch_s;
  const std::vector<Passage> all_a = passages_of(full, pitch_s);
  const std::vector<Passage> all_b = passages_of(fast, pitch_s);
  const std::vector<Passage> a = without_rests(all_a, all_b, from_s, to_s);
  const std::vector<Passage> b = without_rests(all_b, all_a, from_s, to_s);
  tagged.full_passages = a.size();
  tagged.fast_passages = b.size();
  tagged.same_order = a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), overlap);
  const auto add_delay = [&](double full_s, double fast_s) {
    const bool in_record = full_s > from_s && full_s < to_s;  // else it may be cut off there
    const double delay = in_record ? std::abs(full_s - fast_s) / pitch_s : 0;
    tagged.worst_pitches = std::max(tagged.worst_pitches, delay);
  };
  for (std::size_t i = 0; tagged.same_order && i < a.size(); ++i) {
    add_delay(a[i].on_s, b[i].on_s);
    add_delay(a[i].off_s, b[i].off_s);
  }
}

TaggedLink tagged_of(const std::vector<RecordedTick>& full, const std::vector<RecordedTick>& fast,
                     double pitch_s) {
  TaggedLink tagged{};
  const auto ticks = static_cast<double>(full.size());
  double squares = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    const auto force_N = static_cast<double>(full[i].tagged_link_N);
    const double off_N = static_cast<double>(fast[i].tagged_link_N) - force_N;
    tagged.mean_N += force_N / ticks;
    squares += off_N * off_N / ticks;
  }
  tagged.rms_N = std::sqrt(squares);
  compare_passages(full, fast, pitch_s, tagged);
  return tagged;
}

double power_gap(const RunResult& full) {
  const auto& power_W = full.statistics.power_W;
  const double given_W = std::accumulate(power_W.begin(), power_W.begin() + kGivers, 0.0);
  const double lost_W = std::accumulate(power_W.begin() + kGivers, power_W.end(), 0.0);
  return lost_W > 0 ? (given_W - lost_W) / lost_W : 0;
}

// A chain that flies apart may hold in smaller steps.
bool wants_smaller_steps(const RunOutcome& full) {
  return full.failure ? full.failure->code() == ExitCode::kNoSolution
                      : std::abs(power_gap(*full.result)) > kMostPowerGap;
}

// For how many of them memory does.
std::vector<RunRequest> in_smallest_steps(std::vector<RunRequest> requests) {
  for (std::size_t i = 0; i < requests.size(); i += 2) {
    for (int halving = 0; halving < kHalvings; ++halving) {
      halve_step(requests[i]);
    }
  }
  return requests;
}

// The full model's points whose powers do not balance, again.
void refine_full(int workers, std::vector<RunRequest>& requests, BatchResult& batch) {
  for (int halving = 1; halving <= kHalvings; ++halving) {
    std::vector<std::size_t> places;
    std::vector<RunRequest> again;
    for (std::size_t i = 0; i < requests.size(); i += 2) {
      if (wants_smaller_steps(batch.outcomes[i])) {
        halve_step(requests[i]);
        places.push_back(i);
        again.push_back(requests[i]);
      }
    }
    if (again.empty()) {
      return;
    }
    BatchResult finer =
        run_batch(again, std::min(workers, static_cast<int>(again.size())),
                  "taut validate, in steps 1/" + std::to_string(1 << halving) + " as long");
    for (std::size_t k = 0; k < places.size(); ++k) {
      batch.outcomes[places[k]] = std::move(finer.outcomes[k]);
    }
    batch.wall_s += finer.wall_s;
    batch.simulated_s += finer.simulated_s;
  }
}

PointComparison compare_point(const OperatingPoint& point, const RunRequest& request,
                              RunOutcome& full, RunOutcome& fast) {
  PointComparison found;
  found.point = point;
  for (const RunOutcome* outcome : {&full, &fast}) {
    if (outcome->failure) {
      found.failure = outcome->failure;
      return found;
    }
  }
  found.full_step_s = request.step.step_s;
  found.full_power_gap = power_gap(*full.result);
  for (std::size_t s = 0; s < request.spec.sprockets.size(); ++s) {
    found.strands.push_back(figures_of(*full.result, *fast.result, s));
  }
  found.driver_W = compared(*full.result, *fast.result,
                            [](const WindowStatistics& window) { return window.driver_W; });
  found.health_steps = fast.result->health_steps;
  found.full_record = std::move(full.result->record);
  found.fast_record = std::move(fast.result->record);
  const bool records =
      !found.full_record.empty() && found.full_record.size() == found.fast_record.size();
  if (point.is_constant() && records) {
    const double pitch_s = loop_s(request) / request.spec.chain.links;
    found.tagged = tagged_of(found.full_record, found.fast_record, pitch_s);
  }
  return found;
}

// Tension against speed.
using Curve = std::vector<std::pair<double, double>>;

// Where no speed beside or close by gives more; lesser bumps are chaos.
std::vector<std::size_t> peaks_of(const Curve& curve) {
  constexpr double kClose_rpm = 2;
  std::vector<std::size_t> peaks;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    bool is_highest = true;
    for (std::size_t k = 0; k < curve.size(); ++k) {
      const bool beside = k + 1 == i || k == i + 1;
      const bool close = std::abs(curve[k].first - curve[i].first) <= kClose_rpm;
      is_highest = is_highest && !((beside || close) && curve[k].second > curve[i].second);
    }
    if (is_highest) {
      peaks.push_back(i);
    }
  }
  return peaks;
}

// Where a parabola through a peak and its neighbours is highest.
double peak_rpm(const Curve& curve, std::size_t peak) {
  if (peak == 0 || peak + 1 == curve.size()) {
    return curve[peak].first;
  }
  const auto [x0, y0] = curve[peak - 1];
  const auto [x1, y1] = curve[peak];
  const auto [x2, y2] = curve[peak + 1];
  const double left = (y1 - y0) / (x1 - x0);
  const double right = (y2 - y1) / (x2 - x1);
  const double bend = (right - left) / (x2 - x0);
  return bend < 0 ? (x0 + x1) / 2 - left / (2 * bend) : x1;
}

// The full model's highest peak and that of the fast one which is nearest to it: of two equally
// high ones each model may take another.
Resonance resonance_of(const std::string& name, const std::vector<PointComparison>& points,
                       const std::vector<std::size_t>& curve) {
  const auto p999 = [&](std::size_t point, std::size_t strand) {
    return points[point].strands[strand].p999_N.value;
  };
  const auto top = std::max_element(curve.begin(), curve.end(), [&](auto a, auto b) {
    return p999(a, points[a].tightest()).full < p999(b, points[b].tightest()).full;
  });
  const std::size_t strand = points[*top].tightest();
  Curve full;
  Curve fast;
  for (const std::size_t point : curve) {
    const Pair height_N = p999(point, strand);
    full.emplace_back(points[point].point.speed_rpm, height_N.full);
    fast.emplace_back(points[point].point.speed_rpm, height_N.fast);
  }
  const auto peak = static_cast<std::size_t>(top - curve.begin());
  const double full_rpm = peak_rpm(full, peak);
  const std::vector<std::size_t> peaks = peaks_of(fast);
  const std::size_t nearest = *std::min_element(peaks.begin(), peaks.end(), [&](auto a, auto b) {
    return std::abs(peak_rpm(fast, a) - full_rpm) < std::abs(peak_rpm(fast, b) - full_rpm);
  });
  return {name,
          strand,
          {full_rpm, peak_rpm(fast, nearest)},
          {full[peak].second, fast[nearest].second},
          curve};
}

// Of points that differ by their speed only.
std::vector<Resonance> resonances_of(const std::vector<PointComparison>& points) {
  constexpr std::size_t kFewest = 3;  // speeds that make a curve
  std::map<std::string, std::vector<std::size_t>> curves;
  std::vector<std::string> in_order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].failure && !points[i].point.is_constant()) {
      const std::string name = points[i].point.name();
      const std::string rest = name.substr(name.find(", ") + 2);
      if (curves[rest].empty()) {
        in_order.push_back(rest);
      }
      curves[rest].push_back(i);
    }
  }
  std::vector<Resonance> found;
  for (const std::string& name : in_order) {
    std::vector<std::size_t>& curve = curves[name];
    std::stable_sort(curve.begin(), curve.end(), [&](auto a, auto b) {
      return points[a].point.speed_rpm < points[b].point.speed_rpm;
    });
    const auto same_speed = [&](auto a, auto b) {
      return points[a].point.speed_rpm == points[b].point.speed_rpm;
    };
    curve.erase(std::unique(curve.begin(), curve.end(), same_speed), curve.end());
    if (curve.size() >= kFewest) {
      found.push_back(resonance_of(name, points, curve));
    }
  }
  return found;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) {
    return *middle;
  }
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// One error of one strand at one point.
struct PlacedError {
  std::size_t point;
  std::size_t strand;
  Compared compared;
};

std::optional<ErrorSummary> summary_of(const std::vector<PlacedError>& errors) {
  if (errors.empty()) {
    return std::nullopt;
  }
  std::vector<double> sizes;
  std::vector<double> spreads;
  for (const PlacedError& error : errors) {
    sizes.push_back(std::abs(error.compared.error()));
    spreads.push_back(error.compared.full_spread);
  }
  const auto worst =
      errors.begin() + (std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  return ErrorSummary{errors.size(),
                      median_of(sizes),
                      median_of(spreads),
                      worst->compared.error(),
                      worst->compared.full_spread,
                      worst->point,
                      worst->strand};
}

bool counts(const PointComparison& point, bool constant) {
  return !point.failure && point.point.is_constant() == constant;
}

}  // namespace

std::size_t PointComparison::tightest() const {
  const auto largest = std::max_element(
      strands.begin(), strands.end(),
      [](const auto& a, const auto& b) { return a.p999_N.value.full < b.p999_N.value.full; });
  return static_cast<std::size_t>(largest - strands.begin());
}

std::optional<ErrorSummary> summary_of(const Validation& validation, const StrandFigure& figure,
                                       bool constant) {
  std::vector<PlacedError> errors;
  for (std::size_t i = 0; i < validation.points.size(); ++i) {
    const PointComparison& point = validation.points[i];
    for (std::size_t s = 0; counts(point, constant) && s < point.strands.size(); ++s) {
      errors.push_back({i, s, point.strands[s].*figure.member});
    }
  }
  return summary_of(errors);
}

std::optional<ErrorSummary> driver_summary_of(const Validation& validation, bool constant) {
  std::vector<PlacedError> errors;
  for (std::size_t i = 0; i < validation.points.size(); ++i) {
    if (counts(validation.points[i], constant)) {
      errors.push_back({i, 0, validation.points[i].driver_W});
    }
  }
  return summary_of(errors);
}

const PointComparison* largest_gap_of(const Validation& validation) {
  const PointComparison* largest = nullptr;
  for (const PointComparison& point : validation.points) {
    if (!point.failure && (largest == nullptr ||
                           std::abs(point.full_power_gap) > std::abs(largest->full_power_gap))) {
      largest = &point;
    }
  }
  return largest;
}

void add_validate_options(CLI::App& command, ValidateOptions& options) {
  add_rest_options(command, options.rest);
  command
      .add_option("--model", options.model,
                  "which model for microcontrollers is compared with every roller in small steps "
                  "(default reduced)")
      ->check(CLI::IsMember({kReducedModel, kImplicitModel}));
  const auto add_values = [&](const char* name, std::string& values, const std::string& help) {
    return command
        .add_option(name, values, help + " (default " + values + "; none: leave them out)")
        ->type_name("VALUES");
  };
  std::vector<CLI::Option*> grid{
      add_values("--constant", options.grid.constant_rpm,
                 "constant speeds in rpm, FROM:TO:STEP or VALUE,VALUE,..."),
      add_values("--speeds", options.grid.speeds_rpm,
                 "speeds in rpm at which the crankshaft is accelerated"),
      add_values("--orders", options.grid.orders, "orders of its acceleration"),
      add_values("--amplitudes", options.grid.amplitudes_rad_s2,
                 "amplitudes of its acceleration in rad/s^2")};
  CLI::Option* points =
      command
          .add_option("--points", options.points,
                      "points from this TOML file instead: [[point]] sections with speed_rpm, "
                      "order, amplitude_rad_s2 and, if wanted, tightener and set")
          ->type_name("FILE");
  for (CLI::Option* option : grid) {
    points->excludes(option);
  }
  command.add_option("--settle-s", options.settle_s, "time before the first window (default 10)")
      ->check(between(0, 1e4, "s"));
  command
      .add_option(
          "--window-s", options.window_s,
          "each of the three windows of statistics is as long, made longer to whole turns of the "
          "crankshaft (default 10)")
      ->check(between(0.01, 1e4, "s"));
  command.add_option("--jobs", options.jobs, "runs at the same time (default: one a core)")
      ->type_name("N")
      ->check(whole_between(1, kMostJobs));
  command
      .add_option("--csv", options.csv,
                  "write both models' figures and errors into this file, a row a point and strand")
      ->type_name("FILE");
  command
      .add_option("--plot", options.plot,
                  "draw resonance curves, errors and histories into this SVG file")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "print JSON instead of tables");
}

Validation validate_drive(const ValidateOptions& options) {
  const std::vector<OperatingPoint> points =
      options.points.empty() ? points_of(options.grid) : read_points(options.points);
  std::vector<RunRequest> requests;
  requests.reserve(2 * points.size());
  for (const OperatingPoint& point : points) {
    requests.push_back(request_of(point, options, kRollerModel));
    requests.push_back(request_of(point, options, options.model.c_str()));
  }
  Validation found;
  found.drive = requests.front().spec.name.c_str();
  found.model = options.model;
  found.window_s = options.window_s;
  found.settle_s = options.settle_s;
  found.workers = workers_for(options.jobs, in_smallest_steps(requests));
  found.at_rest =
      options.model == kReducedModel ? reduce_all(points, requests) : rest_all(points, requests);
  BatchResult batch = run_batch(requests, found.workers, "taut validate");
  refine_full(found.workers, requests, batch);
  for (std::size_t i = 0; i < points.size(); ++i) {
    found.points.push_back(compare_point(points[i], requests[2 * i], batch.outcomes[2 * i],
                                         batch.outcomes[2 * i + 1]));
  }
  found.resonances = resonances_of(found.points);
  found.wall_s = batch.wall_s;
  found.simulated_s = batch.simulated_s;
  return found;
}

}  // namespace taut::tool
