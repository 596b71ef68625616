// What is measured beside what was predicted of it: who is believed, and for how long there is
// doubt. None of it enters the prediction.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/monitor/verdict.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::twin {

struct ComparisonState {
  monitor::MonitorState monitor;
  std::uint32_t doubt_ticks;  // for which the model is doubted yet
};
static_assert(std::is_trivially_copyable_v<ComparisonState>);

// Where two responses belong to one motion of the crank, a model on the wrong one agrees now and
// then for a second or two. It is believed again after 5 s without disagreement.
inline constexpr std::uint32_t kDoubtTicks = 10000;
// So long before a prediction can be valid it is compared: by then there is an opinion of it.
inline constexpr std::uint32_t kHearingTicks = monitor::kMean_ticks + monitor::kMostLate_ticks + 1;

// Bits of health. `is_comparable`: the chain follows the crank and has had time to settle.
[[nodiscard]] inline std::uint32_t compare(const monitor::MonitorModel& model,
                                           const signal::SensorFrame& frame,
                                           const signal::Prediction& prediction, bool is_comparable,
                                           bool gauge_is_placed, ComparisonState& state) {
  monitor::MonitorState& heard = state.monitor;
  monitor::watch(model.link_force, prediction.tagged_link_N, is_comparable && gauge_is_placed,
                 frame.link_force_N, heard.link_force);
  monitor::watch(model.tightener_acceleration, prediction.tightener_acceleration_m_s2,
                 is_comparable, frame.tightener_acceleration_m_s2, heard.tightener_acceleration);
  monitor::watch(model.tightener_position, prediction.tightener_position_m, is_comparable,
                 frame.tightener_position_m, heard.tightener_position);
  const std::uint32_t found = monitor::verdict(heard);
  if ((found & signal::kModelDisagrees) != 0) {
    state.doubt_ticks = kDoubtTicks;
  } else if (state.doubt_ticks > 0) {
    --state.doubt_ticks;
  }
  return found | (state.doubt_ticks > 0 ? signal::kModelDisagrees : 0);
}

}  // namespace taut::twin
