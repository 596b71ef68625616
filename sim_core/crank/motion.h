// How the crank turns at one moment: what a chain is driven by, wherever it comes from.
// Not for a direction: the angle grows in the crank's own sense of rotation, and the drive knows
// which sense that is.
#pragma once

#include <type_traits>

namespace taut::crank {

template <typename Real>
struct Motion {
  Real angle_rad;  // [0, 2 pi)
  Real speed_rad_s;
  Real acceleration_rad_s2;
};
static_assert(std::is_trivially_copyable_v<Motion<double>>);

}  // namespace taut::crank
