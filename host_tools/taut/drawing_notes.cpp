#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include "host_tools/taut/drawing_parts.h"
#include "host_tools/taut/summary.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kArrow = 10;  // pixels, length of a head

// Big drives in metres, small ones in millimetres.
std::string length_text(const Scene& scene, double length_m) {
  return scene.spec.chain.pitch_m < 0.03 ? fixed(length_m * 1000, 2) + " mm"
                                         : fixed(length_m, 3) + " m";
}

Pixel moved(Pixel p, double dx, double dy) {
  return {p.x + dx, p.y + dy};
}

// Which way the sprocket turns, as an arc with a head.
void draw_turn(Svg& svg, Pixel centre, double radius, double turn) {
  constexpr double kFrom = 200 / kDegrees;
  constexpr double kTo = 260 / kDegrees;
  const double begin = turn > 0 ? kFrom : kTo;
  const double end = turn > 0 ? kTo : kFrom;
  const auto at = [&](double angle_rad) {
    return Pixel{centre.x + radius * std::cos(angle_rad), centre.y - radius * std::sin(angle_rad)};
  };
  const double head = turn * kArrow / radius;  // the arc ends where the head begins
  svg.path("turn", PathData().move(at(begin)).arc(radius, false, turn < 0, at(end - head)));
  const double heading = end - head / 2;
  svg.arrow_head("head", at(end), {-turn * std::sin(heading), -turn * std::cos(heading)}, kArrow);
}

// Where the arrow and the length of a strand stand best.
struct LabelPlace {
  double part;  // of the strand's length
  Point away;   // side of the strand
};

constexpr double kLabelHalf = 38;  // pixels, half the length of a label

double arrow_distance(const Scene& scene) {
  return scene.spec.chain.roller_radius_m * scene.view.scale + 9;
}

// Pixels between a label and the nearest sprocket.
double clearance(const Scene& scene, const drive::Strand& strand, const LabelPlace& place) {
  const double label_m = (arrow_distance(scene) + 14) / scene.view.scale;
  double least = 1e9;
  for (const double end : {-1.0, 0.0, 1.0}) {
    const double along_m = place.part * strand.length_m + end * kLabelHalf / scene.view.scale;
    const Point at = strand.begin_m + along_m * strand.direction + label_m * place.away;
    for (std::size_t i = 0; i < scene.spec.sprockets.size(); ++i) {
      const double free_m = (at - centre_of(scene.spec.sprockets[i])).norm() -
                            tip_radius_m(scene.spec, scene.geometry.wrap[i]);
      least = std::min(least, free_m * scene.view.scale);
    }
  }
  return least;
}

bool has_bar(const Scene& scene, std::size_t strand, drive::Side side) {
  return std::any_of(scene.spec.guide_bars.begin(), scene.spec.guide_bars.end(),
                     [&](const drive::GuideBarSpec& bar) {
                       return bar.strand == static_cast<int>(strand) + 1 && bar.side == side;
                     });
}

// Outside the loop and half way, unless a sprocket or a bar is in the way there.
LabelPlace best_place(const Scene& scene, std::size_t index) {
  constexpr double kEnough = 10;      // pixels of clearance
  constexpr double kOffMiddle = 0.1;  // what it costs to leave the middle, per pixel
  constexpr double kInsideCost = 15;  // what it costs to stand inside the loop
  constexpr double kBarCost = 200;
  const drive::Strand& strand = scene.geometry.strand[index];
  const double length = strand.length_m * scene.view.scale;
  const Point out = outwards(scene.spec, strand);
  LabelPlace best{0.5, out};
  double best_score = -1e9;
  for (const drive::Side side : {drive::Side::kOutside, drive::Side::kInside}) {
    const bool outside = side == drive::Side::kOutside;
    for (const double part : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.0, 1.0, -0.2, 1.2}) {
      const LabelPlace place{part, outside ? out : Point(-out)};
      const double score = std::min(kEnough, clearance(scene, strand, place)) -
                           kOffMiddle * std::abs(part - 0.5) * length -
                           (outside ? 0 : kInsideCost) -
                           (has_bar(scene, index, side) ? kBarCost : 0);
      if (score > best_score) {
        best_score = score;
        best = place;
      }
    }
  }
  return best;
}

}  // namespace

