// All channels of a sensor frame, conditioned together.
#pragma once

#include <type_traits>

#include "hal/channel.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::hal {

template <typename T>
struct PerChannel {
  T crank_acceleration;      // rad/s^2
  T link_force;              // N
  T tightener_acceleration;  // m/s^2
  T tightener_position;      // m
};

using RawReadings = PerChannel<RawReading>;
using ChannelModels = PerChannel<ChannelModel>;
using ChannelStates = PerChannel<ChannelState>;
static_assert(std::is_trivially_copyable_v<ChannelStates>);

inline void init(ChannelStates& states) {
  init(states.crank_acceleration);
  init(states.link_force);
  init(states.tightener_acceleration);
  init(states.tightener_position);
}

// Once a tick; does not block. Writes the samples of the frame and nothing else. `expected` is the
// prediction for this tick, or that of the tick before; of the crank what edges alone tell.
inline void condition(const ChannelModels& models, ChannelStates& states,
                      const RawReadings& readings, const signal::Prediction& expected,
                      signal::SensorFrame& frame) {
  frame.crank_acceleration_rad_s2 =
      condition(models.crank_acceleration, states.crank_acceleration, readings.crank_acceleration,
                expected.edges_acceleration_rad_s2);
  frame.link_force_N =
      condition(models.link_force, states.link_force, readings.link_force, expected.tagged_link_N);
  frame.tightener_acceleration_m_s2 =
      condition(models.tightener_acceleration, states.tightener_acceleration,
                readings.tightener_acceleration, expected.tightener_acceleration_m_s2);
  frame.tightener_position_m =
      condition(models.tightener_position, states.tightener_position, readings.tightener_position,
                expected.tightener_position_m);
}

}  // namespace taut::hal
