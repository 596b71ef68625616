// Files that tell the rig what to do: faults and damages over time, and torque orders of its
// engine. Every problem is told with its line.
#pragma once

#include <string>
#include <vector>

#include "host_tools/rig/engine.h"
#include "host_tools/rig/faults.h"
#include "sim_core/drive/drive_spec.h"

namespace taut::tool {

struct RigSchedule {
  std::vector<rig::Fault> faults;
  std::vector<rig::Damage> damages;
};

// [[fault]]: sensor, kind, at_s; size where the kind has one; until_s (else to the end).
// [[damage]]: kind, at_s, size; number of link or bar; until_s (else at once), till when it grows.
// Throws a Failure (kWrongUse).
[[nodiscard]] RigSchedule read_rig_schedule(const std::string& file, const drive::DriveSpec& drive);

// [[order]]: order, amplitude_N_m, and phase_rad where it is not 0. Throws a Failure (kWrongUse).
[[nodiscard]] std::vector<rig::TorqueOrder> read_torque_orders(const std::string& file);

}  // namespace taut::tool
