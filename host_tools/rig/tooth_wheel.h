// A tooth wheel on the crank with gaps for its missing teeth, an index mark beside it, and a
// pick-up for each. Gives the moments at which edges pass. Tooth i is at crank angle i 2 pi/N;
// the missing ones are the last, so that the first edge after the gap is at angle zero.
#pragma once

#include <cstdint>
#include <vector>

#include "host_tools/rig/random.h"
#include "host_tools/rig/raw_frame.h"

namespace taut::rig {

struct WheelSpec {
  int teeth = 60;  // places for them: a wheel 60-2 has 58
  int missing = 2;
  double index_angle_rad = 0.05;     // between two teeth
  double pitch_error_sd_rad = 5e-5;  // of each tooth, the same every turn: 0.05 mm at 1 m
  double edge_jitter_sd_s = 1e-6;    // of each edge
  double edge_delay_s = 10e-6;       // of pick-up and filter; at least 6 times the jitter
};

struct PassedEdge {
  double time_ticks;  // since the start
  signal::EdgeKind kind;
};

// The crank during one step: straight between two moments, good to a h^2/8, 1e-9 rad at most.
struct WheelTurn {
  double from_rad;  // [0, 2 pi)
  double to_rad;
  double begin_ticks;
  double length_ticks;
  double tooth_slip_rad;  // so far the wheel lags behind where it was fixed
  double index_slip_rad;
};

class ToothWheel {
 public:
  ToothWheel(const WheelSpec& spec, std::uint64_t seed);

  // Appends the edges that pass. A crank that stands or turns back passes none.
  void turn(const WheelTurn& turn, std::vector<PassedEdge>& passed);

  // Where tooth i really is; missing ones included.
  [[nodiscard]] double tooth_rad(int tooth) const;

 private:
  void pass(double edge_rad, double slip_rad, const WheelTurn& turn, signal::EdgeKind kind,
            std::vector<PassedEdge>& passed);

  WheelSpec spec_;
  double pitch_rad_;
  std::vector<double> error_rad_;
  Random jitter_;
};

}  // namespace taut::rig
