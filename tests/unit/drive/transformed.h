// A drive seen in a mirror or turned as a whole, its gravity with it: nothing about its
// forces may change.
#pragma once

#include <cmath>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/math/constants.h"

namespace taut::drive_test {

// Applies map(x, y) to every place of the drive and to gravity.
template <typename Map>
void map_places(drive::DriveSpec& spec, Map map) {
  for (drive::SprocketSpec& sprocket : spec.sprockets) {
    map(sprocket.centre_x_m, sprocket.centre_y_m);
  }
  drive::TightenerSpec& tightener = spec.tightener;
  map(tightener.pivot_x_m, tightener.pivot_y_m);
  map(tightener.mass_centre_x_m, tightener.mass_centre_y_m);
  map(tightener.spring_on_arm_x_m, tightener.spring_on_arm_y_m);
  map(tightener.spring_on_ground_x_m, tightener.spring_on_ground_y_m);
  map(spec.gravity.x_m_s2, spec.gravity.y_m_s2);
}

// In the y axis; what turned one way turns the other.
inline drive::DriveSpec mirrored(drive::DriveSpec spec) {
  map_places(spec, [](double& x, double&) { x = -x; });
  spec.crank.rotation = spec.crank.rotation == drive::Rotation::kCounterClockwise
                            ? drive::Rotation::kClockwise
                            : drive::Rotation::kCounterClockwise;
  for (drive::GuideBarSpec& bar : spec.guide_bars) {
    bar.rotation_rad = -bar.rotation_rad;
  }
  for (drive::SprocketSpec& sprocket : spec.sprockets) {
    sprocket.counterweight_angle_rad = math::kPi<double> - sprocket.counterweight_angle_rad;
  }
  return spec;
}

inline drive::DriveSpec rotated(drive::DriveSpec spec, double angle_rad) {
  const double c = std::cos(angle_rad);
  const double s = std::sin(angle_rad);
  map_places(spec, [c, s](double& x, double& y) {
    const double old_x = x;
    x = c * old_x - s * y;
    y = s * old_x + c * y;
  });
  for (drive::SprocketSpec& sprocket : spec.sprockets) {
    sprocket.counterweight_angle_rad += angle_rad;
  }
  return spec;
}

}  // namespace taut::drive_test
