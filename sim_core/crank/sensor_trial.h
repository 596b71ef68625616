// Whether the acceleration sensor is that of this crank. A channel sees one that is broken; one
// that is offset, late, slow or stuck within its range is found out by the edges, which fit better
// without it. A change of load does not: then it is the sensor that fits. One that is doubted goes
// on being tried, beside the observer, until it fits again.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim_core/crank/edge_track.h"

namespace taut::crank {

// Errors of edges are averaged over 8 of them, a tenth of a second at nominal speed: less than a
// period of the sixth order. Squares: doubted when twice as large with the sensor as without, and
// believed when below 0.7 of that for half a second.
inline constexpr float kMisfitWeight = 1.0F / 8;
inline constexpr float kMisfitRatio = 4;
inline constexpr float kBelieved = 0.5F;
inline constexpr std::uint32_t kCalm_edges = 40;
// An edge that is farther off, in RMS of the teeth's noise, is as likely a false one.
inline constexpr float kFarthest = 4;

struct TrialModel {
  float noise_rad;  // RMS of what teeth are off by anyway
  float most_rad;
  float max_bias_rad_s2;
  float max_speed_rad_s;
};

struct SensorTrial {
  bool is_doubted;
  float misfit_rad2;         // mean square of errors of edges, with the sensor
  float track_misfit_rad2;   // and by edges alone
  std::uint32_t calm_edges;  // while it is doubted: since it last did not fit
  // The crank with a sensor that is doubted, at the end of the tick.
  std::uint32_t angle;  // in 2^-32 turns
  float speed_rad_s;
  float acceleration_rad_s2;
  float bias_rad_s2;
};
static_assert(std::is_trivially_copyable_v<SensorTrial>);

// From where edges alone are.
void doubt(const Tracked& by_edges, float bias_rad_s2, SensorTrial& trial);

// A tick of a doubted sensor: its acceleration at the end, with its bias.
void advance(const TrialModel& model, float sensor_rad_s2, float time_s, SensorTrial& trial);

// An edge, with the speed by edges alone, while it is doubted. Gives its error. There is no time to
// get used to a sensor that is wrong: gains are settled from the start.
float correct(const TrialModel& model, const PlacedEdge& edge, float speed_rad_s,
              SensorTrial& trial);

// Of the two, which fits the edges? Errors of one edge.
void compare_fits(const TrialModel& model, float error_rad, float track_error_rad,
                  SensorTrial& trial);

[[nodiscard]] inline bool fits(const TrialModel& model, float part, const SensorTrial& trial) {
  const float most_rad2 =
      model.noise_rad * model.noise_rad + kMisfitRatio * trial.track_misfit_rad2;
  return trial.misfit_rad2 < part * most_rad2;
}

[[nodiscard]] inline float least_misfit_rad2(const SensorTrial& trial) {
  return trial.misfit_rad2 < trial.track_misfit_rad2 ? trial.misfit_rad2 : trial.track_misfit_rad2;
}

}  // namespace taut::crank
