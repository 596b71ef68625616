// What is wrong with the edges themselves: too many strays or missed ones of late, or an index
// pulse beside the gap that is not where it was. Says so; repairs nothing.
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
inline constexpr std::uint32_t kIndexOff = 2;
inline constexpr std::uint32_t kMostIndexOff = 4;
inline constexpr float kIndexOverdue_rad = 1.5F * math::kTwoPi<float>;

struct EdgeTrouble {
  bool edges_are_bad;  // many strays or missed ones
  bool index_is_off;   // it and the gap disagree
  bool index_is_missing;
  float amiss;              // strays and missed ones, of late
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

inline void pass_index(bool in_place, EdgeTrouble& trouble) {
  if (in_place) {
    trouble.index_off -= trouble.index_off > 0 ? 1 : 0;
    trouble.index_rad = 0;
  } else {
    trouble.index_off += trouble.index_off < kMostIndexOff ? 1 : 0;
  }
}

inline void forget_index(EdgeTrouble& trouble) {
  trouble.index_off = 0;
  trouble.index_rad = 0;
}

// Once a tick, after its edges.
inline void judge(bool has_index, float travelled_rad, EdgeTrouble& trouble) {
  trouble.index_rad = math::clamp(trouble.index_rad + travelled_rad, 2 * kIndexOverdue_rad);
  trouble.index_is_missing = has_index && trouble.index_rad > kIndexOverdue_rad;
  const bool was_bad = trouble.edges_are_bad;
  trouble.edges_are_bad = trouble.amiss > (was_bad ? kNoTrouble : kTrouble);
  trouble.index_is_off = trouble.index_off >= (trouble.index_is_off ? 1 : kIndexOff);
}

}  // namespace taut::crank
