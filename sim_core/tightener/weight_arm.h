// The weight-arm of a chain tightener: one angle about a ground hinge; carries the
// tightener sprocket, its own weight and one end of a spring-damper (Pedersen 3.8.1,
// 5.8). The angle is counted counter-clockwise from the arm as drawn.
// Not for a hydraulic unit beside the spring: hydraulic_unit.h.
#pragma once

#include "sim_core/math/linear_algebra.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/math/sqrt.h"

namespace taut::tightener {

// Places are given from the hinge, as drawn. Plain numbers: a model is copied as bytes.
template <typename Real>
struct WeightArm {
  Real hinge_x_m, hinge_y_m;
  Real axle_x_m, axle_y_m;                // the sprocket's centre
  Real mass_centre_x_m, mass_centre_y_m;  // of the arm alone
  Real spring_x_m, spring_y_m;            // the spring's end on the arm
  Real ground_x_m, ground_y_m;            // the spring's other end, from the hinge
  Real spring_free_length_m;
  Real spring_stiffness_N_m;
  Real spring_damping_N_s_m;
  Real weight_moment_x_kg_m, weight_moment_y_kg_m;  // mass times place, sprocket included
  Real inertia_kg_m2;                               // about the hinge, sprocket's mass included
};

template <typename Real>
[[nodiscard]] math::Vector2<Real> rotated(Real x, Real y, const math::SinCos<Real>& turn) {
  return {turn.cos * x - turn.sin * y, turn.sin * x + turn.cos * y};
}
template <typename Real>
[[nodiscard]] math::Vector2<Real> rotated(Real x, Real y, Real angle_rad) {
  return rotated(x, y, math::sincos(angle_rad));
}

// From the hinge to the axle.
template <typename Real>
[[nodiscard]] math::Vector2<Real> axle(const WeightArm<Real>& arm, Real angle_rad) {
  return rotated(arm.axle_x_m, arm.axle_y_m, angle_rad);
}

// The arm at one angle, sine and cosine taken once.
template <typename Real>
struct ArmPose {
  Real axle_x_m, axle_y_m;  // from the hinge
  Real weight_moment_x_kg_m, weight_moment_y_kg_m;
  Real length_m;  // of the spring
  Real length_per_angle_m;
  Real length_per_angle2_m;  // its second derivative
};

template <typename Real>
[[nodiscard]] ArmPose<Real> pose(const WeightArm<Real>& arm, Real angle_rad) {
  using Vector = math::Vector2<Real>;
  const auto turn = math::sincos(angle_rad);
  const Vector axle_m = rotated(arm.axle_x_m, arm.axle_y_m, turn);
  const Vector moment_kg_m = rotated(arm.weight_moment_x_kg_m, arm.weight_moment_y_kg_m, turn);
  const Vector end_m = rotated(arm.spring_x_m, arm.spring_y_m, turn);
  const Vector spring_m = end_m - Vector(arm.ground_x_m, arm.ground_y_m);
  const Real length_m = math::sqrt(spring_m.squaredNorm());
  const Vector along = spring_m / length_m;
  const Vector lever_m = math::hat(end_m);
  const Real per_angle_m = along.dot(lever_m);
  const Real across_m2 = lever_m.squaredNorm() - per_angle_m * per_angle_m;
  return {.axle_x_m = axle_m.x(),
          .axle_y_m = axle_m.y(),
          .weight_moment_x_kg_m = moment_kg_m.x(),
          .weight_moment_y_kg_m = moment_kg_m.y(),
          .length_m = length_m,
          .length_per_angle_m = per_angle_m,
          .length_per_angle2_m = across_m2 / length_m - along.dot(end_m)};
}

// What spring and weight do to the arm: energy, its slope (minus the moment) and its second
// derivative, all by the arm's angle.
template <typename Real>
struct ArmPotential {
  Real energy_J;
  Real slope_N_m;
  Real stiffness_N_m_rad;
};

template <typename Real>
[[nodiscard]] Real spring_tension_N(const WeightArm<Real>& arm, const ArmPose<Real>& pose) {
  return arm.spring_stiffness_N_m * (pose.length_m - arm.spring_free_length_m);
}

template <typename Real>
[[nodiscard]] ArmPotential<Real> potential(const WeightArm<Real>& arm,
                                           const math::Vector2<Real>& gravity_m_s2,
                                           const ArmPose<Real>& pose) {
  const math::Vector2<Real> moment_kg_m(pose.weight_moment_x_kg_m, pose.weight_moment_y_kg_m);
  const Real force_N = spring_tension_N(arm, pose);
  const Real stretch_m = pose.length_m - arm.spring_free_length_m;
  const Real lever_m = pose.length_per_angle_m;
  return {.energy_J = force_N * stretch_m / 2 - gravity_m_s2.dot(moment_kg_m),
          .slope_N_m = force_N * lever_m - gravity_m_s2.dot(math::hat(moment_kg_m)),
          .stiffness_N_m_rad = arm.spring_stiffness_N_m * lever_m * lever_m +
                               force_N * pose.length_per_angle2_m + gravity_m_s2.dot(moment_kg_m)};
}

}  // namespace taut::tightener
