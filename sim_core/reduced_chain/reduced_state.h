// What changes while a reduced chain runs. ReducedState is the whole of it: saved, restored and
// stepped on, it gives the same bits. ReducedScratch may be thrown away after a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/tightener/hydraulic_unit.h"

namespace taut::reduced_chain {

template <typename T>
using PerSprocket = etl::array<T, drive::kMaxSprockets>;

inline constexpr std::uint32_t kNoArm = drive::kMaxSprockets;
inline constexpr std::size_t kAllModes = 48;
inline constexpr std::size_t kAllBarPoints = 64;

// Why a prediction may not be trusted: bits of health, of the last step.
inline constexpr std::uint32_t kSlack = 1U << 0;        // a strand bears nothing
inline constexpr std::uint32_t kBeyondHold = 1U << 1;   // the chain would jump teeth
inline constexpr std::uint32_t kBeyondTable = 1U << 2;  // a pull larger than the tables know
inline constexpr std::uint32_t kArmAtEnd = 1U << 3;     // the arm's geometry ends there
inline constexpr std::uint32_t kReduceAgain = 1U << 4;  // wear is too far from that of the block
inline constexpr std::uint32_t kBadCommand = 1U << 5;   // no number, or too fast: bridged
inline constexpr std::uint32_t kOutOfRange = 1U << 6;   // a strand or a sprocket was held back

struct ReducedState {
  // of sprockets, the crank's unused
  PerSprocket<float> ahead_m;  // of the crank's pitch line, beyond as placed
  PerSprocket<float> ahead_m_s;
  // of the arm
  float arm_angle_rad;  // from as drawn, counter-clockwise
  float arm_speed_rad_s;
  tightener::HydraulicState<float> unit;
  // of strands, one after the other
  etl::array<float, kAllModes> mode_m;  // to the left of travel
  etl::array<float, kAllModes> mode_m_s;
  PerSprocket<float> wave_m;     // excess length by waves from the teeth
  PerSprocket<float> tension_N;  // elastic, without weight: Newton starts here
  // of bars
  etl::array<float, kAllBarPoints> bar_m;                          // where the chain was
  etl::array<float, kAllBarPoints> inverse_first_touch_speed_s_m;  // 0: does not touch
  // of the crank
  float chain_m_s;
  float crank_angle_rad;
  std::uint32_t turns;         // of the crank, modulo ReducedModel::loop_turns
  float elongation;            // of the chain by wear; may be set while it runs
  std::uint32_t health;        // bits as above
  std::uint32_t bad_commands;  // counted
  std::uint64_t steps;
};
static_assert(std::is_trivially_copyable_v<ReducedState>);

// Where the pulls on a wrap lie in its table (wrap_look.h).
struct WrapPlace {
  float tight_N, slack_N;                // inside the table
  float beyond_tight_N, beyond_slack_N;  // what is outside
  float root, fourth_root;               // of the tight pull
  float z;                               // root of slack over tight
  std::uint32_t pull_node, ratio_node;
  float pull_part, ratio_part;  // from that node to the next
  bool leaving_is_tight;
};

// One wrap at one moment: gives at both ends and their slopes by both pulls.
struct WrapLook {
  float leaving_m, arriving_m;
  float leaving_by_leaving_m_N, leaving_by_arriving_m_N;  // the latter serves both ways
  float arriving_by_arriving_m_N;
};

// Flexibility of all strands together, as factors L D L^T (tensions.cpp).
struct StrandFactors {
  PerSprocket<float> inverse_N_m;  // of D
  PerSprocket<float> to_next;      // of L: from each strand to the next one, and to the last one
  PerSprocket<float> to_last;
};

struct ReducedScratch {
  float travel_pitches;  // of the chain since crank angle zero, [0, links)
  float pitch_strain;    // of links on sprockets: wear and centrifugal force
  PerSprocket<WrapPlace> place;
  PerSprocket<WrapLook> wrap;
  StrandFactors factors;
  PerSprocket<float> stretch_m;  // of each strand's chain and its two wrap ends
  PerSprocket<float> stretch_m_s;
  PerSprocket<float> elastic_rate_N_s;
  PerSprocket<float> stiffness_N_m;      // of each strand, all others held in tension
  PerSprocket<float> lightness_1_kg;     // how easily it changes its stretch
  PerSprocket<float> total_N;            // elastic, damping and friction, without weight
  PerSprocket<float> bar_drag_N;         // of friction on bars, against travel
  PerSprocket<float> rubbing_drag_N;     // of rollers that slide on teeth, against travel
  PerSprocket<float> joint_drag_N;       // of joints, against travel
  PerSprocket<float> seat_drag_N;        // of rollers that are pressed into teeth and let go
  PerSprocket<float> drag_N;             // of losses at each sprocket, against travel
  PerSprocket<float> acceleration_m_s2;  // of pitch lines, the arm's last
  float crank_m_s2;
  float spring_N;                                // between arm and ground
  PerSprocket<float> leaving_N, arriving_N;      // pulls that the seats feel
  etl::array<float, kAllBarPoints + 2> depth_m;  // of the chain in one bar, a place more each way
  etl::array<float, kAllBarPoints> push_N;       // of bars on the chain, to the left of travel
};

}  // namespace taut::reduced_chain
