// The sensors of the bench and what they get wrong, by default as good ones on such an engine.
#pragma once

#include "host_tools/rig/analog_sensor.h"
#include "host_tools/rig/tooth_wheel.h"
#include "sim_core/drive/drive_spec.h"

namespace taut::rig {

struct SensorSpec {
  WheelSpec wheel;
  AnalogSpec crank_acceleration_rad_s2;
  AnalogSpec link_force_N;
  AnalogSpec tightener_acceleration_m_s2;
  AnalogSpec tightener_position_m;
};

// Ranges after the drive: forces by its breaking load, acceleration by its speed.
[[nodiscard]] SensorSpec sensors_for(const drive::DriveSpec& drive);

// The same ranges, and no errors at all.
[[nodiscard]] SensorSpec ideal(const SensorSpec& sensors);

}  // namespace taut::rig
