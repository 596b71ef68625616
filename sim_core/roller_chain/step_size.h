// How long a step of the roller chain may be: the link mode sets it, not contact. Semi-
// implicit Euler is stable up to h* = sqrt(m_r/K) (sqrt(1 + z^2) - z), z = D/sqrt(m_r K).
#pragma once

#include "sim_core/drive/drive_spec.h"

namespace taut::roller_chain {

// One tick of the twin; a step is a whole fraction of it.
inline constexpr double kTick_s = 0.5e-3;

[[nodiscard]] double stable_step_s(const drive::ChainSpec& chain);

// 0.72 of the stable step, rounded down to a whole fraction of the tick.
[[nodiscard]] double default_step_s(const drive::ChainSpec& chain);

// 0.95 of the stable step; longer ones are refused.
[[nodiscard]] double longest_step_s(const drive::ChainSpec& chain);

}  // namespace taut::roller_chain
