// The links of a chain in motion: directions and tensions (Pedersen 3.7), and the damping of
// the joints between them (3.10-3.17). Loops over plain arrays without branches, and marked as
// not overlapping: so compilers make vector code of them.
#pragma once

#include "sim_core/math/sum.h"
#include "sim_core/roller_chain/touches.h"

namespace taut::roller_chain {

template <typename Real, typename Force>
inline void compute_link(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                         const Rates<Real, Force>& rate, std::size_t from, std::size_t to,
                         RollerScratch<Real, Force>& scratch) {
  const Real x_m = at.x_m[to] - at.x_m[from];
  const Real y_m = at.y_m[to] - at.y_m[from];
  const auto excess_m2 = static_cast<Force>(x_m * x_m + y_m * y_m - model.link_length_m2[to]);
  const auto span_x_m = static_cast<Force>(x_m);
  const auto span_y_m = static_cast<Force>(y_m);
  const Force length_m = math::sqrt(span_x_m * span_x_m + span_y_m * span_y_m);
  const Force both_m = length_m + model.rough_link_length_m[to];
  // One quotient for both 1/l and 1/(l + P): they cost more than all else here.
  const Force quotient_1_m2 = Force(1) / (length_m * both_m);
  const Force inverse_1_m = quotient_1_m2 * both_m;
  // l - P as (l^2 - P^2)/(l + P): what cancels is subtracted in Real, and the root may be coarse.
  const Force stretch_m = excess_m2 * (quotient_1_m2 * length_m);
  const Force along_x = span_x_m * inverse_1_m;
  const Force along_y = span_y_m * inverse_1_m;
  const Force x_m_s = rate.x_m_s[to] - rate.x_m_s[from];
  const Force y_m_s = rate.y_m_s[to] - rate.y_m_s[from];
  const Force stretching_m_s = along_x * x_m_s + along_y * y_m_s;
  const Force elastic_N = model.link_stiffness_N_m[to] * stretch_m;
  const Force damper_N = model.link_damping_N_s_m * stretching_m_s;
  scratch.along_x[to] = along_x;
  scratch.along_y[to] = along_y;
  scratch.inverse_length_1_m[to] = inverse_1_m;
  scratch.turning_rad_s[to] = (along_x * y_m_s - along_y * x_m_s) * inverse_1_m;
  scratch.tension_N[to] = elastic_N + damper_N;
  scratch.link_W[to] = damper_N * stretching_m_s;
}

// Link i joins rollers i - 1 and i; the first closes the loop.
template <typename Real, typename Force>
void compute_links(const RollerModel<Real, Force>& __restrict model,
                   const Configuration<Real>& __restrict at,
                   const Rates<Real, Force>& __restrict rate,
                   RollerScratch<Real, Force>& __restrict scratch) {
  compute_link(model, at, rate, model.links - 1, 0, scratch);
  math::for_whole_lanes(1, model.links,
                        [&](std::size_t i) { compute_link(model, at, rate, i - 1, i, scratch); });
  math::pad(scratch.link_W.data(), model.links);
  scratch.powers.link_W = math::sum(scratch.link_W.data(), model.links);
}

// The moment C_d phidot between two links at each joint.
template <typename Real, typename Force>
void compute_joints(const RollerModel<Real, Force>& __restrict model,
                    RollerScratch<Real, Force>& __restrict scratch) {
  const std::size_t last = model.links - 1;
  const auto set = [&](std::size_t roller, Force bending_rad_s) {
    scratch.joint_moment_N_m[roller] = model.joint_damping_N_m_s * bending_rad_s;
    scratch.joint_W[roller] = scratch.joint_moment_N_m[roller] * bending_rad_s;
  };
  math::for_whole_lanes(0, last, [&](std::size_t i) {
    set(i, scratch.turning_rad_s[i + 1] - scratch.turning_rad_s[i]);
  });
  set(last, scratch.turning_rad_s[0] - scratch.turning_rad_s[last]);
  math::pad(scratch.joint_W.data(), model.links);
  scratch.powers.joint_W = math::sum(scratch.joint_W.data(), model.links);
}

// A link pulls with its tension; the moments of the joints at its ends leave one pair of forces
// across it.
template <typename Force, typename Scratch>
inline void compute_pull(Force begin_N_m, Force end_N_m, std::size_t link, Scratch& scratch) {
  const Force across_N = (end_N_m - begin_N_m) * scratch.inverse_length_1_m[link];
  const Force tension_N = scratch.tension_N[link];
  const Force along_x = scratch.along_x[link];
  const Force along_y = scratch.along_y[link];
  scratch.pull_x_N[link] = tension_N * along_x + across_N * along_y;
  scratch.pull_y_N[link] = tension_N * along_y - across_N * along_x;
}

template <typename Real, typename Force>
void compute_pulls(std::size_t links, RollerScratch<Real, Force>& __restrict scratch) {
  const auto& moment_N_m = scratch.joint_moment_N_m;
  compute_pull(moment_N_m[links - 1], moment_N_m[0], 0, scratch);
  math::for_whole_lanes(
      1, links, [&](std::size_t i) { compute_pull(moment_N_m[i - 1], moment_N_m[i], i, scratch); });
}

// What its two links and its weight do to each roller; this sets the forces that others add to.
template <typename Real, typename Force>
void set_pulls_and_weight(const RollerModel<Real, Force>& __restrict model,
                          const RollerScratch<Real, Force>& __restrict scratch,
                          Forces<Force>& __restrict forces) {
  const std::size_t last = model.links - 1;
  const Force weight_x_N = model.roller_mass_kg * model.gravity_x_m_s2;
  const Force weight_y_N = model.roller_mass_kg * model.gravity_y_m_s2;
  math::for_whole_lanes(0, last, [&](std::size_t i) {
    forces.x_N[i] = scratch.pull_x_N[i + 1] - scratch.pull_x_N[i] + weight_x_N;
    forces.y_N[i] = scratch.pull_y_N[i + 1] - scratch.pull_y_N[i] + weight_y_N;
  });
  forces.x_N[last] = scratch.pull_x_N[0] - scratch.pull_x_N[last] + weight_x_N;
  forces.y_N[last] = scratch.pull_y_N[0] - scratch.pull_y_N[last] + weight_y_N;
}

}  // namespace taut::roller_chain
