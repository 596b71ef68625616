// The sum of many numbers in one fixed order: eight partial sums side by side, then in pairs.
// Every target adds in this order, and vector units take eight at a time.
// Not for exactness: rounding grows as with any plain sum, only more slowly.
#pragma once

#include <cstddef>

#include "sim_core/math/lanes.h"

namespace taut::math {

// The eight partial sums, four and four: as many as the narrower vector units take at once.
template <typename Real>
class PartialSums {
 public:
  void add(const Real* numbers) {
    Half lower;
    Half upper;
    __builtin_memcpy(&lower, numbers, sizeof lower);
    __builtin_memcpy(&upper, numbers + kLanes / 2, sizeof upper);
    lower_ += lower;
    upper_ += upper;
  }
  // ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))
  [[nodiscard]] Real total() const {
    const Half sum = lower_ + upper_;
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }

 private:
  using Half [[gnu::vector_size(kLanes / 2 * sizeof(Real))]] = Real;
  Half lower_{};
  Half upper_{};
};

// numbers[count] up to numbers[padded(count)] must be zero.
template <typename Real>
[[nodiscard]] inline Real sum(const Real* numbers, std::size_t count) {
  PartialSums<Real> sums;
  for (std::size_t i = 0; i < count; i += kLanes) {
    sums.add(numbers + i);
  }
  return sums.total();
}

// Sets what sum() wants to be zero.
template <typename Real>
inline void pad(Real* numbers, std::size_t count) {
  for (std::size_t i = count; i < padded(count); ++i) {
    numbers[i] = 0;
  }
}

}  // namespace taut::math
