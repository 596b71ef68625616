// One step of the roller chain in parts, each a call of its own, to see what it costs. Compiled as
// step() is. All parts in order make exactly one step of semi-implicit Euler.
#pragma once

#include <cstdint>

#include "tests/unit/roller_chain/moving.h"

namespace taut::bench {

enum class StepPart : std::uint8_t {
  kKick,
  kDrift,  // of oil and crankshaft as well
  kCentres,
  kLinks,
  kJoints,
  kPulls,
  kPullsAndWeight,
  kTeeth,
  kBars,
  kArm,
  kBearingsAndLoads,
  kSupportsAndUnbalance,
  kNothing,
};

struct NamedPart {
  StepPart part;
  const char* name;
};

inline constexpr NamedPart kStepParts[] = {
    {StepPart::kKick, "kick"},
    {StepPart::kDrift, "drift"},
    {StepPart::kCentres, "centres"},
    {StepPart::kLinks, "links"},
    {StepPart::kJoints, "joints"},
    {StepPart::kPulls, "pulls"},
    {StepPart::kPullsAndWeight, "pulls_and_weight"},
    {StepPart::kTeeth, "teeth"},
    {StepPart::kBars, "bars"},
    {StepPart::kArm, "arm"},
    {StepPart::kBearingsAndLoads, "bearings_and_loads"},
    {StepPart::kSupportsAndUnbalance, "supports_and_unbalance"},
};

// The crank has been advanced.
void run(StepPart part, drive_test::Moving<double, double>& moving);
void run(StepPart part, drive_test::Moving<double, float>& moving);

}  // namespace taut::bench
