// What may be set while a twin runs, at the border of two ticks. All else is in its model.
#pragma once

#include <cstdint>
#include <type_traits>

namespace taut::twin {

struct Calibration {
  std::uint32_t tagged_link;      // index of the link with the strain gauge
  std::uint32_t gauge_is_placed;  // 1: it is that link for certain, and the two are compared
  std::uint32_t tagged_roller;    // index of the roller whose force on its tooth is told
  float elongation;               // of the chain by wear, as a part of its length
};
static_assert(std::is_trivially_copyable_v<Calibration>);

}  // namespace taut::twin
