// The sum of many numbers in one fixed order: eight partial sums side by side, then in pairs.
// Every target adds in this order, and vector units take eight at a time.
// Not for exactness: rounding grows as with any plain sum, only more slowly.
#pragma once

#include <cstddef>

namespace taut::math {

inline constexpr std::size_t kLanes = 8;

// Room that loops in whole lanes need for so many numbers.
[[nodiscard]] constexpr std::size_t padded(std::size_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

// numbers[count] up to numbers[padded(count)] must be zero.
template <typename Real>
[[nodiscard]] inline Real sum(const Real* numbers, std::size_t count) {
  Real partial[kLanes] = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      partial[lane] += numbers[i + lane];
    }
  }
  return ((partial[0] + partial[4]) + (partial[2] + partial[6])) +
         ((partial[1] + partial[5]) + (partial[3] + partial[7]));
}

// Sets what sum() wants to be zero.
template <typename Real>
inline void pad(Real* numbers, std::size_t count) {
  for (std::size_t i = count; i < padded(count); ++i) {
    numbers[i] = 0;
  }
}

}  // namespace taut::math
