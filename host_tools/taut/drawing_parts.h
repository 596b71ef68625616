// The pieces draw_drive() is made of. Parts of the machine first, notes about them after.
#pragma once

#include <cmath>
#include <cstddef>

#include "host_tools/taut/svg.h"
#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/geometry.h"

namespace taut::tool {

using drive::Point;

[[nodiscard]] inline Point unit(double angle_rad) {
  return {std::cos(angle_rad), std::sin(angle_rad)};
}

struct Box {  // metres
  Point low;
  Point high;
};

// From metres, y upwards, to the page.
struct View {
  double scale;  // pixels per metre
  Pixel corner;  // of the drawn area, top left
  Box box;

  [[nodiscard]] Pixel operator()(const Point& p) const {
    return {corner.x + (p.x() - box.low.x()) * scale, corner.y + (box.high.y() - p.y()) * scale};
  }
  [[nodiscard]] double width() const { return (box.high.x() - box.low.x()) * scale; }
  [[nodiscard]] double height() const { return (box.high.y() - box.low.y()) * scale; }
};

struct Scene {
  const drive::DriveSpec& spec;
  const drive::Geometry& geometry;
  const drive::Placement& placement;
  View view;
};

// The whole drive, as large as a page has room for, with its upper left corner there.
[[nodiscard]] View make_view(const drive::DriveSpec& spec, const drive::Geometry& geometry,
                             Pixel corner);

[[nodiscard]] Point centre_of(const drive::SprocketSpec& sprocket);
[[nodiscard]] double tip_radius_m(const drive::DriveSpec& spec, const drive::Wrap& wrap);
// Unit, square to the strand, away from the inside of the loop.
[[nodiscard]] Point outwards(const drive::DriveSpec& spec, const drive::Strand& strand);

void draw_sprocket(Svg& svg, const Scene& scene, std::size_t index);
void draw_chain(Svg& svg, const Scene& scene);
void draw_guide_bar(Svg& svg, const Scene& scene, std::size_t index);
void draw_tightener(Svg& svg, const Scene& scene);

void note_sprocket(Svg& svg, const Scene& scene, std::size_t index);
void note_strand(Svg& svg, const Scene& scene, std::size_t index);
void note_guide_bar(Svg& svg, const Scene& scene, std::size_t index);
void note_tightener(Svg& svg, const Scene& scene);
void draw_overall_dimensions(Svg& svg, const Scene& scene);
void draw_scale_bar(Svg& svg, const Scene& scene, Pixel at);
// Returns the y it ends at.
double draw_data(Svg& svg, const Scene& scene, Pixel at);

}  // namespace taut::tool
