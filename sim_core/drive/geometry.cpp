#include "sim_core/drive/geometry.h"

#include "sim_core/drive/links.h"
#include "sim_core/math/atan.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"

namespace taut::drive {
namespace {

constexpr double kTwoPi = math::kTwoPi<double>;

double cross(const Point& a, const Point& b) {
  return a.x() * b.y() - a.y() * b.x();
}

// From (-2 pi, 2 pi) into [0, 2 pi): adding 2 pi to a tiny negative angle rounds to 2 pi itself.
double positive(double angle_rad) {
  const double shifted_rad = angle_rad < 0 ? angle_rad + kTwoPi : angle_rad;
  return shifted_rad < kTwoPi ? shifted_rad : 0.0;
}

double direction_angle_rad(const Point& a) {
  return positive(math::atan2(a.y(), a.x()));
}

Point centre_m(const SprocketSpec& sprocket) {
  return {sprocket.centre_x_m, sprocket.centre_y_m};
}

// Sprockets on the crankshaft's side of the chain turn as it does, the others against it.
double turn_of(const DriveSpec& spec, const SprocketSpec& sprocket) {
  const double crank = spec.crank.rotation == Rotation::kCounterClockwise ? 1.0 : -1.0;
  return sprocket.side == spec.sprockets.front().side ? crank : -crank;
}

// False where teeth and pitch make no circle, or one whose square is no number any more.
bool make_circle(const DriveSpec& spec, double pitch_m, const SprocketSpec& sprocket, Wrap& wrap) {
  if (sprocket.teeth < 3) {
    return false;
  }
  wrap.turn = turn_of(spec, sprocket);
  wrap.pitch_angle_rad = kTwoPi / sprocket.teeth;
  wrap.pitch_radius_m = pitch_m / (2 * math::sin(wrap.pitch_angle_rad / 2));
  wrap.pitch_line_radius_m = pitch_m / wrap.pitch_angle_rad;
  return wrap.pitch_radius_m > 0 && math::is_finite(wrap.pitch_radius_m * wrap.pitch_radius_m);
}

// Inner and outer tangents in one closed form (Pedersen appendix A tells four cases apart).
// With signed radii s R the way from centre to centre is D = L d + rho hat(d), rho the
// difference of the signed radii; hence L and the unit vector d.
bool make_strand(const Point& from_m, const Wrap& from, const Point& to_m, const Wrap& to,
                 Strand& strand) {
  const Point between_m = to_m - from_m;
  const double rho_m = to.turn * to.pitch_radius_m - from.turn * from.pitch_radius_m;
  const double between_m2 = between_m.squaredNorm();
  const double length_m2 = between_m2 - rho_m * rho_m;
  if (!(length_m2 > 0)) {
    return false;
  }
  strand.length_m = math::sqrt(length_m2);
  strand.direction = (strand.length_m * between_m - rho_m * math::hat(between_m)) / between_m2;
  // Not unit, or NaN: the squares have left the range of double. Round-off stays below 1e-15.
  if (!(math::magnitude(strand.direction.squaredNorm() - 1) < 1e-9)) {
    return false;
  }
  const Point begin_normal = -from.turn * math::hat(strand.direction);
  const Point end_normal = -to.turn * math::hat(strand.direction);
  strand.begin_m = from_m + from.pitch_radius_m * begin_normal;
  strand.end_m = to_m + to.pitch_radius_m * end_normal;
  strand.begin_angle_rad = direction_angle_rad(begin_normal);
  strand.end_angle_rad = direction_angle_rad(end_normal);
  return true;
}

// The chain turns on the sprocket by as much as its direction turns from strand to strand.
void close_wrap(const Strand& arriving, const Strand& leaving, Wrap& wrap) {
  const double turned_rad = math::atan2(cross(arriving.direction, leaving.direction),
                                        arriving.direction.dot(leaving.direction));
  wrap.begin_angle_rad = arriving.end_angle_rad;
  wrap.angle_rad = positive(wrap.turn * turned_rad);
}

GeometryResult make_loop(const DriveSpec& spec, double pitch_m, Geometry& geometry) {
  const std::size_t count = spec.sprockets.size();
  geometry.sprockets = 0;
  geometry.loop_m = 0;
  if (count < 2) {
    return {false, 0};
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!make_circle(spec, pitch_m, spec.sprockets[i], geometry.wrap[i])) {
      return {false, i};
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = (i + 1) % count;
    if (!make_strand(centre_m(spec.sprockets[i]), geometry.wrap[i], centre_m(spec.sprockets[next]),
                     geometry.wrap[next], geometry.strand[i])) {
      return {false, i};
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    Wrap& wrap = geometry.wrap[i];
    close_wrap(geometry.strand[(i + count - 1) % count], geometry.strand[i], wrap);
    geometry.loop_m += geometry.strand[i].length_m + wrap.angle_rad * wrap.pitch_line_radius_m;
  }
  geometry.sprockets = count;
  return {true, 0};
}

}  // namespace

GeometryResult make_geometry(const DriveSpec& spec, Geometry& geometry) {
  return make_loop(spec, spec.chain.pitch_m, geometry);
}

GeometryResult make_worn_geometry(const DriveSpec& spec, Geometry& geometry) {
  return make_loop(spec, spec.chain.pitch_m * (1 + mean_elongation(spec)), geometry);
}

}  // namespace taut::drive
