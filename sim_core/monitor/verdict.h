// Which is wrong where measurements and prediction disagree: most of the sensors, or the model.
#pragma once

#include <cstdint>

#include "sim_core/monitor/witness.h"
#include "sim_core/signal/prediction.h"

namespace taut::monitor {

template <typename T>
struct PerWitness {
  T link_force;
  T tightener_acceleration;
  T tightener_position;
};
using MonitorModel = PerWitness<WitnessModel>;
using MonitorState = PerWitness<WitnessState>;

// Bits of health. A sensor that stands alone is wrong; where there are as many against the model as
// for it, the model may be.
[[nodiscard]] inline std::uint32_t verdict(const MonitorState& state) {
  std::uint32_t against = 0;
  std::uint32_t in_favour = 0;
  std::uint32_t sensors = 0;
  const auto hear = [&](const WitnessState& witness, std::uint32_t sensor) {
    if (has_opinion(witness)) {
      against += witness.disagrees ? 1 : 0;
      in_favour += witness.disagrees ? 0 : 1;
      sensors |= witness.disagrees ? sensor : 0;
    }
  };
  hear(state.link_force, signal::kBadLinkForce);
  hear(state.tightener_acceleration, signal::kBadTightenerAcceleration);
  hear(state.tightener_position, signal::kBadTightenerPosition);
  if (against == 0) {
    return 0;
  }
  return (in_favour >= against ? sensors : 0) |
         (against >= in_favour ? signal::kModelDisagrees : 0);
}

}  // namespace taut::monitor
