#include "host_tools/rig/faults.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "host_tools/rig/plant_parameters.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::rig {
namespace {

constexpr double kLongestRun_s = 1e6;
constexpr double kMostValue = 1e9;
constexpr double kMostDelay_s = 1;
constexpr double kMostJump = 1e6;
constexpr double kMostFalseEdges = 8;

constexpr std::array<const char*, 7> kUnits{"rad/s^2", "N", "m/s^2", "m", "rad", "rad", ""};

bool is_edge(Sensor sensor) {
  return sensor == Sensor::kEdges || sensor == Sensor::kIndex;
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

MemberProblem wrong(const std::string& member, double value, const std::string& why) {
  return {member, member + " = " + number(value) + ": " + why};
}

std::string allowed(const SizeRule& rule) {
  return "allowed " + number(rule.lowest) + " to " + number(rule.highest) +
         (rule.unit.empty() ? "" : " " + rule.unit) + (rule.whole ? ", whole numbers" : "");
}

MemberProblem problem_with_size(double size, const SizeRule& rule) {
  const bool good =
      size >= rule.lowest && size <= rule.highest && (!rule.whole || size == std::floor(size));
  return !rule.needed || good ? MemberProblem{} : wrong("size", size, allowed(rule));
}

MemberProblem problem_with_begin(double at_s) {
  return at_s >= 0 && at_s <= kLongestRun_s
             ? MemberProblem{}
             : wrong("at_s", at_s, "allowed 0 to " + number(kLongestRun_s) + " s");
}

MemberProblem problem_with_end(double until_s) {
  return until_s >= 0 && until_s <= kLongestRun_s
             ? MemberProblem{}
             : wrong("until_s", until_s, "allowed 0 to " + number(kLongestRun_s) + " s");
}

MemberProblem problem_with_number(const Damage& damage, const drive::DriveSpec& drive) {
  const bool link = damage.kind == DamageKind::kCrackedLink;
  if (!link && damage.kind != DamageKind::kWornBar) {
    return {};
  }
  const int most = link ? drive.chain.links : static_cast<int>(drive.guide_bars.size());
  if (most == 0) {
    return wrong("number", damage.number, "the drive has no guide-bar");
  }
  if (damage.number < 1 || damage.number > most) {
    return wrong("number", damage.number,
                 "allowed 1 to " + std::to_string(most) + (link ? ", links" : ", guide-bars"));
  }
  if (link && !has_room_for(drive, damage.number)) {
    return wrong("number", damage.number,
                 "the drive lists " + std::to_string(drive::kMaxSpecialLinks) +
                     " links already, no more have a place; crack one of those");
  }
  return {};
}

}  // namespace

const std::vector<std::string>& sensor_names() {
  static const std::vector<std::string> kNames{"crank_acceleration",
                                               "link_force",
                                               "tightener_acceleration",
                                               "tightener_position",
                                               "edges",
                                               "index",
                                               "frame"};
  return kNames;
}

const std::vector<std::string>& fault_names() {
  static const std::vector<std::string> kNames{"off",  "stuck",    "garbage",      "offset",
                                               "slow", "delayed",  "intermittent", "nan",
                                               "inf",  "time_jump"};
  return kNames;
}

const std::vector<std::string>& damage_names() {
  static const std::vector<std::string> kNames{"cracked_link", "worn_bar", "weak_damper",
                                               "elongation"};
  return kNames;
}

SizeRule size_rule(Sensor sensor, FaultKind kind) {
  constexpr double kTick_s = roller_chain::kTick_s;
  const std::string unit = kUnits[static_cast<std::size_t>(sensor)];
  const bool edge = is_edge(sensor);
  SizeRule rule;
  rule.possible = sensor == Sensor::kFrame
                      ? kind == FaultKind::kTimeJump
                      : !edge || (kind != FaultKind::kNan && kind != FaultKind::kInf);
  switch (kind) {
    case FaultKind::kOff:
    case FaultKind::kStuck:
    case FaultKind::kNan:
    case FaultKind::kInf:
      rule.needed = false;
      break;
    case FaultKind::kGarbage:
      rule.highest = edge ? kMostFalseEdges : kMostValue;
      rule.unit = edge ? "false edges a tick, on average" : unit + ", to either side";
      break;
    case FaultKind::kOffset:
    case FaultKind::kSlow:
      rule.lowest = edge ? -1 : -kMostValue;
      rule.highest = -rule.lowest;
      rule.unit = kind == FaultKind::kSlow ? unit + " a second" : unit;
      break;
    case FaultKind::kDelayed:
      rule.lowest = kTick_s;
      rule.highest = kMostDelay_s;
      rule.unit = "s";
      break;
    case FaultKind::kIntermittent:
      rule.highest = 1;
      rule.unit = "as the part that is lost";
      break;
    case FaultKind::kTimeJump:
      rule.whole = !edge;
      rule.lowest = edge ? -kTick_s : -kMostJump;
      rule.highest = -rule.lowest;
      rule.unit = edge ? "s" : sensor == Sensor::kFrame ? "ticks" : "counts";
      break;
  }
  return rule;
}

SizeRule size_rule(DamageKind kind) {
  constexpr double kLeastLeft = 0.01;  // of a link: as drives allow it
  switch (kind) {
    case DamageKind::kCrackedLink:
      return {.lowest = kLeastLeft, .highest = 1, .unit = "of its stiffness"};
    case DamageKind::kWornBar:
      return {.lowest = 0, .highest = 0.1, .unit = "m"};
    case DamageKind::kWeakDamper:
      return {.lowest = 0, .highest = 1, .unit = "of its damping"};
    case DamageKind::kElongation:
      return {.lowest = 0, .highest = 0.03, .unit = "of the pitch"};
  }
  return {};
}

MemberProblem problem_with(const Fault& fault) {
  const SizeRule rule = size_rule(fault.sensor, fault.kind);
  if (!rule.possible) {
    return {"kind", "kind = \"" + fault_names()[static_cast<std::size_t>(fault.kind)] + "\": " +
                        (fault.sensor == Sensor::kFrame
                             ? "a frame knows time_jump only"
                             : "a moment is a whole number; use garbage or time_jump")};
  }
  if (MemberProblem begin = problem_with_begin(fault.at_s); !begin.empty()) {
    return begin;
  }
  if (!(fault.until_s > fault.at_s)) {
    return wrong("until_s", fault.until_s, "allowed above at_s, " + number(fault.at_s) + " s");
  }
  return problem_with_size(fault.size, rule);
}

MemberProblem problem_with(const Damage& damage, const drive::DriveSpec& drive) {
  if (MemberProblem begin = problem_with_begin(damage.at_s); !begin.empty()) {
    return begin;
  }
  if (MemberProblem end = problem_with_end(damage.until_s); !end.empty()) {
    return end;
  }
  if (damage.kind == DamageKind::kWeakDamper && !drive::has_arm(drive.tightener.kind)) {
    return {"kind", "kind = \"weak_damper\": the tightener of this drive does not move"};
  }
  if (MemberProblem which = problem_with_number(damage, drive); !which.empty()) {
    return which;
  }
  if (MemberProblem size = problem_with_size(damage.size, size_rule(damage.kind)); !size.empty()) {
    return size;
  }
  const std::string broken = problem_with(damaged(drive, damage, 1));
  return broken.empty() ? MemberProblem{}
                        : wrong("size", damage.size, "makes of the drive " + broken);
}

}  // namespace taut::rig