void note_sprocket(Svg& svg, const Scene& scene, std::size_t index) {
  const drive::Wrap& wrap = scene.geometry.wrap[index];
  const Pixel centre = scene.view(centre_of(scene.spec.sprockets[index]));
  const double radius = wrap.pitch_radius_m * scene.view.scale;
  constexpr double kNumberPlace = 0.46;  // of the radius, above the centre
  constexpr double kTurnRadius = 0.62;
  constexpr double kRoomForTeeth = 65;  // pixels
  const double above = kNumberPlace * radius;
  svg.text("number", moved(centre, 0, -above), std::to_string(index + 1), Anchor::kMiddle);
  if (radius > kRoomForTeeth) {
    svg.text("small", moved(centre, 0, -above + 14),
             std::to_string(scene.spec.sprockets[index].teeth) + " teeth", Anchor::kMiddle);
  }
  draw_turn(svg, centre, kTurnRadius * radius, wrap.turn);
}

void note_strand(Svg& svg, const Scene& scene, std::size_t index) {
  const drive::Strand& strand = scene.geometry.strand[index];
  const LabelPlace place = best_place(scene, index);
  const Pixel away{place.away.x(), -place.away.y()};
  const Pixel along{strand.direction.x(), -strand.direction.y()};
  const Pixel foot = scene.view(strand.begin_m + place.part * strand.length_m * strand.direction);
  const double half = std::min(kLabelHalf, 0.3 * strand.length_m * scene.view.scale);
  const double clear = arrow_distance(scene);
  const Pixel line = moved(foot, clear * away.x, clear * away.y);
  svg.line("travel", moved(line, -half * along.x, -half * along.y),
           moved(line, (half - kArrow) * along.x, (half - kArrow) * along.y));
  svg.arrow_head("head", moved(line, half * along.x, half * along.y), along, kArrow);
  // Text along the strand, never upside down; its foot is on the side it reads from.
  double turned_deg = std::atan2(along.y, along.x) * kDegrees;
  if (turned_deg > 90) {
    turned_deg -= 180;
  } else if (turned_deg <= -90) {
    turned_deg += 180;
  }
  const double angle = turned_deg / kDegrees;
  const bool above = std::sin(angle) * away.x - std::cos(angle) * away.y > 0;
  const double lift = clear + (above ? 7 : 17);
  svg.text("label", moved(foot, lift * away.x, lift * away.y),
           std::to_string(index + 1) + ":  " + length_text(scene, strand.length_m), Anchor::kMiddle,
           turned_deg);
}

void note_guide_bar(Svg& svg, const Scene& scene, std::size_t index) {
  const drive::GuideBarSpec& bar = scene.spec.guide_bars[index];
  const drive::Strand& strand = scene.geometry.strand[static_cast<std::size_t>(bar.strand - 1)];
  const Point out = outwards(scene.spec, strand);
  const Point from = bar.side == drive::Side::kInside ? Point(-out) : out;
  const double clear_m = 3.2 * scene.spec.chain.roller_radius_m + 12 / scene.view.scale;
  const Pixel at =
      scene.view(strand.begin_m + bar.place * strand.length_m * strand.direction + clear_m * from);
  const bool right = from.x() > 0;
  const bool missing = bar.condition == drive::BarCondition::kMissing;
  svg.text("label", moved(at, 0, 4),
           "bar " + std::to_string(index + 1) + (missing ? " (missing)" : ""),
           right ? Anchor::kStart : Anchor::kEnd);
}

