// Gains of the fading-memory filter of second degree: a constant acceleration is followed without
// error, and errors die out with three equal roots exp(-bandwidth interval) (Morrison, Introduction
// to Sequential Smoothing and Prediction, 1969; Brookner, Tracking and Kalman Filtering Made Easy,
// 1998, ch. 1: the critically damped g-h-k filter).
#pragma once

#include "sim_core/math/clamp.h"
#include "sim_core/math/exp.h"

namespace taut::crank {

inline constexpr float kMemory = 3;  // bandwidth times memory

// What an error of the angle says of all three.
struct Correction {
  float angle_rad;
  float speed_rad_s;
  float acceleration_rad_s2;
};

// `time_s` after the edge before. What was begun a time t ago cannot remember longer: 3/t is what
// the expanding-memory filter of second degree comes to, so the memory grows up to `longest_s`.
[[nodiscard]] inline Correction correction(float error_rad, float time_s, float longest_s,
                                           float& memory_s) {
  memory_s = math::clamp(memory_s + time_s, longest_s);
  const float root = math::exp(-kMemory / memory_s * time_s);
  const float rest = 1 - root;
  return {rest * (1 + root + root * root) * error_rad,
          1.5F * rest * rest * (1 + root) * error_rad / time_s,
          rest * rest * rest * error_rad / (time_s * time_s)};
}

}  // namespace taut::crank
