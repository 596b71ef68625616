#include "host_tools/taut/chart.h"

#include <algorithm>
#include <cmath>

#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

constexpr double kLeft = 80;  // room for numbers and label
constexpr double kRight = 20;
constexpr double kAbove = 30;
constexpr double kBelow = 60;
constexpr int kMostSteps = 10;   // of an axis, from number to number
constexpr double kSlack = 1e-6;  // of a step: round-off

// The smallest of 1, 2 or 5 times a power of ten of which so many reach over the span.
double nice_step(double span) {
  const double least = span / kMostSteps;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) {
      return factor * power;
    }
  }
  return 10 * power;
}

std::vector<double> ticks(const ChartAxis& axis) {
  const double step = nice_step(axis.high - axis.low);
  const double first = std::ceil(axis.low / step - kSlack);
  const int count = static_cast<int>(std::floor(axis.high / step + kSlack) - first) + 1;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    values.push_back((first + i) * step + 0.0);  // never -0
  }
  return values;
}

class Frame {
 public:
  Frame(Pixel corner, const Chart& chart) : corner_(corner), chart_(chart) {}

  [[nodiscard]] double left() const { return corner_.x + kLeft; }
  [[nodiscard]] double right() const { return corner_.x + kChartWidth - kRight; }
  [[nodiscard]] double top() const { return corner_.y + kAbove; }
  [[nodiscard]] double bottom() const { return corner_.y + kChartHeight - kBelow; }
  [[nodiscard]] Pixel operator()(const ChartPoint& point) const {
    const auto part = [](double value, const ChartAxis& axis) {
      return (value - axis.low) / (axis.high - axis.low);
    };
    return {left() + part(point.x, chart_.x) * (right() - left()),
            bottom() - part(point.y, chart_.y) * (bottom() - top())};
  }

 private:
  Pixel corner_;
  const Chart& chart_;
};

void draw_axes(Svg& svg, const Frame& frame, const Chart& chart) {
  for (const double x : ticks(chart.x)) {
    const double at = frame({x, chart.y.low}).x;
    svg.line("grid", {at, frame.top()}, {at, frame.bottom()});
    svg.text("column", {at, frame.bottom() + 17}, general(x), Anchor::kMiddle);
  }
  for (const double y : ticks(chart.y)) {
    const double at = frame({chart.x.low, y}).y;
    svg.line("grid", {frame.left(), at}, {frame.right(), at});
    svg.text("column", {frame.left() - 8, at + 4}, general(y), Anchor::kEnd);
  }
  svg.rectangle("frame", {frame.left(), frame.top()}, frame.right() - frame.left(),
                frame.bottom() - frame.top());
  svg.text("label", {(frame.left() + frame.right()) / 2, frame.bottom() + 40}, chart.x.label,
           Anchor::kMiddle);
  svg.text("label", {frame.left() - 58, (frame.top() + frame.bottom()) / 2}, chart.y.label,
           Anchor::kMiddle, -90);
  svg.text("heading", {frame.left(), frame.top() - 10}, chart.title);
}

void draw_line(Svg& svg, const Frame& frame, const ChartLine& line) {
  if (line.points.empty()) {
    return;
  }
  PathData path;
  path.move(frame(line.points.front()));
  for (const ChartPoint& point : line.points) {
    path.line(frame(point));
  }
  svg.path(line.look, path);
}

}  // namespace

void draw_chart(Svg& svg, Pixel corner, const Chart& chart) {
  const Frame frame(corner, chart);
  draw_axes(svg, frame, chart);
  for (const ChartLine& line : chart.lines) {
    draw_line(svg, frame, line);
  }
  for (const ChartDot& dot : chart.dots) {
    svg.circle(dot.look, frame(dot.at), kChartDot);
  }
}

ChartAxis rounded(const ChartAxis& axis) {
  ChartAxis longer = axis;
  if (!(axis.high > axis.low)) {
    const double half = axis.low == 0 ? 1 : 0.05 * std::abs(axis.low);
    longer = {axis.label, axis.low - half, axis.low + half};
  }
  const double step = nice_step(longer.high - longer.low);
  longer.low = step * std::floor(longer.low / step + kSlack);
  longer.high = step * std::ceil(longer.high / step - kSlack);
  return longer;
}

}  // namespace taut::tool
