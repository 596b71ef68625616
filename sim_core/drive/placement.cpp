#include "sim_core/assert.h"
#include "sim_core/drive/geometry.h"
#include "sim_core/drive/links.h"
#include "sim_core/math/round.h"
#include "sim_core/math/sin_cos.h"

namespace taut::drive {
namespace {

double length_m(const Wrap& wrap) {
  return wrap.angle_rad * wrap.pitch_line_radius_m;
}

double angle_on_wrap_rad(const Wrap& wrap, double arc_m) {
  return wrap.begin_angle_rad + wrap.turn * (arc_m / wrap.pitch_line_radius_m);
}

Point point_on_wrap_m(const SprocketSpec& sprocket, const Wrap& wrap, double arc_m) {
  const auto [sin, cos] = math::sincos(angle_on_wrap_rad(wrap, arc_m));
  return {sprocket.centre_x_m + wrap.pitch_radius_m * cos,
          sprocket.centre_y_m + wrap.pitch_radius_m * sin};
}

// arc_m in [0, loop], from where the chain leaves sprocket 1: strand 1, wrap 2, ..., wrap 1.
Point point_on_loop_m(const DriveSpec& spec, const Geometry& geometry, double arc_m) {
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    const Strand& strand = geometry.strand[i];
    if (arc_m < strand.length_m) {
      return strand.begin_m + arc_m * strand.direction;
    }
    arc_m -= strand.length_m;
    const std::size_t next = (i + 1) % geometry.sprockets;
    const Wrap& wrap = geometry.wrap[next];
    if (arc_m < length_m(wrap)) {
      return point_on_wrap_m(spec.sprockets[next], wrap, arc_m);
    }
    arc_m -= length_m(wrap);
  }
  return geometry.strand[0].begin_m;  // once round, to the last bit
}

// How far a roller lies beyond its even share of the loop, in shares: links from roller 0 up to
// it that are longer or shorter than the mean.
double ahead(const DriveSpec& spec, int roller) {
  double sum = roller * (spec.chain.elongation - mean_elongation(spec));
  for (const LinkSpec& link : spec.special_links) {
    sum += link.number > 1 && link.number <= roller + 1 ? link.elongation : 0;
  }
  return sum;
}

// Where on its wrap the roller nearest to the wrap's middle lies; rollers are at phase_m and
// every share_m from there. begin_m: of the wrap, along the loop.
double seated_arc_m(const DriveSpec& spec, double begin_m, const Wrap& wrap, double phase_m,
                    double share_m) {
  const double middle_m = begin_m + length_m(wrap) / 2;
  const double nearest = math::round((middle_m - phase_m) / share_m);
  return phase_m + nearest * share_m - begin_m + ahead(spec, static_cast<int>(nearest)) * share_m;
}

}  // namespace

void place(const DriveSpec& spec, const Geometry& geometry, double tooth_phase,
           Placement& placement) {
  const int links = spec.chain.links;
  TAUT_ASSERT(links > 0 && links <= static_cast<int>(kMaxLinks), links);
  TAUT_ASSERT(geometry.sprockets == spec.sprockets.size(), geometry.sprockets);
  TAUT_ASSERT(tooth_phase >= 0 && tooth_phase <= 1, tooth_phase);
  const double share_m = geometry.loop_m / links;
  for (int i = 0; i < links; ++i) {
    const double arc_m = (i + tooth_phase) * share_m + ahead(spec, i) * share_m;
    const double within_m = arc_m > geometry.loop_m ? arc_m - geometry.loop_m : arc_m;
    const Point roller_m = point_on_loop_m(spec, geometry, within_m);
    placement.x_m[static_cast<std::size_t>(i)] = roller_m.x();
    placement.y_m[static_cast<std::size_t>(i)] = roller_m.y();
  }
  place_sprockets(spec, geometry, tooth_phase, placement.angle_rad);
}

void place_sprockets(const DriveSpec& spec, const Geometry& geometry, double tooth_phase,
                     etl::array<double, kMaxSprockets>& angle_rad) {
  const double share_m = geometry.loop_m / spec.chain.links;
  double begin_m = 0;
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    begin_m += geometry.strand[i].length_m;
    const std::size_t next = (i + 1) % geometry.sprockets;
    const Wrap& wrap = geometry.wrap[next];
    angle_rad[next] =
        angle_on_wrap_rad(wrap, seated_arc_m(spec, begin_m, wrap, tooth_phase * share_m, share_m));
    begin_m += length_m(wrap);
  }
}

}  // namespace taut::drive
