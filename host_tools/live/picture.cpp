#include "host_tools/live/picture.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "host_tools/taut/problem.h"
#include "sim_core/math/constants.h"

namespace taut::live {
namespace {

constexpr double kMargin = 12;  // pixels

drive::Point left_of(const drive::Placement& placement, std::size_t at, std::size_t links) {
  const std::size_t before = (at + links - 1) % links;
  const std::size_t after = (at + 1) % links;
  const drive::Point along(placement.x_m[after] - placement.x_m[before],
                           placement.y_m[after] - placement.y_m[before]);
  return math::hat(drive::Point(along.normalized()));
}

// To the nearest multiple of a pitch.
double off_a_pitch(double angle_rad, double pitch_rad) {
  return angle_rad - pitch_rad * std::round(angle_rad / pitch_rad);
}

}  // namespace

Picture::Picture(const drive::DriveSpec& drive) : drive_(drive) {
  drive_.special_links.clear();  // places on the loop are anyone's
  if (!drive::make_geometry(drive_, drawn_).possible) {
    throw tool::Failure(tool::ExitCode::kWrongDrive, "the drive has no geometry");
  }
  drive::place(drive_, drawn_, 0, at_start_);
  view_ = tool::make_view(drive_, drawn_, {kMargin, kMargin});
  true_loop_ = {drive_, drawn_, at_start_};
  exaggerated_ = true_loop_;
  const auto links = static_cast<std::size_t>(drive_.chain.links);
  straight_.at_m.resize(links);
  straight_.left.resize(links);
}

std::string Picture::backdrop() const {
  tool::Svg svg(view_.width() + 2 * kMargin, view_.height() + 2 * kMargin, "", drive_.name.c_str());
  const tool::Scene scene{drive_, drawn_, at_start_, view_};
  svg.begin_group("bars");
  for (std::size_t i = 0; i < drive_.guide_bars.size(); ++i) {
    tool::draw_guide_bar(svg, scene, i);
  }
  svg.end_group();
  for (std::size_t i = 0; i < drive_.sprockets.size(); ++i) {
    svg.begin_group("sprocket_" + std::to_string(i + 1));
    tool::draw_sprocket(svg, scene, i);
    svg.end_group();
  }
  return svg.finish();
}

// An arm so far out that the chain could not lie on its sprockets is drawn where it still could.
void Picture::turn_arm(double arm_rad, Loop& loop) const {
  if (!drive::has_arm(drive_.tightener.kind)) {
    return;
  }
  const auto on_arm = static_cast<std::size_t>(drive_.tightener.sprocket) - 1;
  const drive::Point pivot(drive_.tightener.pivot_x_m, drive_.tightener.pivot_y_m);
  const drive::Point lever = tool::centre_of(drive_.sprockets[on_arm]) - pivot;
  const drive::Point axle =
      pivot + std::cos(arm_rad) * lever + std::sin(arm_rad) * math::hat(lever);
  drive::DriveSpec moved = loop.spec;
  moved.sprockets[on_arm].centre_x_m = axle.x();
  moved.sprockets[on_arm].centre_y_m = axle.y();
  drive::Geometry geometry;
  if (drive::make_geometry(moved, geometry).possible) {
    loop.spec = moved;
    loop.geometry = geometry;
  }
}

void Picture::place(double travel_pitches, Loop& loop) const {
  drive::place(loop.spec, loop.geometry, travel_pitches - std::floor(travel_pitches),
               loop.placement);
}

// Which of the places on the loop it is at now.
std::size_t Picture::place_of(std::size_t roller) const {
  const auto links = static_cast<std::size_t>(drive_.chain.links);
  const double whole = std::floor(travel_pitches_);
  const double loops = std::floor(whole / static_cast<double>(links));
  const auto ahead = static_cast<std::size_t>(whole - loops * static_cast<double>(links));
  return (roller + ahead) % links;
}

void Picture::move(double travel_pitches, double arm_rad) {
  travel_pitches_ = travel_pitches;
  arm_rad_ = arm_rad;
  turn_arm(arm_rad, true_loop_);
  turn_arm(kArmExaggeration * arm_rad, exaggerated_);
  place(travel_pitches, true_loop_);
  place(travel_pitches, exaggerated_);
  for (std::size_t i = 0; i < straight_.at_m.size(); ++i) {
    const std::size_t at = place_of(i);
    straight_.at_m[i] = {true_loop_.placement.x_m[at], true_loop_.placement.y_m[at]};
    straight_.left[i] = left_of(true_loop_.placement, at, straight_.at_m.size());
  }
}

// Towards the centre of the sprocket whose pitch circle is nearest.
double Picture::press_rad(const drive::Point& roller) const {
  double nearest_m = std::numeric_limits<double>::infinity();
  double angle_rad = 0;
  for (std::size_t s = 0; s < exaggerated_.geometry.sprockets; ++s) {
    const drive::Point to_centre = tool::centre_of(exaggerated_.spec.sprockets[s]) - roller;
    const double off_m = std::fabs(to_centre.norm() - drawn_.wrap[s].pitch_radius_m);
    if (off_m < nearest_m) {
      nearest_m = off_m;
      angle_rad = std::atan2(-to_centre.y(), to_centre.x());
    }
  }
  return angle_rad;
}

// Less at once, more by and by: what swings is not to jump.
void Picture::choose_exaggeration(const ChainLook& look) {
  constexpr double kSteps[] = {50, 20, 10, 5, 2, 1};
  constexpr double kRoom = 0.05;      // of the drive's height
  constexpr double kForgets = 0.998;  // a frame
  constexpr double kToSpare = 1.3;
  largest_m_ *= kForgets;
  for (const float beside_m : look.beside_m) {
    largest_m_ = std::max(largest_m_, std::fabs(static_cast<double>(beside_m)));
  }
  const double room = kRoom * view_.height() / view_.scale / largest_m_;  // may be infinite
  const auto* fits = std::find_if(std::begin(kSteps), std::end(kSteps) - 1, [&](double step) {
    return step <= (step > exaggeration_ ? room / kToSpare : room);
  });
  exaggeration_ = *fits;
}

DrawnChain Picture::draw(const ChainLook& look) {
  choose_exaggeration(look);
  DrawnChain drawn;
  drawn.exaggeration = exaggeration_;
  const drive::Placement& placement = exaggerated_.placement;
  for (std::size_t i = 0; i < straight_.at_m.size(); ++i) {
    const std::size_t at = place_of(i);
    const drive::Point roller = drive::Point(placement.x_m[at], placement.y_m[at]) +
                                exaggeration_ * static_cast<double>(look.beside_m[i]) *
                                    left_of(placement, at, straight_.at_m.size());
    drawn.roller.push_back(view_(roller));
    drawn.press_rad.push_back(press_rad(roller));
  }
  const double part = travel_pitches_ - std::floor(travel_pitches_);
  for (std::size_t s = 0; s < drawn_.sprockets; ++s) {
    const drive::Wrap& wrap = drawn_.wrap[s];
    const double turned_rad = placement.angle_rad[s] - at_start_.angle_rad[s];
    drawn.turned_rad[s] =
        std::fmod(wrap.turn * travel_pitches_ * wrap.pitch_angle_rad, math::kTwoPi<double>) +
        off_a_pitch(turned_rad - wrap.turn * part * wrap.pitch_angle_rad, wrap.pitch_angle_rad);
  }
  drawn.arm_rad = kArmExaggeration * arm_rad_;
  return drawn;
}

}  // namespace taut::live
