// Geometry of the tightener's arm as powers of its angle.
#pragma once

#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::reduced_chain {

// Powers of the arm's angle and their slope, by Horner's rule.
struct Polynomial {
  float value, slope;
};
[[nodiscard]] inline Polynomial value_at(const ArmPolynomial& powers, float angle_rad) {
  Polynomial sum{powers[kArmPowers - 1], 0};
  for (std::size_t i = kArmPowers - 1; i-- > 0;) {
    sum.slope = sum.slope * angle_rad + sum.value;
    sum.value = sum.value * angle_rad + powers[i];
  }
  return sum;
}

}  // namespace taut::reduced_chain
