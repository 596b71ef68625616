// Energy of a reduced chain whose crank stands still: what moves, what hangs, and what is
// stretched. Speeds stand half a step before and after places (leapfrog), so that the product of
// two speeds in a row is the kinetic energy to second order, and exactly so for linear motion.
#pragma once

#include "sim_core/contact/normal_law.h"
#include "sim_core/reduced_chain/arm_polynomial.h"
#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::reduced_test {

using reduced_chain::ReducedModel;
using reduced_chain::ReducedScratch;
using reduced_chain::ReducedState;

// Masses of the driven sprockets' pitch lines and, last, the arm's: what the block has inverted.
struct Inertia {
  std::uint32_t count;
  double kg[drive::kMaxSprockets][drive::kMaxSprockets];
};

inline Inertia inertia_of(const ReducedModel& model) {
  Inertia inertia{};
  const bool has_arm = model.arm_sprocket != reduced_chain::kNoArm;
  inertia.count = has_arm ? model.sprockets : model.sprockets - 1;
  double left[drive::kMaxSprockets][drive::kMaxSprockets] = {};
  for (std::uint32_t i = 0; i < inertia.count; ++i) {
    inertia.kg[i][i] = 1;
    for (std::uint32_t j = 0; j < inertia.count; ++j) {
      left[i][j] = static_cast<double>(model.mobility[i][j]);
    }
  }
  for (std::uint32_t k = 0; k < inertia.count; ++k) {  // Gauss and Jordan: positive definite
    const double inverse = 1 / left[k][k];
    for (std::uint32_t j = 0; j < inertia.count; ++j) {
      left[k][j] *= inverse;
      inertia.kg[k][j] *= inverse;
    }
    for (std::uint32_t i = 0; i < inertia.count; ++i) {
      const double factor = i == k ? 0 : left[i][k];
      for (std::uint32_t j = 0; j < inertia.count; ++j) {
        left[i][j] -= factor * left[k][j];
        inertia.kg[i][j] -= factor * inertia.kg[k][j];
      }
    }
  }
  return inertia;
}

inline double driven_speed(const ReducedModel& model, const ReducedState& state, std::uint32_t i) {
  return static_cast<double>(i + 1 < model.sprockets ? state.ahead_m_s[i + 1]
                                                     : state.arm_speed_rad_s);
}

// `before`: a step earlier.
inline double kinetic_J(const ReducedModel& model, const Inertia& inertia,
                        const ReducedState& before, const ReducedState& now) {
  double sum_J = 0;
  for (std::uint32_t i = 0; i < inertia.count; ++i) {
    for (std::uint32_t j = 0; j < inertia.count; ++j) {
      sum_J +=
          0.5 * inertia.kg[i][j] * driven_speed(model, before, i) * driven_speed(model, now, j);
    }
  }
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const reduced_chain::ReducedStrand& strand = model.strand[s];
    const double mass_kg = 1 / static_cast<double>(strand.mode_mass_inverse_1_kg);
    for (std::uint32_t n = 0; n < strand.modes; ++n) {
      const std::uint32_t i = strand.first_mode + n;
      sum_J += 0.5 * mass_kg * static_cast<double>(before.mode_m_s[i]) *
               static_cast<double>(now.mode_m_s[i]);
    }
  }
  return sum_J;
}

// Of the sum of powers from zero to the angle.
inline double integral_of(const reduced_chain::ArmPolynomial& powers, double angle_rad) {
  double sum = 0;
  for (std::size_t i = reduced_chain::kArmPowers; i-- > 0;) {
    sum = sum * angle_rad + static_cast<double>(powers[i]) / static_cast<double>(i + 1);
  }
  return sum * angle_rad;
}

inline double value_of(const reduced_chain::ArmPolynomial& powers, double angle_rad) {
  double sum = 0;
  for (std::size_t i = reduced_chain::kArmPowers; i-- > 0;) {
    sum = sum * angle_rad + static_cast<double>(powers[i]);
  }
  return sum;
}

// Weight of the strands across themselves, and what weight adds to their tension.
inline double strands_J(const ReducedModel& model, const ReducedState& state) {
  double sum_J = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    const reduced_chain::ReducedStrand& strand = model.strand[s];
    const double mass_kg = 1 / static_cast<double>(strand.mode_mass_inverse_1_kg);
    for (std::uint32_t n = 0; n < strand.modes; ++n) {
      const auto q_m = static_cast<double>(state.mode_m[strand.first_mode + n]);
      sum_J -= mass_kg * static_cast<double>(strand.gravity_m_s2[n]) * q_m;
      const double stretch_m = static_cast<double>(strand.wave_number2_1_m2[n]) *
                               static_cast<double>(strand.length_m) / 4 * q_m * q_m;
      sum_J += static_cast<double>(strand.middle_weight_N) * stretch_m;
    }
  }
  return sum_J;
}

// Spring, and all weights on the arm. Not for a hydraulic unit.
inline double arm_J(const ReducedModel& model, const ReducedState& state) {
  if (model.arm_sprocket == reduced_chain::kNoArm) {
    return 0;
  }
  const reduced_chain::ReducedArm& arm = model.arm;
  const reduced_chain::ReducedSprocket& sprocket = model.sprocket[model.arm_sprocket];
  const auto angle_rad = static_cast<double>(state.arm_angle_rad);
  const double spring_m = value_of(arm.spring_m, angle_rad);
  return static_cast<double>(arm.spring_drawn_N) * spring_m +
         0.5 * static_cast<double>(arm.spring_stiffness_N_m) * spring_m * spring_m -
         integral_of(arm.weight_N_m, angle_rad) +
         static_cast<double>(sprocket.arriving_weight_N) * value_of(arm.path_m[0], angle_rad) +
         static_cast<double>(sprocket.leaving_weight_N) * value_of(arm.path_m[1], angle_rad);
}

inline double bars_J(const ReducedModel& model, const ReducedState& state) {
  double sum_J = 0;
  for (std::uint32_t b = 0; b < model.bars; ++b) {
    const reduced_chain::ReducedBar& bar = model.bar[b];
    for (std::uint32_t j = bar.first_point; j < bar.first_point + bar.points; ++j) {
      sum_J += static_cast<double>(bar.rollers_a_point) *
               static_cast<double>(contact::elastic_energy_J(bar.law, state.bar_m[j]));
    }
  }
  return sum_J;
}

// Work that stretched the chain since the step before: of links and wraps, whose tables are no
// closed form.
inline double stretching_J(const ReducedModel& model, const ReducedState& before,
                           const ReducedScratch& scratch_before, const ReducedState& now,
                           const ReducedScratch& scratch) {
  double sum_J = 0;
  for (std::uint32_t s = 0; s < model.sprockets; ++s) {
    sum_J += 0.5 *
             (static_cast<double>(before.tension_N[s]) + static_cast<double>(now.tension_N[s])) *
             (static_cast<double>(scratch.stretch_m[s]) -
              static_cast<double>(scratch_before.stretch_m[s]));
  }
  return sum_J;
}

}  // namespace taut::reduced_test
