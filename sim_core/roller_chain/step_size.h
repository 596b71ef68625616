// How long a step of the roller chain may be. For semi-implicit Euler the link mode sets it:
// h* = sqrt(m_r/K) (sqrt(1 + z^2) - z), z = D/sqrt(m_r K), K of the stiffest link; with strong
// joint damping the zigzag of links against each other: m_r P^2 / (8 C_d). A hydraulic unit, stiff
// by its oil and stops, may set a shorter one for the arm it acts on, and so may a stiff support
// that yields for the sprocket on it. Contact sets no limit, but above F = 2 m_r v0 / (0.75 h),
// v0 = 0.1 m/s (72 kN on 6S90MC-C at 50 us), a roller's damping is too coarse: there, compare with
// a shorter step.
#pragma once

#include "sim_core/drive/drive_spec.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::roller_chain {

// A step is a whole fraction of a tick.
using signal::kTick_s;

[[nodiscard]] double stable_step_s(const drive::DriveSpec& spec);

// 0.72 of the stable step, rounded down to a whole fraction of the tick.
[[nodiscard]] double default_step_s(const drive::DriveSpec& spec);

// 0.95 of the stable step; longer ones are refused.
[[nodiscard]] double longest_step_s(const drive::DriveSpec& spec);

}  // namespace taut::roller_chain
