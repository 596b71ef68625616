// The reduced chain's constants: few states, one step a tick, in float. Made on the host by
// reduce() from a DriveModel, and a plain block of bytes from then on. Sprocket and strand numbers
// as in geometry.h: strand s runs from sprocket s to the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/contact/friction.h"
#include "sim_core/contact/normal_law.h"
#include "sim_core/drive/drive_spec.h"
#include "sim_core/reduced_chain/reduced_state.h"
#include "sim_core/signal/sensor_frame.h"
#include "sim_core/tightener/hydraulic_unit.h"

namespace taut::reduced_chain {

inline constexpr auto kStep_s = static_cast<float>(signal::kTick_s);

// The largest pull that tables know, as K P over this: no chain bears it.
inline constexpr double kMostPull = 60;

// Constants are worked out in double.
[[nodiscard]] constexpr float to_float(double value) {
  return static_cast<float>(value);
}

// A wrap at rest, pulled by M at its tighter end and z^2 M at the other: nodes evenly spaced in the
// fourth root of M and in z, closer where a wrap hardly holds. Gives are less that of the least M
// and divided by the root of M: what is left bends so little that straight lines between nodes are
// good to 0.1 %.
inline constexpr std::uint32_t kPullNodes = 17;
inline constexpr std::uint32_t kRatioNodes = 11;

struct WrapNode {
  float tight_give;  // m / sqrt(N)
  float slack_give;
  float tight_give_per_strain_m;  // by links longer than teeth are apart, as a part of the pitch
  float slack_give_per_strain_m;
  float tight_damping_m_N_m_s;  // sum of 3(1 - e^2)/4 f a a, a: indentation by pull; see step.cpp
  float cross_damping_m_N_m_s;
  float slack_damping_m_N_m_s;
};

// Rollers that slide in their pockets, in four groups: the last pitch at the tight end, the half of
// the others beside it, the other half, the last pitch at the slack end. They rub on the same grid,
// every other node of it in both directions.
inline constexpr std::size_t kRubbingGroups = 4;
inline constexpr std::size_t kCoarsePullNodes = (kPullNodes + 1) / 2;
inline constexpr std::size_t kCoarseRatioNodes = (kRatioNodes + 1) / 2;

struct RubbingGroup {
  float pressed;   // sum of contact forces, as a part of M
  float by_tight;  // sliding towards the tight end, by what each end gives
  float by_slack;
  float by_travel_m;  // by a pitch of travel towards the tight end
};

struct RubbingNode {
  etl::array<RubbingGroup, kRubbingGroups> group;
};

struct WrapTable {
  float least_pull_N;
  float most_pull_N;
  float least_root;    // fourth root of the least pull
  float nodes_a_root;  // per fourth root
  float least_ratio;   // slack pull over tight pull that the wrap still holds
  float least_z;       // its root
  float nodes_a_z;
  float least_give_m;  // at the least pull, both ends alike
  etl::array<etl::array<WrapNode, kRatioNodes>, kPullNodes> node;
  etl::array<etl::array<RubbingNode, kCoarseRatioNodes>, kCoarsePullNodes> rubbing;
};

// Two harmonics of the teeth, against the travel of the chain.
struct Ripple {
  float cos1_m, sin1_m, cos2_m, sin2_m;
};

// How pulls at both ends fade inside a wrap, at even places from half a pitch before the tangent
// point where the chain arrives to half a pitch beyond the other one, a quarter of a pitch apart or
// as many as there are. Friction holds rollers back as they slide in their pockets: pulls at the
// arriving end reach further in than those at the leaving end.
inline constexpr std::size_t kFadingValues = 64;
inline constexpr float kFadingOutside_pitches = 0.5F;
struct FadingValue {  // as a part of the pulls
  float link_by_arriving, link_by_leaving;
  float tooth_by_arriving, tooth_by_leaving;
};
struct Fading {
  float values_a_pitch;
  etl::array<std::uint32_t, 2> most_pressed;  // teeth near the arriving end, and the leaving one
  etl::array<FadingValue, kFadingValues> value;
};

struct ReducedSprocket {
  WrapTable wrap;
  Fading fading;
  Ripple leaving_ripple, arriving_ripple;  // of the give
  float turn;                              // +1: counter-clockwise
  float pitch_angle_rad;
  float pitch_line_radius_m;
  float leaving_weight_N;   // tension at its tangent points above that of the strand, by weight
  float arriving_weight_N;  // of the chain
  float first_touch;        // speed of rollers that meet it, per speed of the chain
  float loss_1_sqrt_N;      // drag of rollers that are pressed into seats and let go, by pull^(3/2)
  float joint_N_s_m;        // drag by speed of the chain, of its joints
  float bearing_N_s_m;      // and of the sprocket's bearing
  float load_N;             // at the pitch line, against travel
  float wrap_pitches;
  float arrives_pitches;  // where its wrap begins along the loop, from where the crank's ends
  float leaves_pitches;
  float leaving_x, leaving_y;  // directions of its strands, along travel
  float arriving_x, arriving_y;
  float weight_x_N, weight_y_N;  // of sprocket and chain on it
};

// Sines along a strand, one every 0.4 m, an even number of them.
inline constexpr std::size_t kMaxModes = 10;
// Teeth send waves down a strand, too short for its modes: excess length of their mean against the
// chain's speed over that of waves, from none to where a chain of links carries them no more.
inline constexpr std::uint32_t kWaveNodes = 17;
inline constexpr float kMostWaveRatio = 0.64F;

struct ReducedStrand {
  std::uint32_t modes;
  std::uint32_t first_mode;  // among those of all strands
  float length_m;
  float flexibility_m_N;     // of its links
  float link_damping_m_s_N;  // of its links: D n / K^2
  float stretch_at_rest_m;   // path less chain where all sprockets are in place, arm as drawn
  float pitches;             // of chain in it
  float lightness_1_kg;      // how easily sprockets and arm change its stretch
  float middle_weight_N;     // tension in its middle above that of the strand
  float weight_drop_N;       // tension at its end above that at its begin
  etl::array<float, kMaxModes> wave_number2_1_m2;  // k^2
  etl::array<float, kMaxModes> gravity_m_s2;
  etl::array<float, kMaxModes> damping_1_s;
  etl::array<float, kMaxModes> middle;  // sine at the strand's middle
  // Rows: combinations of odd modes, and of even ones, that turn into one another, and how fast.
  etl::array<etl::array<float, kMaxModes / 2>, kMaxModes / 2> turns_odd;
  etl::array<etl::array<float, kMaxModes / 2>, kMaxModes / 2> turns_even;
  etl::array<float, kMaxModes / 2> gyroscopic_1_m;
  etl::array<float, kWaveNodes> wave_m;
  float wave_share_1_s;          // how fast waves fill the strand: inverse of the time they take
  float mode_mass_inverse_1_kg;  // 2 / (m_l L)
  std::uint32_t
      path;  // 0: the arm changes it not; 1: it arrives at the arm's sprocket, 2: it leaves
};

// Places on guide-bars, a few pitches apart.
struct BarPoint {
  float height_m;  // of its surface to the left of the strand's line, for rollers' centres
  float height_per_angle_m;  // by the arm's angle
  etl::array<float, kMaxModes> sine;
};

struct ReducedBar {
  std::uint32_t strand;
  std::uint32_t first_point;
  std::uint32_t points;
  float push;             // +1: it pushes to the left of travel, -1: to the right
  float rollers_a_point;  // that each of its points stands for
  float inverse_spacing_1_m;
  contact::NormalLaw<float> law;
};

// Powers of the arm's angle, lowest first, over +- its range.
inline constexpr std::size_t kArmPowers = 7;
using ArmPolynomial = etl::array<float, kArmPowers>;

struct ReducedArm {
  bool has_hydraulic_unit;
  float range_rad;  // within which all of this is known: the arm stops at its ends
  etl::array<ArmPolynomial, 2> path_m;  // of the arriving and the leaving strand, beyond as drawn
  ArmPolynomial spring_m;               // length beyond as drawn
  ArmPolynomial weight_N_m;             // moment of all weights
  ArmPolynomial axle_x_m, axle_y_m;     // places that are reported
  ArmPolynomial mass_centre_x_m, mass_centre_y_m;
  float spring_stiffness_N_m;
  float spring_drawn_N;  // tension as drawn
  float spring_damping_N_s_m;
  tightener::HydraulicUnit<float> unit;  // its length counted from as drawn
};

// Measured on the full model, evenly spaced in the chain's speed, from standstill to 1.25 times the
// nominal speed: so close that waves which teeth excite at one speed and not at the next (6S90MC-C
// loses twice as much at 55 rpm as at 42) are seen.
inline constexpr std::uint32_t kSpeedNodes = 25;

struct AtSpeed {
  float riding_m;  // chain that rollers further out take, a strand
  float joints;    // losses, as a part of their formulas
  float seats;
  float rubbing;
};

struct ReducedModel {
  std::uint32_t sprockets;
  std::uint32_t links;
  std::uint32_t bars;
  std::uint32_t arm_sprocket;  // or kNoArm
  std::uint32_t loop_turns;    // turns of the crank after which every link is in its place again
  float crank_teeth;
  float pitch_m;
  float inverse_pitch_1_m;
  float link_stiffness_N_m;
  float mass_per_length_kg_m;
  float elongation;        // that the block is made for
  float pitch_strain_1_N;  // 1 / (K P)
  float most_tension_N;
  float most_first_step_N;  // of Newton's steps from slack
  float most_speed_m_s;     // of the chain; beyond it commands are held there
  etl::array<AtSpeed, kSpeedNodes> at_speed;
  float speed_nodes_s_m;
  contact::Friction<float> friction;
  float seat_damping;  // 3(1 - e^2)/4
  etl::array<ReducedSprocket, drive::kMaxSprockets> sprocket;
  etl::array<ReducedStrand, drive::kMaxSprockets> strand;
  etl::array<BarPoint, kAllBarPoints> bar_point;
  etl::array<ReducedBar, drive::kMaxGuideBars> bar;
  float pitches_a_bar_point;
  ReducedArm arm;
  // Accelerations of the driven sprockets' pitch lines and the arm (last) by forces on them, and by
  // the crank's.
  etl::array<etl::array<float, drive::kMaxSprockets>, drive::kMaxSprockets> mobility;
  etl::array<float, drive::kMaxSprockets> follows_crank;
  etl::array<float, drive::kMaxSprockets> on_crank_kg;  // force on the crank by accelerations
  float crank_mass_kg;                                  // of chain, on the crank's pitch line
  ReducedState rest;
};
static_assert(std::is_trivially_copyable_v<ReducedModel>);

}  // namespace taut::reduced_chain