void note_tightener(Svg& svg, const Scene& scene) {
  const drive::TightenerSpec& t = scene.spec.tightener;
  if (!drive::has_arm(t.kind)) {
    return;
  }
  const Pixel pivot = scene.view({t.pivot_x_m, t.pivot_y_m});
  svg.text("small", moved(pivot, 11, 4), "hinge");
}

void draw_overall_dimensions(Svg& svg, const Scene& scene) {
  constexpr double kAway = 52;
  const View& view = scene.view;
  const drive::DriveSpec& spec = scene.spec;
  // Over the pitch circles: what a drawing of the casing starts from.
  Point low(1e9, 1e9);
  Point high(-1e9, -1e9);
  for (std::size_t i = 0; i < spec.sprockets.size(); ++i) {
    const double r_m = scene.geometry.wrap[i].pitch_radius_m;
    const Point c = centre_of(spec.sprockets[i]);
    low = low.cwiseMin(c - Point(r_m, r_m));
    high = high.cwiseMax(c + Point(r_m, r_m));
  }
  const Pixel bottom_left = view(low);
  const Pixel top_right = view(high);
  const double y = view.corner.y + view.height() + kAway;
  const double x = view.corner.x - kAway;
  for (const double end : {bottom_left.x, top_right.x}) {
    svg.line("extension", {end, bottom_left.y}, {end, y + 5});
  }
  for (const double end : {bottom_left.y, top_right.y}) {
    svg.line("extension", {bottom_left.x, end}, {x - 5, end});
  }
  svg.line("dimension", {bottom_left.x, y}, {top_right.x, y});
  svg.arrow_head("head", {bottom_left.x, y}, {-1, 0}, kArrow);
  svg.arrow_head("head", {top_right.x, y}, {1, 0}, kArrow);
  svg.text("label", {(bottom_left.x + top_right.x) / 2, y - 5},
           length_text(scene, high.x() - low.x()), Anchor::kMiddle);
  svg.line("dimension", {x, bottom_left.y}, {x, top_right.y});
  svg.arrow_head("head", {x, bottom_left.y}, {0, 1}, kArrow);
  svg.arrow_head("head", {x, top_right.y}, {0, -1}, kArrow);
  svg.text("label", {x - 5, (bottom_left.y + top_right.y) / 2},
           length_text(scene, high.y() - low.y()), Anchor::kMiddle, -90);
}

void draw_scale_bar(Svg& svg, const Scene& scene, Pixel at) {
  constexpr double kWanted = 160;  // pixels
  constexpr double kHigh = 6;
  const double wanted_m = kWanted / scene.view.scale;
  const double decade = std::pow(10.0, std::floor(std::log10(wanted_m)));
  double length_m = decade;
  for (const double step : {2.0, 5.0}) {
    length_m = step * decade <= wanted_m ? step * decade : length_m;
  }
  const double half = length_m / 2 * scene.view.scale;
  svg.rectangle("scale dark", at, half, kHigh);
  svg.rectangle("scale light", moved(at, half, 0), half, kHigh);
  const bool metres = length_m >= 1;
  const auto mark = [&](double x, double value_m, const char* unit) {
    svg.text("small", {x, at.y - 5}, general(metres ? value_m : value_m * 1000) + unit,
             Anchor::kMiddle);
  };
  mark(at.x, 0, "");
  mark(at.x + half, length_m / 2, "");
  mark(at.x + 2 * half, length_m, metres ? " m" : " mm");
}

namespace {

// Rows of a small table at the side of the drawing.
class DataBlock {
 public:
  DataBlock(Svg& svg, Pixel at) : svg_(svg), at_(at) {}

