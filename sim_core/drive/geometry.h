// The loop of a drive: straight strands between pitch circles, and the wraps on them.
// Tangents may be inner or outer (physics: Pedersen 3.2, appendix A). Angles in radians,
// counter-clockwise; index 0 is sprocket 1, strand i runs from sprocket i to i + 1.
// Not for polygon action: pitch circles and straight lines only.
#pragma once

#include <cstddef>

#include <etl/array.h>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/math/linear_algebra.h"

namespace taut::drive {

using Point = math::Vector2<double>;

struct Strand {
  Point begin_m;    // where the chain leaves its sprocket
  Point end_m;      // where it reaches the next
  Point direction;  // unit, along travel
  double length_m;
  double begin_angle_rad;  // of begin_m about its sprocket, [0, 2 pi)
  double end_angle_rad;    // of end_m about the next sprocket, [0, 2 pi)
};

struct Wrap {
  double turn;                 // +1: the sprocket turns counter-clockwise, -1: clockwise
  double begin_angle_rad;      // where the chain comes on, [0, 2 pi)
  double angle_rad;            // wrapped, along travel, > 0
  double pitch_angle_rad;      // 2 pi / teeth
  double pitch_radius_m;       // P / (2 sin(pitch angle / 2))
  double pitch_line_radius_m;  // P / pitch angle: chain length per angle
};

struct Geometry {
  std::size_t sprockets;
  etl::array<Strand, kMaxSprockets> strand;
  etl::array<Wrap, kMaxSprockets> wrap;
  double loop_m;  // strands and wraps, wraps counted in pitches per tooth
};

// Requires circles that have the tangents they need; validate() finds out, see there.
// Returns false, with the strand that cannot be, if they have not; `geometry` then has no
// sprockets. Any finite numbers may be tried: none gives a NaN.
struct GeometryResult {
  bool possible;
  std::size_t strand;  // index of the impossible strand
};
[[nodiscard]] GeometryResult make_geometry(const DriveSpec& spec, Geometry& geometry);

// The loop that a worn chain lies on: its links are longer than the teeth are apart, so on
// sprockets it rides further out, on circles that fit its mean link.
[[nodiscard]] GeometryResult make_worn_geometry(const DriveSpec& spec, Geometry& geometry);

// Rollers along the loop, each link with its share of it, so that link i joins rollers i - 1
// and i. tooth_phase in [0, 1) moves all of them along travel, in pitches; at 0 roller 0 lies
// where the chain leaves sprocket 1. Sprocket angles put a seat under the roller nearest
// to the middle of each wrap: seat j of sprocket s is at angle[s] + j pitch angles.
struct Placement {
  etl::array<double, kMaxLinks> x_m;
  etl::array<double, kMaxLinks> y_m;
  etl::array<double, kMaxSprockets> angle_rad;
};
void place(const DriveSpec& spec, const Geometry& geometry, double tooth_phase,
           Placement& placement);
// The sprockets' angles alone.
void place_sprockets(const DriveSpec& spec, const Geometry& geometry, double tooth_phase,
                     etl::array<double, kMaxSprockets>& angle_rad);

}  // namespace taut::drive
