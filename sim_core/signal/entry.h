// One row of a table of quantities that leave or enter: what CSV headers, XCP, A2L and the
// live page are made of. A room declares the rows of its own outputs beside their struct.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim_core/signal/sensor_frame.h"

namespace taut::signal {

enum class Type : std::uint8_t { kFloat32, kFloat64, kUint32 };

enum class Repeat : std::uint8_t {
  kOnce,
  kPerSprocket,  // also strands: there are as many
  kPerEdge,      // of the crank's wheel, in a tick
};

struct Entry {
  const char* name;  // with its unit, as the member is called
  const char* unit;
  const char* help;
  Type type;
  Repeat repeat;
  double lowest;  // plausible range; beyond it something is wrong
  double highest;
  std::size_t offset;  // of the member in its struct, in bytes
};

[[nodiscard]] constexpr std::size_t size_of(Type type) {
  return type == Type::kFloat64 ? 8 : 4;
}

[[nodiscard]] constexpr std::size_t times(Repeat repeat, std::size_t sprockets) {
  return repeat == Repeat::kPerSprocket ? sprockets : repeat == Repeat::kPerEdge ? kMaxEdges : 1;
}

}  // namespace taut::signal
