// What leaves the twin, tick by tick, with what it says of itself.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/signal/chain_outputs.h"

namespace taut::signal {

// Whether the numbers of a prediction may be used. A word of health holds it in its lowest bits.
enum class Trust : std::uint8_t {
  kValid,
  kDegraded,  // predicted with something missing: a sensor replaced, the crank coasting
  kInvalid,   // numbers are finite and nothing more
};
inline constexpr std::uint32_t kTrustMask = 3;

// Bits of health above the trust: why. In Prediction::latched they stay from the first time on.
inline constexpr std::uint32_t kCrankNotSynced = 1U << 2;  // searching or lost
inline constexpr std::uint32_t kCrankCoasting = 1U << 3;   // edges are missing, for a while
inline constexpr std::uint32_t kBadAcceleration = 1U << 4;
inline constexpr std::uint32_t kBadLinkForce = 1U << 5;
inline constexpr std::uint32_t kBadTightenerAcceleration = 1U << 6;
inline constexpr std::uint32_t kBadTightenerPosition = 1U << 7;
inline constexpr std::uint32_t kStaleFrame = 1U << 8;  // its tick does not follow the last one's
inline constexpr std::uint32_t kEdgesLost = 1U << 9;
inline constexpr std::uint32_t kModelOutside = 1U
                                               << 10;  // the chain left what its model is valid for
inline constexpr std::uint32_t kReduceAgain = 1U << 11;  // wear is too far from that of the block
inline constexpr std::uint32_t kNotSettled = 1U << 12;   // too soon after a start or a new sync
inline constexpr std::uint32_t kFaultyModel = 1U << 13;  // a result was not finite: restarted
inline constexpr std::uint32_t kBadEdges = 1U << 14;  // many amiss, scattered, or index elsewhere
inline constexpr std::uint32_t kBadIndex = 1U << 15;  // it stays away; nothing but a check needs it
inline constexpr std::uint32_t kModelDisagrees = 1U << 16;  // with most of what is measured
inline constexpr std::uint32_t kPlaceLost = 1U << 17;  // which link is where: find the gauge again

[[nodiscard]] constexpr Trust trust_of(std::uint32_t health) {
  const std::uint32_t trust = health & kTrustMask;
  return trust < 2 ? static_cast<Trust>(trust) : Trust::kInvalid;
}

struct Prediction {
  std::uint32_t tick;  // of the frame that it follows from; wraps
  std::uint32_t health;
  std::uint32_t latched;
  float crank_angle_rad;
  float crank_speed_rad_s;
  float crank_acceleration_rad_s2;
  float edges_acceleration_rad_s2;  // of the crank, as its edges alone tell it
  float chain_pitches;  // travel of the chain, [0, links): link 0 is so far from its place as drawn
  float tagged_link_N;
  float tagged_roller_contact_N;
  PerStrand<float> strand_mean_N;
  PerStrand<float> strand_middle_N;
  PerStrand<float> strand_middle_m;
  float arm_angle_rad;
  float arm_speed_rad_s;
  float arm_acceleration_rad_s2;
  float tightener_position_m;  // of the place that its sensors measure, from as drawn
  float tightener_speed_m_s;
  float tightener_acceleration_m_s2;
};
static_assert(std::is_trivially_copyable_v<Prediction>);

}  // namespace taut::signal
