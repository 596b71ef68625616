// Why a prediction may not be trusted, and how far it may: reasons and what follows from them. Bits
// are those of signal/prediction.h.
#pragma once

#include <cstdint>

#include "sim_core/crank/observer.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::twin::detail {

inline bool is_bad(const signal::Sample& sample) {
  return sample.quality != signal::Quality::kGood;
}

inline std::uint32_t health_of(crank::Sync sync) {
  switch (sync) {
    case crank::Sync::kSynced:
      return 0;
    case crank::Sync::kCoasting:
      return signal::kCrankCoasting;
    case crank::Sync::kSearching:
    case crank::Sync::kLost:
      break;
  }
  return signal::kCrankNotSynced;
}

// What the observer says of the crank.
inline std::uint32_t health_of(const crank::ObserverState& observer) {
  const crank::EdgeTrouble& trouble = observer.trouble;
  const bool edges_are_bad = trouble.edges_are_bad || trouble.edges_scatter || trouble.index_is_off;
  return health_of(observer.sync) | (observer.blind_ticks > 0 ? signal::kBadAcceleration : 0) |
         (edges_are_bad ? signal::kBadEdges : 0) |
         (trouble.index_is_missing ? signal::kBadIndex : 0);
}

[[nodiscard]] constexpr signal::Trust judge(std::uint32_t health) {
  constexpr std::uint32_t kInvalid = signal::kCrankNotSynced | signal::kFaultyModel;
  // Sensors of the link and the tightener are compared with the prediction, which needs none.
  constexpr std::uint32_t kDegraded =
      signal::kCrankCoasting | signal::kBadAcceleration | signal::kStaleFrame | signal::kEdgesLost |
      signal::kModelOutside | signal::kReduceAgain | signal::kNotSettled | signal::kBadEdges |
      signal::kModelDisagrees | signal::kPlaceLost;
  return (health & kInvalid) != 0    ? signal::Trust::kInvalid
         : (health & kDegraded) != 0 ? signal::Trust::kDegraded
                                     : signal::Trust::kValid;
}

}  // namespace taut::twin::detail
