// Gains of the fading-memory filter of second degree: a constant acceleration is followed without
// error, and errors die out with three equal roots exp(-bandwidth interval) (Morrison, Introduction
// to Sequential Smoothing and Prediction, 1969; Brookner, Tracking and Kalman Filtering Made Easy,
// 1998, ch. 1: the critically damped g-h-k filter).
#pragma once

#include "sim_core/math/clamp.h"
#include "sim_core/math/exp.h"

namespace taut::crank {

inline constexpr float kMemory = 3;  // bandwidth times memory

// Of an error of the angle; of speed and acceleration times the interval and its square.
struct Gains {
  float angle;
  float speed;
  float acceleration;
  float root;  // how much of an error is left to the next edge
};

// `time_s` after the edge before.
[[nodiscard]] inline Gains gains(float time_s, float memory_s) {
  const float root = math::exp(-kMemory / memory_s * time_s);
  const float rest = 1 - root;
  return {rest * (1 + root + root * root), 1.5F * rest * rest * (1 + root), rest * rest * rest,
          root};
}

// What was begun a time t ago cannot remember longer: 3/t is what the expanding-memory filter of
// second degree comes to, so the memory grows up to `longest_s`, for which the gains are settled.
[[nodiscard]] inline Gains growing_gains(const Gains& settled, float time_s, float longest_s,
                                         float& memory_s) {
  memory_s = math::clamp(memory_s + time_s, longest_s);
  return memory_s < longest_s ? gains(time_s, memory_s) : settled;
}

}  // namespace taut::crank
