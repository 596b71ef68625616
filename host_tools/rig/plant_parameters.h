// What makes the bench's drive another one than that of its drawing: parameters drawn within
// bounds, and damage. Only fields of DriveSpec are changed, so that checks, geometry and statics
// follow.
#pragma once

#include <string>

#include "host_tools/rig/faults.h"
#include "host_tools/rig/random.h"
#include "sim_core/drive/drive_spec.h"

namespace taut::rig {

// Largest differences, either way; drawn with equal chances in between.
struct Spread {
  double part = 0.15;        // of contact stiffness, friction, joint and link damping
  double centre_m = 1e-4;    // of the tightener's sprocket, in x and in y
  double elongation = 5e-4;  // of one link
};
inline constexpr Spread kNoSpread{0, 0, 0};

struct Drawn {
  double contact_stiffness_factor = 1;
  double friction_factor = 1;
  double joint_damping_factor = 1;
  double link_damping_factor = 1;
  int sprocket = 0;  // number of that whose centre is elsewhere: the tightener's, or the last one
  double centre_x_m = 0;
  double centre_y_m = 0;
  int link = 0;  // number of that which is longer or shorter
  double link_elongation = 0;
};

[[nodiscard]] Drawn draw(const drive::DriveSpec& nominal, const Spread& spread, Random& random);
[[nodiscard]] drive::DriveSpec with(const drive::DriveSpec& nominal, const Drawn& drawn);

// A drive lists but so many links that differ from the others.
[[nodiscard]] bool has_room_for(const drive::DriveSpec& drive, int link);

// With a part of the damage, from 0 to 1.
[[nodiscard]] drive::DriveSpec damaged(const drive::DriveSpec& drive, const Damage& damage,
                                       double part);

// What validate() finds first; empty where nothing is wrong.
[[nodiscard]] std::string problem_with(const drive::DriveSpec& drive);

}  // namespace taut::rig
