// The links of a chain in motion: directions and tensions (Pedersen 3.7), and the damping of
// the joints between them (3.10-3.17). Loops over plain arrays without branches, and marked as
// not overlapping: so compilers make vector code of them.
#pragma once

#include "sim_core/math/sum.h"
#include "sim_core/roller_chain/touches.h"

namespace taut::roller_chain {

template <typename Real, typename Force>
inline void compute_link(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                         const Rates<Real>& rate, std::size_t from, std::size_t to,
                         RollerScratch<Real, Force>& scratch) {
  const Real x_m = at.x_m[to] - at.x_m[from];
  const Real y_m = at.y_m[to] - at.y_m[from];
  const Real length_m = math::sqrt(x_m * x_m + y_m * y_m);
  const Real inverse_length_1_m = Real(1) / length_m;
  const auto along_x = static_cast<Force>(x_m * inverse_length_1_m);
  const auto along_y = static_cast<Force>(y_m * inverse_length_1_m);
  const auto x_m_s = static_cast<Force>(rate.x_m_s[to] - rate.x_m_s[from]);
  const auto y_m_s = static_cast<Force>(rate.y_m_s[to] - rate.y_m_s[from]);
  const auto inverse_1_m = static_cast<Force>(inverse_length_1_m);
  const Force stretching_m_s = along_x * x_m_s + along_y * y_m_s;
  const Force damper_N = model.link_damping_N_s_m * stretching_m_s;
  scratch.along_x[to] = along_x;
  scratch.along_y[to] = along_y;
  scratch.inverse_length_1_m[to] = inverse_1_m;
  scratch.turning_rad_s[to] = (along_x * y_m_s - along_y * x_m_s) * inverse_1_m;
  scratch.tension_N[to] = elastic_tension_N(model, to, length_m) + damper_N;
  scratch.link_W[to] = damper_N * stretching_m_s;
}

// Link i joins rollers i - 1 and i; the first closes the loop.
template <typename Real, typename Force>
void compute_links(const RollerModel<Real, Force>& __restrict model,
                   const Configuration<Real>& __restrict at, const Rates<Real>& __restrict rate,
                   RollerScratch<Real, Force>& __restrict scratch) {
  compute_link(model, at, rate, model.links - 1, 0, scratch);
  for (std::size_t i = 1; i < model.links; ++i) {
    compute_link(model, at, rate, i - 1, i, scratch);
  }
  math::pad(scratch.link_W.data(), model.links);
  scratch.powers.link_W = math::sum(scratch.link_W.data(), model.links);
}

// What its two links pull a roller with; this sets the forces that others add to.
template <typename Real, typename Force>
void set_link_tensions(const RollerModel<Real, Force>& __restrict model,
                       const RollerScratch<Real, Force>& __restrict scratch,
                       Forces<Force>& __restrict forces) {
  const std::size_t last = model.links - 1;
  for (std::size_t i = 0; i < last; ++i) {
    forces.x_N[i] = scratch.tension_N[i + 1] * scratch.along_x[i + 1] -
                    scratch.tension_N[i] * scratch.along_x[i];
    forces.y_N[i] = scratch.tension_N[i + 1] * scratch.along_y[i + 1] -
                    scratch.tension_N[i] * scratch.along_y[i];
  }
  forces.x_N[last] =
      scratch.tension_N[0] * scratch.along_x[0] - scratch.tension_N[last] * scratch.along_x[last];
  forces.y_N[last] =
      scratch.tension_N[0] * scratch.along_y[0] - scratch.tension_N[last] * scratch.along_y[last];
}

// The moment C_d phidot between two links at each joint.
template <typename Real, typename Force>
void compute_joint_moments(const RollerModel<Real, Force>& __restrict model,
                           RollerScratch<Real, Force>& __restrict scratch) {
  const std::size_t last = model.links - 1;
  const auto set = [&](std::size_t roller, Force bending_rad_s) {
    scratch.joint_moment_N_m[roller] = model.joint_damping_N_m_s * bending_rad_s;
    scratch.joint_W[roller] = scratch.joint_moment_N_m[roller] * bending_rad_s;
  };
  for (std::size_t i = 0; i < last; ++i) {
    set(i, scratch.turning_rad_s[i + 1] - scratch.turning_rad_s[i]);
  }
  set(last, scratch.turning_rad_s[0] - scratch.turning_rad_s[last]);
  math::pad(scratch.joint_W.data(), model.links);
  scratch.powers.joint_W = math::sum(scratch.joint_W.data(), model.links);
}

// The moments of the joints at its ends leave on a link one pair of forces across it: + at its
// end, - at its begin.
template <typename Real, typename Force>
void add_joint_damping(const RollerModel<Real, Force>& __restrict model,
                       RollerScratch<Real, Force>& __restrict scratch,
                       Forces<Force>& __restrict forces) {
  compute_joint_moments(model, scratch);
  const std::size_t last = model.links - 1;
  scratch.across_N[0] = (scratch.joint_moment_N_m[0] - scratch.joint_moment_N_m[last]) *
                        scratch.inverse_length_1_m[0];
  for (std::size_t i = 1; i < model.links; ++i) {
    scratch.across_N[i] = (scratch.joint_moment_N_m[i] - scratch.joint_moment_N_m[i - 1]) *
                          scratch.inverse_length_1_m[i];
  }
  for (std::size_t i = 0; i < last; ++i) {
    forces.x_N[i] +=
        scratch.across_N[i + 1] * scratch.along_y[i + 1] - scratch.across_N[i] * scratch.along_y[i];
    forces.y_N[i] +=
        scratch.across_N[i] * scratch.along_x[i] - scratch.across_N[i + 1] * scratch.along_x[i + 1];
  }
  forces.x_N[last] +=
      scratch.across_N[0] * scratch.along_y[0] - scratch.across_N[last] * scratch.along_y[last];
  forces.y_N[last] +=
      scratch.across_N[last] * scratch.along_x[last] - scratch.across_N[0] * scratch.along_x[0];
}

template <typename Real, typename Force>
void add_gravity(const RollerModel<Real, Force>& model, Forces<Force>& __restrict forces) {
  const Force x_N = model.roller_mass_kg * model.gravity_x_m_s2;
  const Force y_N = model.roller_mass_kg * model.gravity_y_m_s2;
  for (std::size_t i = 0; i < model.links; ++i) {
    forces.x_N[i] += x_N;
    forces.y_N[i] += y_N;
  }
}

}  // namespace taut::roller_chain
