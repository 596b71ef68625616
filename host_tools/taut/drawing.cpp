#include "host_tools/taut/drawing.h"

#include <algorithm>
#include <string>

#include "host_tools/taut/drawing_parts.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

constexpr double kLongestSide = 900;  // pixels, of the drawn drive
constexpr double kMargin = 30;
constexpr double kTitle = 90;
constexpr double kLeft = 100;   // room for the dimension of height
constexpr double kBelow = 125;  // room for the dimension of width and the scale
constexpr double kGap = 70;     // between drawing and data
constexpr double kData = 380;   // width of the data

const char* const kStyle = R"(
text { font-family: "DejaVu Sans", Arial, Helvetica, sans-serif; fill: #1c2733; }
.page { fill: #ffffff; }
.title { font-size: 22px; font-weight: bold; }
.number { font-size: 20px; font-weight: bold; }
.label { font-size: 13px; }
.small { font-size: 11px; fill: #44525f; }
.heading { font-size: 13px; font-weight: bold; }
.data { font-size: 12px; }
.column { font-size: 11px; fill: #5c6b78; }
.rule { stroke: #9aa7b3; stroke-width: 1; }
.sprocket { fill: #e9edf1; stroke: #5f6f7e; stroke-width: 1; stroke-linejoin: round; }
.crank { fill: #dde7f2; }
.pitch_circle { fill: none; stroke: #8a98a5; stroke-width: 0.8; stroke-dasharray: 10 3 2 3; }
.hub { fill: #ffffff; stroke: #5f6f7e; stroke-width: 1; }
.centre_line { stroke: #c0392b; stroke-width: 0.8; stroke-dasharray: 8 2 2 2; }
.link { stroke-linecap: round; }
.inner { stroke: #9db7d3; }
.outer { stroke: #3f6797; stroke-opacity: 0.75; }
.special { stroke: #c0392b; }
.roller { fill: #ffffff; stroke: #1d3a5c; stroke-width: 0.9; }
.pin { fill: #1d3a5c; }
.bar { fill: #d9a441; stroke: #7d5a14; stroke-width: 1; stroke-linejoin: round; }
.rubber { fill: #6b6f73; stroke: #2f3133; }
.missing { fill: none; stroke-dasharray: 4 4; }
.arm { fill: none; stroke: #4b8b5b; stroke-opacity: 0.75; stroke-width: 9;
  stroke-linecap: round; stroke-linejoin: round; }
.joint { fill: #ffffff; stroke: #24502f; stroke-width: 1.6; }
.mass { fill: #ffffff; stroke: #1c2733; stroke-width: 1; }
.mass_quarter { fill: #1c2733; }
.spring { fill: none; stroke: #24502f; stroke-width: 1.6; stroke-linejoin: round; }
.foot { fill: #ffffff; stroke: #24502f; stroke-width: 1.4; stroke-linejoin: round; }
.ground { stroke: #24502f; stroke-width: 1.6; }
.hatch { stroke: #24502f; stroke-width: 1; }
.turn { fill: none; stroke: #c0392b; stroke-width: 1.4; }
.travel { stroke: #c0392b; stroke-width: 1.4; }
.head { fill: #c0392b; }
.extension { stroke: #9aa7b3; stroke-width: 0.7; }
.dimension { stroke: #c0392b; stroke-width: 0.9; }
.scale { stroke: #1c2733; stroke-width: 1; }
.dark { fill: #1c2733; }
.light { fill: #ffffff; }
)";

Box bounds(const drive::DriveSpec& spec, const drive::Geometry& geometry) {
  Box box{Point(1e9, 1e9), Point(-1e9, -1e9)};
  const auto include = [&](const Point& p, double around_m) {
    box.low = box.low.cwiseMin(p - Point(around_m, around_m));
    box.high = box.high.cwiseMax(p + Point(around_m, around_m));
  };
  for (std::size_t i = 0; i < spec.sprockets.size(); ++i) {
    const double reach_m = std::max(tip_radius_m(spec, geometry.wrap[i]),
                                    geometry.wrap[i].pitch_radius_m + spec.chain.roller_radius_m);
    include(centre_of(spec.sprockets[i]), reach_m);
  }
  if (drive::has_arm(spec.tightener.kind)) {
    const drive::TightenerSpec& t = spec.tightener;
    const double around_m = spec.chain.pitch_m;  // for hatching and pins
    include({t.pivot_x_m, t.pivot_y_m}, around_m);
    include({t.mass_centre_x_m, t.mass_centre_y_m}, around_m);
    include({t.spring_on_arm_x_m, t.spring_on_arm_y_m}, around_m);
    include({t.spring_on_ground_x_m, t.spring_on_ground_y_m}, around_m);
  }
  return box;
}

void draw_machine(Svg& svg, const Scene& scene) {
  svg.begin_group("sprockets");
  for (std::size_t i = 0; i < scene.spec.sprockets.size(); ++i) {
    draw_sprocket(svg, scene, i);
  }
  svg.end_group();
  svg.begin_group("chain");
  draw_chain(svg, scene);
  svg.end_group();
  svg.begin_group("guide_bars");
  for (std::size_t i = 0; i < scene.spec.guide_bars.size(); ++i) {
    draw_guide_bar(svg, scene, i);
  }
  svg.end_group();
  svg.begin_group("tightener");
  draw_tightener(svg, scene);
  svg.end_group();
}

void draw_notes(Svg& svg, const Scene& scene) {
  svg.begin_group("notes");
  for (std::size_t i = 0; i < scene.spec.sprockets.size(); ++i) {
    note_sprocket(svg, scene, i);
    note_strand(svg, scene, i);
  }
  for (std::size_t i = 0; i < scene.spec.guide_bars.size(); ++i) {
    note_guide_bar(svg, scene, i);
  }
  note_tightener(svg, scene);
  draw_overall_dimensions(svg, scene);
  svg.end_group();
}

// Height the data needs, found by drawing it on a page that is thrown away.
double data_end(const Scene& scene, Pixel at) {
  Svg unused(1, 1, "", "");
  return draw_data(unused, scene, at);
}

}  // namespace

View make_view(const drive::DriveSpec& spec, const drive::Geometry& geometry, Pixel corner) {
  const Box box = bounds(spec, geometry);
  return {kLongestSide / (box.high - box.low).maxCoeff(), corner, box};
}

std::string draw_drive(const drive::DriveSpec& spec, const drive::Geometry& geometry,
                       const drive::Placement& placement) {
  const Scene scene{spec, geometry, placement,
                    make_view(spec, geometry, {kMargin + kLeft, kMargin + kTitle})};
  const View& view = scene.view;
  const Pixel data{view.corner.x + view.width() + kGap, view.corner.y + 10};
  const double width = data.x + kData + kMargin;
  const double drawn = view.corner.y + view.height();
  const double height = std::max(drawn + kBelow, data_end(scene, data)) + kMargin;
  const std::string title(spec.name.data(), spec.name.size());
  Svg svg(width, height, kStyle, title);
  svg.rectangle("page", {0, 0}, width, height);
  svg.text("title", {kMargin, kMargin + 20}, title);
  svg.text("small", {kMargin, kMargin + 40},
           "to scale; chain as placed on pitch circles and straight strands; thickness of arm and "
           "bars is not to scale");
  draw_machine(svg, scene);
  draw_notes(svg, scene);
  draw_scale_bar(svg, scene, {view.corner.x, drawn + kBelow - 20});
  draw_data(svg, scene, data);
  return svg.finish();
}

}  // namespace taut::tool
