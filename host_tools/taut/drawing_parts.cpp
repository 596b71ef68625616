#include "host_tools/taut/drawing_parts.h"

#include <algorithm>

namespace taut::tool {
namespace {

constexpr double kSeatHalfAngle = 1.13;  // rad, of the seating arc: about 65 degrees each side
constexpr double kGapRadius = 1.03;      // roller radii
constexpr double kTipHalfWidth = 0.045;  // pitches

struct Tooth {
  Point seat;
  Point radial;
  Point tangential;
  double gap_m;

  // Along the gap's own axes, in gap radii.
  [[nodiscard]] Point at(double sideways, double outwards_m) const {
    return seat + gap_m * (sideways * tangential + outwards_m * radial);
  }
};

Tooth tooth_at(const Scene& scene, std::size_t index, int number) {
  const drive::Wrap& wrap = scene.geometry.wrap[index];
  const double angle_rad = scene.placement.angle_rad[index] + number * wrap.pitch_angle_rad;
  const Point radial = unit(angle_rad);
  return {centre_of(scene.spec.sprockets[index]) + wrap.pitch_radius_m * radial, radial,
          math::hat(radial), kGapRadius * scene.spec.chain.roller_radius_m};
}

// Counter-clockwise round the sprocket: down into each gap, round its seat, up to the next tip.
PathData outline(const Scene& scene, std::size_t index) {
  const View& view = scene.view;
  const drive::Wrap& wrap = scene.geometry.wrap[index];
  const Point centre = centre_of(scene.spec.sprockets[index]);
  const double tip_m = tip_radius_m(scene.spec, wrap);
  const double tip_half_rad = kTipHalfWidth * scene.spec.chain.pitch_m / tip_m;
  const double side = std::sin(kSeatHalfAngle);
  const double depth = -std::cos(kSeatHalfAngle);
  constexpr double kFlank = 0.55;  // gap radii the flank goes on along the arc's tangent
  const double flank_side = side - kFlank * depth;
  const double flank_depth = depth + kFlank * side;
  PathData path;
  for (int j = 0; j < scene.spec.sprockets[index].teeth; ++j) {
    const Tooth tooth = tooth_at(scene, index, j);
    const double angle_rad = scene.placement.angle_rad[index] + j * wrap.pitch_angle_rad;
    const auto tip = [&](double from_seat_rad) {
      return view(centre + tip_m * unit(angle_rad + from_seat_rad));
    };
    const double half_rad = wrap.pitch_angle_rad / 2;
    if (j == 0) {
      path.move(tip(-half_rad + tip_half_rad));
    } else {
      path.line(tip(-half_rad + tip_half_rad));
    }
    path.curve(view(tooth.at(-flank_side, flank_depth)), view(tooth.at(-side, depth)));
    path.arc(tooth.gap_m * view.scale, false, true, view(tooth.at(side, depth)));
    path.curve(view(tooth.at(flank_side, flank_depth)), tip(half_rad - tip_half_rad));
  }
  return path.close();
}

void draw_ground(Svg& svg, Pixel at, Pixel away) {
  constexpr double kHalf = 13;
  constexpr double kHatch = 6;
  const Pixel along{-away.y, away.x};
  const auto point = [&](double sideways, double outwards_px) {
    return Pixel{at.x + along.x * sideways + away.x * outwards_px,
                 at.y + along.y * sideways + away.y * outwards_px};
  };
  svg.line("ground", point(-kHalf, 0), point(kHalf, 0));
  constexpr int kHatches = 4;
  for (int i = 1; i <= kHatches; ++i) {
    const double sideways = -kHalf + i * kHatch;
    svg.line("hatch", point(sideways, 0), point(sideways - kHatch, kHatch));
  }
}

std::string link_kind(const drive::DriveSpec& spec, std::size_t link) {
  const auto number = static_cast<int>(link) + 1;
  const bool special =
      std::any_of(spec.special_links.begin(), spec.special_links.end(),
                  [&](const drive::LinkSpec& other) { return other.number == number; });
  return std::string(link % 2 == 0 ? "link inner" : "link outer") + (special ? " special" : "");
}

void draw_spring(Svg& svg, Pixel from, Pixel to) {
  constexpr int kTurns = 9;
  constexpr double kStraight = 0.14;  // of the length, at each end
  constexpr double kHalfWidth = 8;
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < 1) {
    return;
  }
  const Pixel along{(to.x - from.x) / length, (to.y - from.y) / length};
  const auto point = [&](double part, double sideways) {
    return Pixel{from.x + along.x * part * length - along.y * sideways,
                 from.y + along.y * part * length + along.x * sideways};
  };
  PathData path;
  path.move(from).line(point(kStraight, 0));
  for (int i = 0; i < 2 * kTurns; ++i) {
    const double part = kStraight + (1 - 2 * kStraight) * (i + 0.5) / (2 * kTurns);
    path.line(point(part, i % 2 == 0 ? kHalfWidth : -kHalfWidth));
  }
  path.line(point(1 - kStraight, 0)).line(to);
  svg.path("spring", path);
}

}  // namespace

