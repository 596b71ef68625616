// All that measures on the bench, and what goes wrong with it: from what happened in a tick to the
// frame that leaves. Knows nothing of engine and drive, so that one run of theirs can be measured
// again and again, with other faults; a copy measures on as the original does.
#pragma once

#include <cstdint>
#include <vector>

#include "host_tools/rig/analog_sensor.h"
#include "host_tools/rig/fault_injector.h"
#include "host_tools/rig/raw_frame.h"
#include "host_tools/rig/sensors.h"
#include "host_tools/rig/tooth_wheel.h"

namespace taut::rig {

// One tick, before anybody has measured it.
struct Happening {
  Truth truth;
  std::vector<double> crank_rad;  // at its begin and at the end of each step, [0, 2 pi)
};

class Instruments {
 public:
  // Throws a RigError where the wheel cannot be.
  Instruments(const SensorSpec& spec, std::uint64_t seed);

  // From the next tick on. Throws a RigError that says what is wrong.
  std::size_t inject(const Fault& fault);  // its number, from 0
  void end_fault(std::size_t number);
  void end_faults();

  // Once a tick; the frame stays until the next call.
  const RawFrame& measure(const Happening& happening);

  [[nodiscard]] std::uint64_t ticks() const { return tick_; }  // measured so far

 private:
  void pass_edges(const Happening& happening);
  void close_edges();

  ToothWheel wheel_;
  AnalogSensor crank_acceleration_;
  AnalogSensor link_force_;
  AnalogSensor tightener_acceleration_;
  AnalogSensor tightener_position_;
  FaultInjector faults_;
  std::vector<PassedEdge> passed_;   // in this tick
  std::vector<PassedEdge> pending_;  // not yet in a frame
  std::uint64_t tick_ = 0;
  std::uint32_t edges_lost_ = 0;
  RawFrame frame_;
};

}  // namespace taut::rig
