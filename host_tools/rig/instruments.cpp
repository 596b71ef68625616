#include "host_tools/rig/instruments.h"

#include <algorithm>
#include <cmath>

#include "host_tools/rig/rig_error.h"

namespace taut::rig {
namespace {

void check_wheel(const WheelSpec& wheel) {
  constexpr double kFurthest = 6;  // Random::normal() goes no further
  if (wheel.teeth < 4 || wheel.missing < 0 || wheel.missing > wheel.teeth - 2) {
    throw RigError("wheel " + std::to_string(wheel.teeth) + "-" + std::to_string(wheel.missing) +
                   ": allowed 4 teeth and more, of which all but 2 may be missing");
  }
  if (wheel.edge_delay_s < kFurthest * wheel.edge_jitter_sd_s) {
    throw RigError("edge_delay_s = " + std::to_string(wheel.edge_delay_s) +
                   ": allowed from 6 times edge_jitter_sd_s on: no edge comes before it passes");
  }
}

}  // namespace

Instruments::Instruments(const SensorSpec& spec, std::uint64_t seed)
    : wheel_(spec.wheel, seed),
      crank_acceleration_(spec.crank_acceleration_rad_s2, seed, Stream::kCrankAcceleration),
      link_force_(spec.link_force_N, seed, Stream::kLinkForce),
      tightener_acceleration_(spec.tightener_acceleration_m_s2, seed,
                              Stream::kTightenerAcceleration),
      tightener_position_(spec.tightener_position_m, seed, Stream::kTightenerPosition),
      faults_(seed) {
  check_wheel(spec.wheel);
}

std::size_t Instruments::inject(const Fault& fault) {
  if (const MemberProblem problem = problem_with(fault); !problem.empty()) {
    throw RigError("fault of " + sensor_names()[static_cast<std::size_t>(fault.sensor)] + ": " +
                   problem.text);
  }
  return faults_.add(fault);
}

void Instruments::end_fault(std::size_t number) {
  faults_.end(number, tick_);
}

void Instruments::end_faults() {
  faults_.end_all(tick_);
}

void Instruments::pass_edges(const Happening& happening) {
  const double tooth_slip_rad = faults_.slip_rad(Sensor::kEdges, tick_);
  const double index_slip_rad = faults_.slip_rad(Sensor::kIndex, tick_);
  const std::size_t steps = happening.crank_rad.size() - 1;
  const auto in_steps = static_cast<double>(steps);
  passed_.clear();
  for (std::size_t i = 0; i < steps; ++i) {
    wheel_.turn({.from_rad = happening.crank_rad[i],
                 .to_rad = happening.crank_rad[i + 1],
                 .begin_ticks = static_cast<double>(tick_) + static_cast<double>(i) / in_steps,
                 .length_ticks = 1.0 / in_steps,
                 .tooth_slip_rad = tooth_slip_rad,
                 .index_slip_rad = index_slip_rad},
                passed_);
  }
}

// Edges of this tick into the frame; those that come late wait for theirs.
void Instruments::close_edges() {
  constexpr double kMomentsATick = 65536;
  RawFrame& frame = frame_;
  faults_.disturb(tick_, passed_);
  pending_.insert(pending_.end(), passed_.begin(), passed_.end());
  std::stable_sort(pending_.begin(), pending_.end(), [](const PassedEdge& a, const PassedEdge& b) {
    return a.time_ticks < b.time_ticks;
  });
  const auto begin = static_cast<double>(tick_);
  std::size_t taken = 0;
  frame.edges = 0;
  for (; taken < pending_.size() && pending_[taken].time_ticks < begin + 1; ++taken) {
    if (frame.edges == frame.edge.size()) {
      ++edges_lost_;
      continue;
    }
    const double moment = std::floor((pending_[taken].time_ticks - begin) * kMomentsATick);
    frame.edge[frame.edges++] = {
        static_cast<std::uint16_t>(std::clamp(moment, 0.0, kMomentsATick - 1)),
        pending_[taken].kind};
  }
  std::fill(frame.edge.begin() + frame.edges, frame.edge.end(), signal::Edge{});
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(taken));
  frame.edges_lost = edges_lost_;
}

const RawFrame& Instruments::measure(const Happening& happening) {
  const Truth& truth = happening.truth;
  frame_.tick = static_cast<std::uint32_t>(tick_);
  frame_.crank_acceleration_rad_s2 = crank_acceleration_.measure(truth.crank.acceleration_rad_s2);
  frame_.link_force_N = link_force_.measure(static_cast<double>(truth.chain.tagged_link_N));
  frame_.tightener_acceleration_m_s2 =
      tightener_acceleration_.measure(truth.tightener_acceleration_m_s2);
  frame_.tightener_position_m = tightener_position_.measure(truth.tightener_position_m);
  pass_edges(happening);
  close_edges();
  faults_.disturb(tick_, frame_);
  ++tick_;
  return frame_;
}

}  // namespace taut::rig