Point centre_of(const drive::SprocketSpec& sprocket) {
  return {sprocket.centre_x_m, sprocket.centre_y_m};
}

// The usual outside diameter of a cut sprocket: P (0.6 + cot(180 deg / teeth)).
double tip_radius_m(const drive::DriveSpec& spec, const drive::Wrap& wrap) {
  return wrap.pitch_radius_m * std::cos(wrap.pitch_angle_rad / 2) + 0.3 * spec.chain.pitch_m;
}

Point outwards(const drive::DriveSpec& spec, const drive::Strand& strand) {
  const bool round_left = (spec.crank.rotation == drive::Rotation::kCounterClockwise) ==
                          (spec.sprockets[0].side == drive::Side::kInside);
  const Point left = math::hat(strand.direction);
  return round_left ? Point(-left) : left;
}

void draw_sprocket(Svg& svg, const Scene& scene, std::size_t index) {
  constexpr double kHub = 0.2;  // of the pitch radius
  const View& view = scene.view;
  const Pixel centre = view(centre_of(scene.spec.sprockets[index]));
  const double radius = scene.geometry.wrap[index].pitch_radius_m * view.scale;
  svg.path(index == 0 ? "sprocket crank" : "sprocket", outline(scene, index));
  svg.circle("pitch_circle", centre, radius);
  svg.circle("hub", centre, kHub * radius);
  const double reach = (kHub + 0.1) * radius;
  svg.line("centre_line", {centre.x - reach, centre.y}, {centre.x + reach, centre.y});
  svg.line("centre_line", {centre.x, centre.y - reach}, {centre.x, centre.y + reach});
}

void draw_chain(Svg& svg, const Scene& scene) {
  const auto links = static_cast<std::size_t>(scene.spec.chain.links);
  const auto roller = [&](std::size_t i) {
    return scene.view(Point(scene.placement.x_m[i], scene.placement.y_m[i]));
  };
  const double radius = scene.spec.chain.roller_radius_m * scene.view.scale;
  constexpr double kPlate = 1.5;  // roller radii
  constexpr double kPin = 0.4;
  for (const std::size_t parity : {0U, 1U}) {  // inner plates lie below the outer ones
    for (std::size_t i = parity; i < links; i += 2) {
      svg.wide_line(link_kind(scene.spec, i), roller((i + links - 1) % links), roller(i),
                    kPlate * radius);
    }
  }
  for (std::size_t i = 0; i < links; ++i) {
    svg.circle("roller", roller(i), radius);
    svg.circle("pin", roller(i), kPin * radius);
  }
}

