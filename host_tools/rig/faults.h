// What can go wrong on the bench: faults of sensors and damage of the drive, when and how much.
// Plain data, with the one table of names, units and allowed sizes.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim_core/drive/drive_spec.h"

namespace taut::rig {

enum class Sensor : std::uint8_t {
  kCrankAcceleration,
  kLinkForce,
  kTightenerAcceleration,
  kTightenerPosition,
  kEdges,
  kIndex,
  kFrame,  // whoever gathers the readings of a tick
};

enum class FaultKind : std::uint8_t {
  kOff,           // no readings, no edges; the value is 0, the sequence number stands
  kStuck,         // the last value again and again; of edges, the last moment within the tick
  kGarbage,       // any value within +-size; of edges, so many false ones a tick
  kOffset,        // size is added; of edges, the wheel or mark has slipped back by so much
  kSlow,          // an offset that grows by size a second
  kDelayed,       // arrives so much later
  kIntermittent,  // so many of the readings or edges do not arrive
  kNan,
  kInf,
  kTimeJump,  // the sequence number, the clock of edges or the frame's tick is off by so much
};

inline constexpr double kForever_s = std::numeric_limits<double>::infinity();

struct Fault {
  Sensor sensor = Sensor::kCrankAcceleration;
  FaultKind kind = FaultKind::kOff;
  double size = 0;
  double at_s = 0;
  double until_s = kForever_s;
};

enum class DamageKind : std::uint8_t {
  kCrackedLink,  // size: what is left of its stiffness
  kWornBar,      // size: worn off its lining, in m
  kWeakDamper,   // size: what is left of the tightener's damping
  kElongation,   // size: of every link, as a part of the pitch
};

// Grows in a straight line and stays; at once where it has no time to.
struct Damage {
  DamageKind kind = DamageKind::kElongation;
  int number = 0;  // of the link or bar, from 1; of others 0
  double size = 0;
  double at_s = 0;
  double until_s = 0;  // not after at_s: at once
};

[[nodiscard]] const std::vector<std::string>& sensor_names();
[[nodiscard]] const std::vector<std::string>& fault_names();
[[nodiscard]] const std::vector<std::string>& damage_names();

// What `size` means for a pair of sensor and kind, or for a damage.
struct SizeRule {
  bool possible = true;  // false: there is no such fault
  bool needed = true;    // false: there is no size
  bool whole = false;
  double lowest = 0;
  double highest = 0;
  std::string unit;
};
[[nodiscard]] SizeRule size_rule(Sensor sensor, FaultKind kind);
[[nodiscard]] SizeRule size_rule(DamageKind kind);

// What is wrong, and with which member: "size", "size = 3: allowed 0 to 1 ...".
struct MemberProblem {
  std::string member;
  std::string text;
  [[nodiscard]] bool empty() const { return text.empty(); }
};
[[nodiscard]] MemberProblem problem_with(const Fault& fault);
[[nodiscard]] MemberProblem problem_with(const Damage& damage, const drive::DriveSpec& drive);

}  // namespace taut::rig
