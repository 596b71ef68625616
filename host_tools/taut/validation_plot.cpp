#include <algorithm>
#include <cmath>

#include "host_tools/taut/chart.h"
#include "host_tools/taut/run_report.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/validation.h"

namespace taut::tool {
namespace {

constexpr double kMargin = 30;
constexpr double kLegend = 270;  // width
constexpr std::size_t kColours = 8;
constexpr double kShown_s = 0.8;  // of a history

const std::string kStyle = kChartStyle + R"(
.full, .fast { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
.fast { stroke-dasharray: 6 5; }
.thin { stroke-width: 1.2; }
.cell { font-size: 10px; }
.e0 { fill: #e7f3ea; } .e1 { fill: #fdf6d8; } .e2 { fill: #fbdcae; } .e3 { fill: #f3a683; }
.e4 { fill: #d9645c; }
)";

// Sizes of errors that colours tell apart.
constexpr std::array<double, 4> kErrorSteps{0.02, 0.05, 0.1, 0.2};

std::string look_of(double error) {
  std::size_t step = 0;
  while (step < kErrorSteps.size() && !(std::abs(error) < kErrorSteps[step])) {
    ++step;
  }
  return "e" + std::to_string(step);
}

std::string colour(std::size_t i) {
  return " s" + std::to_string(i % kColours + 1);
}

struct Legend {
  std::string look;
  std::string text;
};

// A chart with its legend beside it.
struct Panel {
  Chart chart;
  std::vector<Legend> legend;
};

void draw_panel(Svg& svg, Pixel corner, const Panel& panel) {
  constexpr double kRow = 20;
  constexpr double kSample = 36;
  draw_chart(svg, corner, panel.chart);
  Pixel at{corner.x + kChartWidth + kMargin / 2, corner.y + 45};
  for (const Legend& line : panel.legend) {
    svg.line(line.look, at, {at.x + kSample, at.y});
    svg.text("label", {at.x + kSample + 8, at.y + 4}, line.text);
    at.y += kRow;
  }
}

const std::vector<Legend> kModels{{"full any", "every roller"}, {"fast any", "in steps of a tick"}};

ForceUnit unit_of(const std::vector<ChartLine>& lines_N) {
  double largest_N = 0;
  for (const ChartLine& line : lines_N) {
    for (const ChartPoint& point : line.points) {
      largest_N = std::max(largest_N, point.y);
    }
  }
  return unit_for(largest_N);
}

// From lines in newtons: axes that hold them, in a unit that suits.
Chart chart_of(const std::string& title, const std::string& x_label, const std::string& y_label,
               std::vector<ChartLine> lines_N) {
  const ForceUnit unit = unit_of(lines_N);
  ChartAxis x{x_label, lines_N.front().points.front().x, lines_N.front().points.back().x};
  ChartAxis y{y_label + " [" + unit.name + "]", 0, 0};
  for (ChartLine& line : lines_N) {
    for (ChartPoint& point : line.points) {
      point.y /= unit.N;
      y.low = std::min(y.low, point.y);
      y.high = std::max(y.high, point.y);
    }
  }
  return {title, rounded(x), rounded(y), std::move(lines_N), {}};
}

// All amplitudes of one order, or whatever the resonances are of.
Panel resonance_panel(const Validation& validation) {
  std::vector<ChartLine> lines_N;
  std::vector<Legend> legend = kModels;
  for (std::size_t i = 0; i < validation.resonances.size(); ++i) {
    const Resonance& found = validation.resonances[i];
    ChartLine full{"full" + colour(i), {}};
    ChartLine fast{"fast" + colour(i), {}};
    for (const std::size_t point : found.points) {
      const double rpm = validation.points[point].point.speed_rpm;
      const Pair& height_N = validation.points[point].strands[found.strand].p999_N.value;
      full.points.push_back({rpm, height_N.full});
      fast.points.push_back({rpm, height_N.fast});
    }
    lines_N.push_back(full);
    lines_N.push_back(fast);
    legend.push_back(
        {"full" + colour(i), found.of + ", strand " + std::to_string(found.strand + 1)});
  }
  return {chart_of(validation.drive + ": 99.9 % of tension over speed", "speed [rpm]",
                   "tension at the strand's middle", lines_N),
          legend};
}

template <typename Force>
std::vector<ChartLine> history(const PointComparison& point, double shown_s, const Force& force) {
  std::vector<ChartLine> lines{{"full thin s1", {}}, {"fast thin s2", {}}};
  const double end_s = point.full_record.back().time_s;
  const std::array<const std::vector<RecordedTick>*, 2> records{&point.full_record,
                                                                &point.fast_record};
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const RecordedTick& tick : *records[i]) {
      if (tick.time_s >= end_s - shown_s) {
        lines[i].points.push_back({tick.time_s, static_cast<double>(force(tick))});
      }
    }
  }
  return lines;
}

const std::vector<Legend> kHistoryModels{{"full s1", "every roller"},
                                         {"fast s2", "in steps of a tick"}};

Panel tagged_panel(const PointComparison& point) {
  const double whole_s = point.full_record.back().time_s - point.full_record.front().time_s;
  return {chart_of("force of link 1, once round the loop at " + point.point.name(), "time [s]",
                   "force of the link",
                   history(point, whole_s, [](const auto& tick) { return tick.tagged_link_N; })),
          kHistoryModels};
}

Panel strand_panel(const std::string& which, const PointComparison& point) {
  const std::size_t strand = point.tightest();
  return {
      chart_of(which + ": strand " + std::to_string(strand + 1) + " at " + point.point.name(),
               "time [s]", "tension at the strand's middle",
               history(point, kShown_s, [&](const auto& tick) { return tick.strand_N[strand]; })),
      kHistoryModels};
}

// Points with acceleration by the size of the error of their tightest strand's 99.9 %.
std::vector<std::size_t> by_error(const Validation& validation) {
  const auto size_of = [&](std::size_t i) {
    const PointComparison& point = validation.points[i];
    return std::abs(point.strands[point.tightest()].p999_N.error());
  };
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < validation.points.size(); ++i) {
    const PointComparison& point = validation.points[i];
    if (!point.failure && !point.point.is_constant() && !point.full_record.empty()) {
      found.push_back(i);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](auto a, auto b) { return size_of(a) < size_of(b); });
  return found;
}

std::vector<Panel> panels_of(const Validation& validation) {
  std::vector<Panel> panels;
  if (!validation.resonances.empty()) {
    panels.push_back(resonance_panel(validation));
  }
  std::vector<const PointComparison*> tagged;
  for (const PointComparison& point : validation.points) {
    if (point.tagged) {
      tagged.push_back(&point);
    }
  }
  if (!tagged.empty()) {
    panels.push_back(tagged_panel(*tagged[tagged.size() / 2]));
  }
  const std::vector<std::size_t> order = by_error(validation);
  if (order.size() > 1) {
    panels.push_back(strand_panel("median error", validation.points[order[order.size() / 2]]));
  }
  if (!order.empty()) {
    panels.push_back(strand_panel("largest error of the 99.9 %", validation.points[order.back()]));
  }
  return panels;
}

// Every error of every strand and point, as a table of coloured cells.
class ErrorMap {
 public:
  explicit ErrorMap(const Validation& validation) : validation_(validation) {
    for (const PointComparison& point : validation.points) {
      strands_ = std::max(strands_, point.strands.size());
      names_ = std::max(names_, kLetter * static_cast<double>(point.point.name().size()) + 20);
    }
  }

