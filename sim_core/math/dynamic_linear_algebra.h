// Eigen's matrices of any size, for host-only set-up code (target sim_core_host): statics
// and modes. Never part of a step or of firmware.
#pragma once

#ifndef TAUT_HOST_ONLY
#error "matrices on the heap are for sim_core_host only"
#endif

// Our settings of Eigen come first.
// clang-format off
#include "sim_core/math/linear_algebra.h"
#include <Eigen/Dense>
#include <Eigen/Sparse>
// clang-format on
