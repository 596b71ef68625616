#include "host_tools/rig/tooth_wheel.h"

#include <algorithm>
#include <cmath>

#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::rig {
namespace {

constexpr double kTurn_rad = math::kTwoPi<double>;

// [0, 2 pi)
double in_turn(double angle_rad) {
  const double rest_rad = angle_rad - kTurn_rad * std::floor(angle_rad / kTurn_rad);
  return rest_rad < kTurn_rad ? rest_rad : 0;
}

}  // namespace

ToothWheel::ToothWheel(const WheelSpec& spec, std::uint64_t seed)
    : spec_(spec), pitch_rad_(kTurn_rad / spec.teeth), jitter_(seed, Stream::kEdges) {
  Random random(seed, Stream::kWheel);
  // Beyond a tenth of the pitch it would be another wheel.
  const double most_rad = pitch_rad_ / 10;
  for (int i = 0; i < spec.teeth; ++i) {
    error_rad_.push_back(
        std::clamp(spec.pitch_error_sd_rad * random.normal(), -most_rad, most_rad));
  }
}

double ToothWheel::tooth_rad(int tooth) const {
  return tooth * pitch_rad_ + error_rad_[static_cast<std::size_t>(tooth)];
}

void ToothWheel::pass(double edge_rad, double slip_rad, const WheelTurn& turn,
                      signal::EdgeKind kind, std::vector<PassedEdge>& passed) {
  // Angles are compared, not differences: a step ends at the very number that the next begins
  // with, so that no edge falls between them.
  const double from_rad = in_turn(turn.from_rad - slip_rad);
  const double to_rad = in_turn(turn.to_rad - slip_rad);
  const double at_rad = in_turn(edge_rad);
  const bool passes = from_rad <= to_rad ? from_rad <= at_rad && at_rad < to_rad
                                         : from_rad <= at_rad || at_rad < to_rad;
  if (!passes) {
    return;
  }
  const double part = in_turn(at_rad - from_rad) / in_turn(to_rad - from_rad);
  const double late_s = spec_.edge_delay_s + spec_.edge_jitter_sd_s * jitter_.normal();
  passed.push_back(
      {turn.begin_ticks + turn.length_ticks * part + late_s / roller_chain::kTick_s, kind});
}

void ToothWheel::turn(const WheelTurn& turn, std::vector<PassedEdge>& passed) {
  double moved_rad = turn.to_rad - turn.from_rad;
  moved_rad += moved_rad < -math::kPi<double> ? kTurn_rad : 0;
  if (!(moved_rad > 0) || moved_rad > math::kPi<double>) {  // stands, or back over zero
    return;
  }
  const double from_rad = in_turn(turn.from_rad - turn.tooth_slip_rad);
  const int first = static_cast<int>(from_rad / pitch_rad_);
  const int last = static_cast<int>((from_rad + moved_rad) / pitch_rad_) + 1;
  for (int i = first; i <= last; ++i) {  // its error may bring a tooth before its place or behind
    const int tooth = i % spec_.teeth;
    if (tooth < spec_.teeth - spec_.missing) {
      pass(tooth_rad(tooth), turn.tooth_slip_rad, turn, signal::EdgeKind::kTooth, passed);
    }
  }
  pass(spec_.index_angle_rad, turn.index_slip_rad, turn, signal::EdgeKind::kIndex, passed);
}

}  // namespace taut::rig
