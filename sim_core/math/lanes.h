// Loops that vector units take eight elements at a time, whatever their width; elsewhere they are
// plain loops. All are elementwise: no element needs another's result.
#pragma once

#include <cstddef>

namespace taut::math {

inline constexpr std::size_t kLanes = 8;

// Room that loops in whole lanes need for so many numbers.
[[nodiscard]] constexpr std::size_t padded(std::size_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

}  // namespace taut::math

// Before a loop over arrays that do not overlap, which gcc cannot see for itself.
#if defined(__GNUC__) && !defined(__clang__)
#define TAUT_VECTOR_LOOP _Pragma("GCC ivdep")
#else
#define TAUT_VECTOR_LOOP
#endif

// A loop over the lanes of a block. gcc would rather write eight copies of a short body than one
// vector instruction.
// NOLINTBEGIN(bugprone-macro-parentheses): the name of a variable
#if defined(__GNUC__) && !defined(__clang__)
#define TAUT_EACH_LANE(lane) \
  _Pragma("GCC ivdep")       \
      _Pragma("GCC unroll 1") for (std::size_t lane = 0; lane < taut::math::kLanes; ++lane)
#else
#define TAUT_EACH_LANE(lane) for (std::size_t lane = 0; lane < taut::math::kLanes; ++lane)
#endif
// NOLINTEND(bugprone-macro-parentheses)

namespace taut::math {

// visit(i) from `begin` on in whole lanes, so that there is no tail to do one by one. The last may
// lie behind `end`: arrays must have a lane more than they have numbers, and what is computed
// there is of no use.
template <typename Visit>
inline void for_whole_lanes(std::size_t begin, std::size_t end, Visit visit) {
  for (std::size_t first = begin; first < end; first += kLanes) {
    TAUT_EACH_LANE(lane) {
      visit(first + lane);
    }
  }
}

}  // namespace taut::math
