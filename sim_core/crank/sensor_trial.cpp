#include "sim_core/crank/sensor_trial.h"

#include "sim_core/math/clamp.h"
#include "sim_core/math/float_bits.h"

namespace taut::crank {
namespace {

void begin_at(std::uint32_t angle, float speed_rad_s, SensorTrial& trial) {
  trial.angle = angle;
  trial.speed_rad_s = speed_rad_s;
  trial.calm_edges = 0;
}

}  // namespace

void doubt(const Tracked& by_edges, float bias_rad_s2, SensorTrial& trial) {
  trial.is_doubted = true;
  trial.bias_rad_s2 = bias_rad_s2;
  trial.acceleration_rad_s2 = by_edges.acceleration_rad_s2;
  begin_at(by_edges.angle, by_edges.speed_rad_s, trial);
}

void advance(const TrialModel& model, float sensor_rad_s2, float time_s, SensorTrial& trial) {
  const float begin_rad_s2 = trial.acceleration_rad_s2;
  const float end_rad_s2 = sensor_rad_s2 - trial.bias_rad_s2;
  trial.angle += to_turns(
      time_s * (trial.speed_rad_s + time_s * (2 * begin_rad_s2 + end_rad_s2) * (1.0F / 6)));
  trial.speed_rad_s = math::clamp(trial.speed_rad_s + 0.5F * time_s * (begin_rad_s2 + end_rad_s2),
                                  model.max_speed_rad_s);
  trial.acceleration_rad_s2 = end_rad_s2;
}

float correct(const TrialModel& model, const PlacedEdge& edge, float speed_rad_s,
              SensorTrial& trial) {
  const std::uint32_t angle =
      angle_before({trial.angle, trial.speed_rad_s, trial.acceleration_rad_s2}, edge.before_end_s);
  const float error_rad = to_signed_rad(edge.place - angle);
  if (math::magnitude(error_rad) > model.most_rad) {
    begin_at(edge.place + to_turns(edge.before_end_s * speed_rad_s), speed_rad_s, trial);
    return error_rad;
  }
  const Gains& by = edge.settled;
  const float more_rad_s = by.speed * error_rad / edge.time_s;
  trial.angle += to_turns(by.angle * error_rad + edge.before_end_s * more_rad_s);
  trial.speed_rad_s = math::clamp(trial.speed_rad_s + more_rad_s, model.max_speed_rad_s);
  const float before_rad_s2 = trial.bias_rad_s2;
  trial.bias_rad_s2 =
      math::clamp(before_rad_s2 - by.acceleration * error_rad / (edge.time_s * edge.time_s),
                  model.max_bias_rad_s2);
  trial.acceleration_rad_s2 += before_rad_s2 - trial.bias_rad_s2;
  return error_rad;
}

void compare_fits(const TrialModel& model, float error_rad, float track_error_rad,
                  SensorTrial& trial) {
  const auto average = [&](float& mean_rad2, float rad) {
    const float within_rad = math::clamp(rad, kFarthest * model.noise_rad);
    mean_rad2 += kMisfitWeight * (within_rad * within_rad - mean_rad2);
  };
  average(trial.misfit_rad2, error_rad);
  average(trial.track_misfit_rad2, track_error_rad);
}

}  // namespace taut::crank
