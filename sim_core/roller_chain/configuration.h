// Where everything of a drive is at one moment, and the forces that depend on it.
// Plain arrays over rollers: link i joins rollers i - 1 and i, cyclic.
#pragma once

#include <cstddef>

#include <etl/array.h>

#include "sim_core/drive/drive_spec.h"

namespace taut::roller_chain {

template <typename Real>
struct Configuration {
  etl::array<Real, drive::kMaxLinks> x_m;
  etl::array<Real, drive::kMaxLinks> y_m;
  etl::array<Real, drive::kMaxSprockets> angle_rad;  // [0] is the crankshaft
  Real arm_angle_rad;                                // counter-clockwise from the arm as drawn
};

// Generalised forces: what acts on each coordinate above.
template <typename Real>
struct Forces {
  etl::array<Real, drive::kMaxLinks> x_N;
  etl::array<Real, drive::kMaxLinks> y_N;
  etl::array<Real, drive::kMaxSprockets> torque_N_m;
  Real arm_moment_N_m;
};

}  // namespace taut::roller_chain
