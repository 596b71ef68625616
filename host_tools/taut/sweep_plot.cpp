#include <algorithm>
#include <array>

#include "host_tools/taut/chart.h"
#include "host_tools/taut/run_report.h"
#include "host_tools/taut/sweep_report.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

constexpr std::size_t kMostCharts = 24;
constexpr double kMargin = 30;
constexpr double kLegend = 210;  // width

const std::string kStyle = kChartStyle + R"(
.mean, .high { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
.high { stroke-dasharray: 7 5; }
.steady { stroke-width: 1.5; }
.unsteady { fill: #ffffff; stroke-width: 1.5; }
.steady.s1 { fill: #0072b2; } .steady.s2 { fill: #d55e00; } .steady.s3 { fill: #009e73; }
.steady.s4 { fill: #cc79a7; } .steady.s5 { fill: #e69f00; } .steady.s6 { fill: #56b4e9; }
.steady.s7 { fill: #000000; } .steady.s8 { fill: #999999; }
)";

std::string look(const char* kind, std::size_t strand) {
  return std::string(kind) + " s" + std::to_string(strand + 1);
}

// A run and where it stands on the axis.
struct PlacedRun {
  double x;
  std::size_t run;
};

// The runs of one chart: all values of the first quantity, in the order of the axis.
std::vector<PlacedRun> runs_of_chart(const Sweep& sweep, std::size_t chart) {
  const std::size_t charts_a_drive = sweep.runs_a_value(0);
  const std::size_t first = chart / charts_a_drive * sweep.runs_a_drive() + chart % charts_a_drive;
  std::vector<PlacedRun> runs;
  for (std::size_t i = 0; i < sweep.over.front().values.size(); ++i) {
    const std::size_t run = first + i * charts_a_drive;
    runs.push_back({*parse_number(sweep.value_of(run, 0)), run});
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const PlacedRun& a, const PlacedRun& b) { return a.x < b.x; });
  return runs;
}

std::size_t count_charts(const Sweep& sweep) {
  return sweep.drives.size() * sweep.runs_a_value(0);
}

// What all charts of a drive share, so that they can be compared.
struct DriveScale {
  ForceUnit unit;
  ChartAxis axis;
};

DriveScale scale_of(const SweepReport& report, std::size_t drive) {
  const std::size_t count = report.sweep.runs_a_drive();
  double lowest_N = 0;
  double highest_N = 0;
  for (std::size_t run = drive * count; run < (drive + 1) * count; ++run) {
    if (const auto& result = report.batch.outcomes[run].result) {
      for (const StrandStatistics& strand : result->statistics.strands) {
        lowest_N = std::min(lowest_N, strand.tension.mean_N);
        highest_N = std::max(highest_N, strand.tension.p999_N);
      }
    }
  }
  const ForceUnit unit = unit_for(highest_N);
  return {unit, rounded({std::string("tension at a strand's middle [") + unit.name + "]",
                         lowest_N / unit.N, highest_N / unit.N})};
}

std::string title_of(const Sweep& sweep, std::size_t run) {
  std::string title = sweep.requests[run].spec.name.c_str();
  for (std::size_t q = 1; q < sweep.over.size(); ++q) {
    title += ", " + sweep.over[q].with_value(sweep.value_of(run, q));
  }
  return title;
}

// Without failed runs: each leaves a gap.
std::vector<std::vector<PlacedRun>> pieces_of(const SweepReport& report,
                                              const std::vector<PlacedRun>& runs) {
  std::vector<std::vector<PlacedRun>> pieces(1);
  for (const PlacedRun& placed : runs) {
    if (report.batch.outcomes[placed.run].result) {
      pieces.back().push_back(placed);
    } else if (!pieces.back().empty()) {
      pieces.emplace_back();
    }
  }
  return pieces;
}

struct Figure {
  const char* look;
  double ForceStatistics::*member;
};
constexpr std::array<Figure, 2> kFigures{
    {{"mean", &ForceStatistics::mean_N}, {"high", &ForceStatistics::p999_N}}};

void add_line(const SweepReport& report, const std::vector<PlacedRun>& piece, std::size_t strand,
              const Figure& figure, double unit_N, Chart& chart) {
  ChartLine line{look(figure.look, strand), {}};
  for (const PlacedRun& placed : piece) {
    const RunResult& result = *report.batch.outcomes[placed.run].result;
    const double force_N = result.statistics.strands[strand].tension.*figure.member;
    line.points.push_back({placed.x, force_N / unit_N});
    const bool is_steady = result.steady.reached || !result.steady.judged;
    chart.dots.push_back({look(is_steady ? "steady" : "unsteady", strand), line.points.back()});
  }
  chart.lines.push_back(line);
}

Chart chart_of(const SweepReport& report, std::size_t index, const DriveScale& scale) {
  const std::vector<PlacedRun> runs = runs_of_chart(report.sweep, index);
  const std::size_t first = runs.front().run;
  Chart chart{title_of(report.sweep, first),
              rounded({report.sweep.over.front().label(), runs.front().x, runs.back().x}),
              scale.axis,
              {},
              {}};
  for (const std::vector<PlacedRun>& piece : pieces_of(report, runs)) {
    for (std::size_t s = 0; s < report.sweep.requests[first].spec.sprockets.size(); ++s) {
      for (const Figure& figure : kFigures) {
        add_line(report, piece, s, figure, scale.unit.N, chart);
      }
    }
  }
  return chart;
}

void draw_legend(Svg& svg, Pixel at, std::size_t strands) {
  constexpr double kRow = 22;
  constexpr double kSample = 40;
  const auto name = [&](const std::string& text) {
    svg.text("label", {at.x + kSample + 10, at.y + 4}, text);
    at.y += kRow;
  };
  const auto name_line = [&](const std::string& line, const std::string& text) {
    svg.line(line, at, {at.x + kSample, at.y});
    name(text);
  };
  for (std::size_t s = 0; s < strands; ++s) {
    name_line(look(kFigures[0].look, s), "strand " + std::to_string(s + 1));
  }
  at.y += kRow / 2;
  name_line("mean any", "mean");
  name_line("high any", "99.9 % are below");
  svg.circle("unsteady any", {at.x + kSample / 2, at.y}, kChartDot);
  name("not steady");
}

std::size_t most_strands(const Sweep& sweep) {
  std::size_t most = 0;
  for (const RunRequest& request : sweep.requests) {
    most = std::max(most, request.spec.sprockets.size());
  }
  return most;
}

}  // namespace

void check_plot(const Sweep& sweep) {
  const auto refuse = [](const std::string& text) {
    throw Failure(ExitCode::kWrongUse, "--plot: " + text);
  };
  if (sweep.over.empty()) {
    refuse("nothing is swept that could be the axis; add --over NAME=FROM:TO:STEP");
  }
  for (const std::string& value : sweep.over.front().values) {
    if (!parse_number(value)) {
      refuse("--over " + sweep.over.front().name + ": \"" + value +
             "\" is not a number and has no place on an axis; put another --over first");
    }
  }
  if (count_charts(sweep) > kMostCharts) {
    refuse(std::to_string(count_charts(sweep)) + " charts; allowed 1 to " +
           std::to_string(kMostCharts) +
           "; there is one for each drive and each value of all "
           "--over but the first");
  }
}

std::string draw_sweep(const SweepReport& report) {
  const Sweep& sweep = report.sweep;
  const std::size_t charts = count_charts(sweep);
  const double width = kChartWidth + kLegend + 3 * kMargin;
  const double height = static_cast<double>(charts) * kChartHeight + 2 * kMargin;
  Svg svg(width, height, kStyle, "taut sweep over " + sweep.over.front().name);
  svg.rectangle("page", {0, 0}, width, height);
  for (std::size_t i = 0; i < charts; ++i) {
    const Pixel corner{kMargin, kMargin + static_cast<double>(i) * kChartHeight};
    draw_chart(svg, corner, chart_of(report, i, scale_of(report, i / sweep.runs_a_value(0))));
  }
  draw_legend(svg, {2 * kMargin + kChartWidth, kMargin + 45}, most_strands(sweep));
  return svg.finish();
}

}  // namespace taut::tool
