// The sum of many numbers in one fixed order: eight partial sums side by side, then in pairs.
// Every target adds in this order, and vector units take eight at a time.
// Not for exactness: rounding grows as with any plain sum, only more slowly.
#pragma once

#include <cstddef>

namespace taut::math {

inline constexpr std::size_t kLanes = 8;

// A loop over the lanes of a block. gcc would rather write eight copies of a short body than one
// vector instruction.
#if defined(__GNUC__) && !defined(__clang__)
#define TAUT_EACH_LANE(lane) \
  _Pragma("GCC ivdep")       \
      _Pragma("GCC unroll 1") for (std::size_t lane = 0; lane < taut::math::kLanes; ++lane)
#else
#define TAUT_EACH_LANE(lane) for (std::size_t lane = 0; lane < taut::math::kLanes; ++lane)
#endif

// Room that loops in whole lanes need for so many numbers.
[[nodiscard]] constexpr std::size_t padded(std::size_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

// The eight partial sums at once: in one vector unit, or in as many parts as the target needs.
template <typename Real>
struct PartialSums {
  using Lanes [[gnu::vector_size(kLanes * sizeof(Real))]] = Real;
  Lanes partial;

  void add(const Real* numbers) {
    Lanes lanes;
    __builtin_memcpy(&lanes, numbers, sizeof lanes);
    partial += lanes;
  }
  [[nodiscard]] Real total() const {
    // ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)), upper half on lower half.
    const auto four = __builtin_shufflevector(partial, partial, 0, 1, 2, 3) +
                      __builtin_shufflevector(partial, partial, 4, 5, 6, 7);
    const auto two =
        __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
    return two[0] + two[1];
  }
};

// numbers[count] up to numbers[padded(count)] must be zero.
template <typename Real>
[[nodiscard]] inline Real sum(const Real* numbers, std::size_t count) {
  PartialSums<Real> sums{};
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
