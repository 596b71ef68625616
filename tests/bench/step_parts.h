// One step of the roller chain in parts, each a call of its own, to see what it costs. Compiled as
// step() is. All parts in order make exactly one step of semi-implicit Euler.
#pragma once

#include <cstdint>

#include "tests/unit/roller_chain/moving.h"

namespace taut::bench {

enum class StepPart : std::uint8_t {
  kKick,
  kDrift,  // and the crankshaft
  kLinks,
  kLinkTensions,
  kJointDamping,
  kGravity,
  kTeeth,
  kBars,
  kArm,
  kBearingsAndLoads,
  kNothing,
};

struct NamedPart {
  StepPart part;
  const char* name;
};

inline constexpr NamedPart kStepParts[] = {
    {StepPart::kKick, "kick"},
    {StepPart::kDrift, "drift"},
    {StepPart::kLinks, "links"},
    {StepPart::kLinkTensions, "link_tensions"},
    {StepPart::kJointDamping, "joint_damping"},
    {StepPart::kGravity, "gravity"},
    {StepPart::kTeeth, "teeth"},
    {StepPart::kBars, "bars"},
    {StepPart::kArm, "arm"},
    {StepPart::kBearingsAndLoads, "bearings_and_loads"},
};

// The crank has been advanced.
void run(StepPart part, drive_test::Moving<double, double>& moving);
void run(StepPart part, drive_test::Moving<double, float>& moving);

}  // namespace taut::bench
