// The constants of a crank observer from its wheel and from figures of noise. Set-up only;
// observer.h observes.
#pragma once

#include "sim_core/crank/edge_track.h"
#include "sim_core/crank/sensor_trial.h"
#include "sim_core/crank/wheel.h"

namespace taut::crank {

struct ObserverSpec {
  WheelSpec wheel{};
  double nominal_speed_rad_s = 8;  // where the gains are to be best

  // What the acceleration sensor is like. The delay is from the crank to the moment at which the
  // sample's age begins: of filter and conversion.
  double acceleration_delay_s = 0;
  double acceleration_noise_rad_s2 = 0.2;  // RMS, from sample to sample anew
  double max_bias_rad_s2 = 1;
  double max_acceleration_rad_s2 = 200;  // beyond it a sample is wrong

  double edge_noise_rad = 0.5e-3;  // RMS: places of teeth, jitter of the pick-up
  double window_pitches = 0.2;     // an edge farther than so from its tooth is none; below 0.5
  double max_speed_rad_s = 40;     // edges faster than so are noise
  double slow_rad_s = 0.5;         // below it edges do not tell ahead from astern and are not used

  // Coasting becomes lost after:
  double coast_s = 0.5;
  double blind_coast_s = 0.1;  // without the acceleration sensor
  double coast_turns = 1;
  double max_turns_without_mark =
      2.25;  // of gap or index; teeth alone do not tell one from another
};

struct ObserverModel {
  Wheel wheel;
  float tick_s;
  float moment_s;         // 1/65536 tick
  float delay_smoothing;  // share of a new sample in the smoothed acceleration
  float memory_s;         // how far back edges have a say: kMemory through the bandwidth
  EdgeTrackModel track;
  TrialModel trial;
  float max_bias_rad_s2;
  float max_acceleration_rad_s2;
  float pitch_rad;
  float gap_pitches;  // from the last tooth to the first: M + 1
  float window_rad;
  float overdue_rad;       // from an edge on: the next must have come, even over the gap
  float index_window_rad;  // beside a gap, the index is to confirm it; 0: there is none
  float gap_ratio_low;     // of an interval to the one before: between these it is the gap
  float gap_ratio_high;
  float shortest_interval_s;
  float max_speed_rad_s;
  float slow_rad_s;
  float coast_s;
  float blind_coast_s;
  float coast_rad;
  float max_rad_without_mark;
  std::uint32_t edges_a_turn;
};

// The spec is the programmer's: what is out of range fails an assertion.
[[nodiscard]] ObserverModel make_observer(const ObserverSpec& spec);

}  // namespace taut::crank
