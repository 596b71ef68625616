// What is wrong with the edges themselves: too many strays or missed ones of late, edges that
// scatter about their teeth, or an index pulse beside the gap that is not where it was. Says so;
// repairs nothing.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/math/clamp.h"
#include "sim_core/math/constants.h"

namespace taut::crank {

// A sixteenth is forgotten with every good edge: one bad in four makes trouble, one in sixteen ends
// it.
inline constexpr float kForgotten = 1.0F / 16;
inline constexpr float kTrouble = 4;
inline constexpr float kNoTrouble = 1;
inline constexpr float kMostTrouble = 16;
// In squares of the teeth's own noise, over half a second: edges that are half as far off again are
// not those of these teeth. The mean of so many is above 1.5 by chance no more.
inline constexpr float kScatterWeight = 1.0F / 32;
inline constexpr float kScattered = 2.25F;
inline constexpr float kNotScattered = 1.5F;
inline constexpr std::uint32_t kIndexOff = 2;
inline constexpr std::uint32_t kMostIndexOff = 4;
// A turn, and what it may be uneven by.
inline constexpr float kIndexOverdue_rad = 1.0625F * math::kTwoPi<float>;

struct EdgeTrouble {
  bool edges_are_bad;  // many strays or missed ones
  bool edges_scatter;  // farther than teeth are out of place, with the acceleration or without
  bool index_is_off;   // it and the gap disagree
  bool index_is_missing;
  float amiss;              // strays and missed ones, of late
  float scatter_rad2;       // mean square of the edges' noise
  std::uint32_t index_off;  // indices elsewhere less those in place, of late
  float index_rad;          // travelled since the last in place
};
static_assert(std::is_trivially_copyable_v<EdgeTrouble>);

inline void add_amiss(float edges, EdgeTrouble& trouble) {
  trouble.amiss = math::clamp(trouble.amiss + edges, kMostTrouble);
}

inline void forget_some(EdgeTrouble& trouble) {
  trouble.amiss -= kForgotten * trouble.amiss;
}

// Mean square of what edges were off by where a filter with this root r expected them. The noise of
// edges before is in it too: together 1 + (1 - r)(19 + 24 r + 16 r^2 + 6 r^3 + r^4)/(1 + r)^5 times
// that of one (Morrison 1969, fading memory, one step ahead), which is 1/r^2 for r above 0.6, where
// 60 teeth pass at more than 20 rpm, and less below.
inline void pass_misfit(float misfit_rad2, float root, float noise_rad, EdgeTrouble& trouble) {
  trouble.scatter_rad2 += kScatterWeight * (root * root * misfit_rad2 - trouble.scatter_rad2);
  const float most = trouble.edges_scatter ? kNotScattered : kScattered;
  trouble.edges_scatter = trouble.scatter_rad2 > most * noise_rad * noise_rad;
}

inline void pass_index(bool in_place, EdgeTrouble& trouble) {
  if (in_place) {
    trouble.index_off -= trouble.index_off > 0 ? 1 : 0;
    trouble.index_rad = 0;
  } else {
    trouble.index_off += trouble.index_off < kMostIndexOff ? 1 : 0;
  }
}

// Once a tick, after its edges.
inline void judge(bool has_index, float travelled_rad, EdgeTrouble& trouble) {
  trouble.index_rad = math::clamp(trouble.index_rad + travelled_rad, 2 * kIndexOverdue_rad);
  const bool is_overdue = trouble.index_rad > kIndexOverdue_rad;
  trouble.index_is_missing = has_index && is_overdue;
  const bool was_bad = trouble.edges_are_bad;
  trouble.edges_are_bad = trouble.amiss > (was_bad ? kNoTrouble : kTrouble);
  // One elsewhere may be noise, unless none came in its place.
  const std::uint32_t off = trouble.index_is_off || is_overdue ? 1 : kIndexOff;
  trouble.index_is_off = trouble.index_off >= off;
}

}  // namespace taut::crank
