// Lines and dots over a numeric axis, as a part of an SVG page. The page brings the looks.
#pragma once

#include <string>
#include <vector>

#include "host_tools/taut/svg.h"

namespace taut::tool {

struct ChartPoint {
  double x;
  double y;
};

struct ChartAxis {
  std::string label;  // with its unit
  double low;
  double high;
};

struct ChartLine {
  std::string look;
  std::vector<ChartPoint> points;
};

struct ChartDot {
  std::string look;
  ChartPoint at;
};

struct Chart {
  std::string title;
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartLine> lines;
  std::vector<ChartDot> dots;
};

inline constexpr double kChartWidth = 900;  // pixels, with its numbers and labels
inline constexpr double kChartHeight = 430;
inline constexpr double kChartDot = 3.2;  // radius

// Looks used: frame, grid, heading, label, column.
void draw_chart(Svg& svg, Pixel corner, const Chart& chart);

// The axis made longer to whole steps of 1, 2 or 5 times a power of ten; never of no length.
[[nodiscard]] ChartAxis rounded(const ChartAxis& axis);

}  // namespace taut::tool