  [[nodiscard]] double height() const {
    return kHead + kRow * static_cast<double>(validation_.points.size()) + 2 * kMargin;
  }

  void draw(Svg& svg, Pixel corner) const {
    draw_head(svg, corner);
    for (std::size_t i = 0; i < validation_.points.size(); ++i) {
      draw_row(svg, {corner.x, corner.y + kHead + kRow * static_cast<double>(i)},
               validation_.points[i]);
    }
    draw_legend(svg, {corner.x + kChartWidth + kMargin / 2, corner.y + kHead});
  }

 private:
  static constexpr double kRow = 15;
  static constexpr double kCell = 46;
  static constexpr double kLetter = 5.8;  // width, about
  static constexpr double kHead = 50;

  [[nodiscard]] double cell() const {
    const double columns = static_cast<double>(kStrandFigures.size() * strands_);
    return std::min(kCell, (kChartWidth - names_) / std::max(columns, 1.0));
  }

  [[nodiscard]] double column(std::size_t strand, std::size_t figure) const {
    return names_ + cell() * static_cast<double>(strand * kStrandFigures.size() + figure);
  }

  void draw_head(Svg& svg, Pixel corner) const {
    svg.text("heading", {corner.x, corner.y + 12},
             "errors of the " + validation_.model +
                 " model [%]: mean, standard deviation and 99.9 % of tension");
    for (std::size_t s = 0; s < strands_; ++s) {
      svg.text("label", {corner.x + column(s, 0), corner.y + 30},
               "strand " + std::to_string(s + 1));
      for (std::size_t f = 0; f < kStrandFigures.size(); ++f) {
        svg.text("column", {corner.x + column(s, f) + cell() / 2, corner.y + 45},
                 f == 2 ? "99.9" : kStrandFigures[f].name, Anchor::kMiddle);
      }
    }
  }

  void draw_row(Svg& svg, Pixel corner, const PointComparison& point) const {
    svg.text("cell", {corner.x, corner.y + kRow - 4},
             point.point.name() + (point.failure ? ": failed" : ""));
    for (std::size_t s = 0; s < point.strands.size(); ++s) {
      for (std::size_t f = 0; f < kStrandFigures.size(); ++f) {
        const double error = (point.strands[s].*kStrandFigures[f].member).error();
        const double x = corner.x + column(s, f);
        svg.rectangle(look_of(error), {x, corner.y}, cell() - 1, kRow - 1);
        svg.text("cell", {x + cell() / 2, corner.y + kRow - 4}, fixed(100 * error, 1),
                 Anchor::kMiddle);
      }
    }
  }

  static void draw_legend(Svg& svg, Pixel at) {
    for (std::size_t i = 0; i <= kErrorSteps.size(); ++i) {
      const bool last = i == kErrorSteps.size();
      const double limit = 100 * kErrorSteps[last ? i - 1 : i];
      svg.rectangle("e" + std::to_string(i), at, 36, 14);
      svg.text("label", {at.x + 44, at.y + 12},
               (last ? "above " : "below ") + general(limit) + " %");
      at.y += 20;
    }
  }

  const Validation& validation_;
  std::size_t strands_ = 0;
  double names_ = 0;  // width of their column
};

}  // namespace

std::string draw_validation(const Validation& validation) {
  const std::vector<Panel> panels = panels_of(validation);
  const ErrorMap map(validation);
  const double width = kChartWidth + kLegend + 2 * kMargin;
  const double charts = kChartHeight * static_cast<double>(panels.size());
  const double height = kMargin + charts + map.height();
  Svg svg(width, height, kStyle, "taut validate " + validation.drive);
  svg.rectangle("page", {0, 0}, width, height);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    draw_panel(svg, {kMargin, kMargin + kChartHeight * static_cast<double>(i)}, panels[i]);
  }
  map.draw(svg, {kMargin, kMargin + charts});
  return svg.finish();
}

}  // namespace taut::tool
