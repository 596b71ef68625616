#include "host_tools/taut/twin_plot.h"

#include <algorithm>
#include <cmath>

#include "host_tools/taut/chart.h"
#include "sim_core/math/constants.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::tool {
namespace {

constexpr double kSwingsShown_s = 2;  // of what swings
constexpr double kTitle = 50;
constexpr std::size_t kMostPoints = 4000;

struct TracePair {
  std::string title;
  std::string unit;
  double scale;
  const std::vector<float>& told;
  const std::vector<float>& truth;
  double shown_s;  // at its end; more than there is: all of it
};

std::vector<ChartPoint> points_of(const std::vector<float>& values, std::uint64_t first_tick,
                                  const TracePair& pair) {
  const auto shown = static_cast<std::size_t>(
      std::min(pair.shown_s / signal::kTick_s, static_cast<double>(values.size())));
  const std::size_t step = 1 + shown / kMostPoints;
  std::vector<ChartPoint> points;
  for (std::size_t i = values.size() - shown; i < values.size(); i += step) {
    if (std::isfinite(values[i])) {
      points.push_back({static_cast<double>(first_tick + i) * signal::kTick_s,
                        static_cast<double>(values[i]) * pair.scale});
    }
  }
  return points;
}

Chart chart_of(const TracePair& pair, std::uint64_t first_tick) {
  Chart chart;
  chart.title = pair.title;
  chart.lines = {{"trace s2", points_of(pair.truth, first_tick, pair)},
                 {"trace s1", points_of(pair.told, first_tick, pair)}};
  ChartAxis x{"time [s]", 1e300, -1e300};
  ChartAxis y{pair.unit, 1e300, -1e300};
  for (const ChartLine& line : chart.lines) {
    for (const ChartPoint& point : line.points) {
      x = {x.label, std::min(x.low, point.x), std::max(x.high, point.x)};
      y = {y.label, std::min(y.low, point.y), std::max(y.high, point.y)};
    }
  }
  if (!(x.high >= x.low)) {
    x = {x.label, 0, 1};
    y = {y.label, 0, 1};
  }
  chart.x = rounded(x);
  chart.y = rounded(y);
  return chart;
}

}  // namespace

std::string plot_twin(const std::string& title, const TwinTraces& traces) {
  constexpr double kAll_s = 1e9;
  constexpr double kRpm = 60 / math::kTwoPi<double>;
  const TracePair pairs[] = {
      {"Force of the tagged link: predicted (blue), measured (orange)", "force [kN]", 1e-3,
       traces.link_N.predicted, traces.link_N.measured, kSwingsShown_s},
      {"Place of the tightener: predicted (blue), true (orange)", "place [mm]", 1e3,
       traces.position_m.predicted, traces.position_m.truth, kSwingsShown_s},
      {"Speed of the crank: predicted (blue), true (orange)", "speed [rpm]", kRpm,
       traces.speed_rad_s.predicted, traces.speed_rad_s.truth, kAll_s}};
  const double height = kTitle + 3 * kChartHeight;
  Svg svg(kChartWidth, height, kChartStyle + ".trace { fill: none; stroke-width: 1.2; }\n", title);
  svg.rectangle("page", {0, 0}, kChartWidth, height);
  svg.text("heading", {20, 30}, title);
  double y = kTitle;
  for (const TracePair& pair : pairs) {
    draw_chart(svg, {0, y}, chart_of(pair, traces.first_tick));
    y += kChartHeight;
  }
  return svg.finish();
}

}  // namespace taut::tool