  void heading(const std::string& text) {
    at_.y += at_.y > first_ ? 12 : 0;
    svg_.text("heading", at_, text);
    svg_.line("rule", moved(at_, 0, 5), moved(at_, kWidth, 5));
    at_.y += kRow + 4;
  }
  void pair(const std::string& what, const std::string& value) {
    svg_.text("data", at_, what);
    svg_.text("data", moved(at_, kWidth, 0), value, Anchor::kEnd);
    at_.y += kRow;
  }
  void row(const char* look, const std::vector<std::string>& cells) {
    const double step = kWidth / static_cast<double>(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      svg_.text(look, moved(at_, step * static_cast<double>(i + 1), 0), cells[i], Anchor::kEnd);
    }
    at_.y += kRow;
  }
  [[nodiscard]] double end() const { return at_.y; }

  static constexpr double kWidth = 380;

 private:
  static constexpr double kRow = 17;
  Svg& svg_;
  Pixel at_;
  double first_ = at_.y;
};

void add_chain_data(DataBlock& block, const Scene& scene, const DriveSummary& summary) {
  const drive::DriveSpec& spec = scene.spec;
  block.heading("Chain");
  block.pair("links x pitch",
             std::to_string(spec.chain.links) + " x " + general(spec.chain.pitch_m * 1000) + " mm");
  block.pair("roller diameter", fixed(2000 * spec.chain.roller_radius_m, 2) + " mm");
  block.pair("loop length", length_text(scene, summary.loop_m));
  block.pair("strain at placement", fixed(summary.strain * 100, 4) + " %");
  block.pair("crankshaft", general(spec.crank.speed_rpm) + " rpm");
  block.pair("chain speed", fixed(summary.speed_m_s, 2) + " m/s");
  block.pair("tooth frequency", fixed(summary.tooth_frequency_Hz, 1) + " Hz");
}

}  // namespace

double draw_data(Svg& svg, const Scene& scene, Pixel at) {
  const drive::DriveSpec& spec = scene.spec;
  const DriveSummary summary = summarise(spec, scene.geometry);
  const int decimals = spec.chain.pitch_m < 0.03 ? 2 : 1;
  const auto mm = [&](double length_m) { return fixed(1000 * length_m, decimals); };
  DataBlock block(svg, at);
  add_chain_data(block, scene, summary);
  block.heading("Sprockets (mm, degrees)");
  block.row("column", {"no.", "teeth", "radius", "x", "y", "wrap"});
  for (std::size_t i = 0; i < summary.wraps.size(); ++i) {
    const drive::SprocketSpec& s = spec.sprockets[i];
    block.row("data", {std::to_string(i + 1), std::to_string(s.teeth),
                       mm(summary.wraps[i].pitch_radius_m), mm(s.centre_x_m), mm(s.centre_y_m),
                       fixed(summary.wraps[i].angle_rad * kDegrees, 1)});
  }
  block.heading("Strands (mm)");
  block.row("column", {"no.", "length", "pitches", "tangent"});
  for (std::size_t i = 0; i < summary.strands.size(); ++i) {
    block.row("data", {std::to_string(i + 1), mm(summary.strands[i].length_m),
                       fixed(summary.strands[i].length_pitches, 2),
                       summary.strands[i].inner ? "inner" : "outer"});
  }
  if (!spec.guide_bars.empty()) {
    block.heading("Guide-bars (mm)");
    block.row("column", {"no.", "strand", "place", "flat", "ends", "pressed"});
    for (std::size_t i = 0; i < spec.guide_bars.size(); ++i) {
      const drive::GuideBarSpec& bar = spec.guide_bars[i];
      block.row("data", {std::to_string(i + 1), std::to_string(bar.strand),
                         fixed(bar.place * 100, 0) + " %", mm(bar.flat_length_m),
                         mm(bar.end_length_m), fixed(summary.bars[i].pressed_m * 1000, 1)});
    }
  }
  if (drive::has_arm(spec.tightener.kind)) {
    block.heading("Tightener");
    block.pair("hinge to axle", mm(summary.tightener.arm_m) + " mm");
    block.pair("spring, as drawn / free", mm(summary.tightener.spring_length_m) + " / " +
                                              mm(spec.tightener.spring_free_length_m) + " mm");
  }
  return block.end();
}

}  // namespace taut::tool