void draw_guide_bar(Svg& svg, const Scene& scene, std::size_t index) {
  const drive::GuideBarSpec& bar = scene.spec.guide_bars[index];
  const drive::Strand& strand = scene.geometry.strand[static_cast<std::size_t>(bar.strand - 1)];
  const Point out = outwards(scene.spec, strand);
  const Point push = bar.side == drive::Side::kInside ? out : Point(-out);
  const double roller_m = scene.spec.chain.roller_radius_m;
  const Point middle = strand.begin_m + bar.place * strand.length_m * strand.direction -
                       (roller_m - bar.indentation_m + bar.wear_m) * push;
  const double c = std::cos(bar.rotation_rad);
  const double s = std::sin(bar.rotation_rad);
  const auto turned = [&](const Point& a) {
    return Point(c * a.x() - s * a.y(), s * a.x() + c * a.y());
  };
  const Point along = turned(strand.direction);
  const Point up = turned(push);
  const double end_m = std::min(bar.end_length_m, bar.end_radius_m);
  const double drop_m =
      bar.end_radius_m - std::sqrt(bar.end_radius_m * bar.end_radius_m - end_m * end_m);
  const double back_m = drop_m + 1.2 * roller_m;  // the bar's body: its thickness is not data
  const double half_m = bar.flat_length_m / 2;
  const auto at = [&](double sideways_m, double below_m) {
    return scene.view(middle + sideways_m * along - below_m * up);
  };
  // Clockwise on the page if the bar's right end lies to the right of its pushing side.
  const bool clockwise = along.x() * up.y() - along.y() * up.x() > 0;
  const double radius = bar.end_radius_m * scene.view.scale;
  const std::string kind = bar.condition == drive::BarCondition::kMissing ? "bar missing"
                           : bar.lining == drive::BarLining::kRubber      ? "bar rubber"
                                                                          : "bar";
  svg.path(kind, PathData()
                     .move(at(-half_m - end_m, back_m))
                     .line(at(-half_m - end_m, drop_m))
                     .arc(radius, false, clockwise, at(-half_m, 0))
                     .line(at(half_m, 0))
                     .arc(radius, false, clockwise, at(half_m + end_m, drop_m))
                     .line(at(half_m + end_m, back_m))
                     .close());
}

void draw_tightener(Svg& svg, const Scene& scene) {
  const drive::TightenerSpec& t = scene.spec.tightener;
  if (!drive::has_arm(t.kind)) {
    return;
  }
  const View& view = scene.view;
  const Pixel pivot = view({t.pivot_x_m, t.pivot_y_m});
  const Pixel axle =
      view(centre_of(scene.spec.sprockets[static_cast<std::size_t>(t.sprocket - 1)]));
  const Pixel on_arm = view({t.spring_on_arm_x_m, t.spring_on_arm_y_m});
  const Pixel on_ground = view({t.spring_on_ground_x_m, t.spring_on_ground_y_m});
  const Pixel mass = view({t.mass_centre_x_m, t.mass_centre_y_m});
  constexpr double kFoot = 14;
  constexpr double kPin = 5;
  svg.path("foot", PathData()
                       .move(pivot)
                       .line({pivot.x - 8, pivot.y + kFoot})
                       .line({pivot.x + 8, pivot.y + kFoot})
                       .close());
  draw_ground(svg, {pivot.x, pivot.y + kFoot}, {0, 1});
  svg.path("arm", PathData().move(pivot).line(axle).line(on_arm));
  draw_spring(svg, on_arm, on_ground);
  const double length = std::hypot(on_ground.x - on_arm.x, on_ground.y - on_arm.y);
  if (length > 0) {
    draw_ground(svg, on_ground,
                {(on_ground.x - on_arm.x) / length, (on_ground.y - on_arm.y) / length});
  }
  for (const Pixel joint : {pivot, on_arm, axle, on_ground}) {
    svg.circle("joint", joint, kPin);
  }
  svg.circle("mass", mass, kPin);
  svg.path("mass_quarter", PathData()
                               .move(mass)
                               .line({mass.x + kPin, mass.y})
                               .arc(kPin, false, false, {mass.x, mass.y - kPin})
                               .close());
  svg.path("mass_quarter", PathData()
                               .move(mass)
                               .line({mass.x - kPin, mass.y})
                               .arc(kPin, false, false, {mass.x, mass.y + kPin})
                               .close());
}

}  // namespace taut::tool
