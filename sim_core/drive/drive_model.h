// A drive with everything that follows from its parameters, for whichever chain model is
// made from it. Made once, on the host, from a DriveSpec that validate() found nothing
// wrong with.
#pragma once

#include "sim_core/contact/friction.h"
#include "sim_core/contact/guide_bar.h"
#include "sim_core/contact/normal_law.h"
#include "sim_core/contact/tooth_gap.h"
#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/geometry.h"
#include "sim_core/tightener/weight_arm.h"

namespace taut::drive {

struct DriveModel {
  DriveSpec spec;
  Geometry geometry;
  contact::NormalLaw<double> tooth_law;
  contact::Friction<double> friction;
  etl::array<contact::ToothGap<double>, kMaxSprockets> tooth_gap;
  etl::array<contact::GuideBar<double>, kMaxGuideBars> guide_bar;
  etl::array<contact::NormalLaw<double>, kMaxGuideBars> guide_bar_law;
  tightener::WeightArm<double> arm;  // of use where spec.tightener.kind is kArm
};

// False if the geometry is impossible: validate() says why.
[[nodiscard]] bool make_drive_model(const DriveSpec& spec, DriveModel& model);

// The drive with its tightener sprocket turned about the hinge by an angle, all else as
// drawn. For a fixed tightener this is how the chain is tightened (phi_tg).
[[nodiscard]] DriveSpec with_tightener_turned(const DriveSpec& spec, double angle_rad);

}  // namespace taut::drive
