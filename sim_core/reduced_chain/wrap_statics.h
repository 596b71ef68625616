// The chain on one sprocket at rest: rollers in their pockets and a few free ones beyond each end,
// pulled along both tangents, found as the least of link, pocket and pulling energy by damped
// Newton steps over 2x2 blocks. What the tables of the reduced chain are made of. Host only.
#pragma once

#include <cstddef>
#include <vector>

#include "sim_core/contact/normal_law.h"
#include "sim_core/contact/tooth_gap.h"
#include "sim_core/drive/drive_model.h"
#include "sim_core/math/linear_algebra.h"

namespace taut::reduced_chain {

using Vector = math::Vector2<double>;

struct WrapSpec {
  contact::ToothGap<double> gap;
  contact::NormalLaw<double> law;
  double pitch_radius_m;
  double pitch_angle_rad;
  double pitch_m;       // of the teeth
  double wrap_pitches;  // between the tangent points
  double link_stiffness_N_m;
  double link_length_m;  // without tension
};

[[nodiscard]] WrapSpec make_wrap_spec(const drive::DriveModel& drive, std::size_t sprocket);

inline constexpr int kFreeRollers = 3;  // beyond each tangent point: none of them reaches a tooth

// In the frame of the sprocket, which turns counter-clockwise: seat k at k pitch angles, the
// tangents at `phase` and `phase + wrap_pitches` of them. Roller j belongs to seat first + j.
struct WrapState {
  int first;
  std::vector<Vector> at_m;
};

// A roller and how it answers to both pulls: derivatives by the pull at the leaving end (own) and
// at the arriving end (other).
struct WrapRoller {
  double force_N;  // on its tooth
  double indentation_m;
  Vector tangent;                           // of its pocket, with travel
  double sinks_own_m_N, sinks_other_m_N;    // indentation
  double slides_own_m_N, slides_other_m_N;  // along the tangent
  double link_N;                            // force of the link that ends at this roller
};

struct WrapAnswer {
  bool found;
  // How far the chain is drawn out beyond an ideal wrap, the stretch of free links aside.
  double leaving_give_m;
  double arriving_give_m;
  // Slopes of these by both pulls; the cross one serves both ways.
  double leaving_by_leaving_m_N, leaving_by_arriving_m_N, arriving_by_arriving_m_N;
  double leaving_aside_m;  // of the leaving chain, outwards from the tangent
  WrapState state;
  std::vector<WrapRoller> rollers;
};

[[nodiscard]] WrapState ideal_wrap(const WrapSpec& spec, double phase);

// `start`: of the same phase, ideal or an answer at other pulls. `on_roller_N`: what else acts on
// each roller; none: nothing.
[[nodiscard]] WrapAnswer rest_of_wrap(const WrapSpec& spec, double phase, double leaving_N,
                                      double arriving_N, const WrapState& start,
                                      const std::vector<Vector>& on_roller_N = {});

}  // namespace taut::reduced_chain
