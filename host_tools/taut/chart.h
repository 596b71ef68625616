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

// Looks of a page with charts. Lines s1 to s8 in colours that stay apart for the colour-blind
// (Okabe and Ito, Color Universal Design, 2008).
inline const std::string kChartStyle = R"(
text { font-family: "DejaVu Sans", Arial, Helvetica, sans-serif; fill: #1c2733; }
.page { fill: #ffffff; }
.heading { font-size: 14px; font-weight: bold; }
.label { font-size: 13px; }
.column { font-size: 11px; fill: #44525f; }
.frame { fill: none; stroke: #5c6b78; stroke-width: 1; }
.grid { stroke: #e1e6ea; stroke-width: 1; }
.any { stroke: #1c2733; }
.s1 { stroke: #0072b2; } .s2 { stroke: #d55e00; } .s3 { stroke: #009e73; } .s4 { stroke: #cc79a7; }
.s5 { stroke: #e69f00; } .s6 { stroke: #56b4e9; } .s7 { stroke: #000000; } .s8 { stroke: #999999; }
)";

// Looks used: frame, grid, heading, label, column.
void draw_chart(Svg& svg, Pixel corner, const Chart& chart);

// The axis made longer to whole steps of 1, 2 or 5 times a power of ten; never of no length.
[[nodiscard]] ChartAxis rounded(const ChartAxis& axis);

}  // namespace taut::tool
