// A drive and what follows from its parameters, for whichever chain model is made from it.
// Made once, on the host, from a DriveSpec that validate() found nothing
// wrong with.
#pragma once

#include "sim_core/contact/friction.h"
#include "sim_core/contact/guide_bar.h"
#include "sim_core/contact/normal_law.h"
#include "sim_core/contact/tooth_gap.h"
#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/geometry.h"
#include "sim_core/tightener/hydraulic_unit.h"
#include "sim_core/tightener/weight_arm.h"

namespace taut::drive {

struct DriveModel {
  DriveSpec spec;
  Geometry geometry;
};

// False if the geometry is impossible: validate() says why.
[[nodiscard]] bool make_drive_model(const DriveSpec& spec, DriveModel& model);

// Its shapes and laws, in the number type (float or double) of the chain model that asks.
// Sprockets and bars by index.
template <typename Real>
[[nodiscard]] contact::ToothGap<Real> tooth_gap_of(const DriveSpec& spec, std::size_t sprocket);
template <typename Real>
[[nodiscard]] contact::GuideBar<Real> guide_bar_of(const DriveModel& model, std::size_t bar);
template <typename Real>  // there must be a tightener
[[nodiscard]] tightener::WeightArm<Real> arm_of(const DriveSpec& spec);
template <typename Real>  // there must be one
[[nodiscard]] tightener::HydraulicUnit<Real> hydraulic_unit_of(const DriveSpec& spec,
                                                               double step_s);
template <typename Real>
[[nodiscard]] contact::NormalLaw<Real> tooth_law_of(const DriveSpec& spec);
template <typename Real>
[[nodiscard]] contact::NormalLaw<Real> bar_law_of(const DriveSpec& spec, std::size_t bar);
template <typename Real>
[[nodiscard]] contact::Friction<Real> friction_of(const DriveSpec& spec);

// The drive with its tightener sprocket turned about the hinge by an angle, all else as
// drawn. For a fixed tightener this is how the chain is tightened (phi_tg).
[[nodiscard]] DriveSpec with_tightener_turned(const DriveSpec& spec, double angle_rad);

}  // namespace taut::drive
