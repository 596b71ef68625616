#include "sim_core/crank/sensor_trial.h"

#include "sim_core/crank/fading_memory.h"
#include "sim_core/crank/wheel.h"
#include "sim_core/math/clamp.h"
#include "sim_core/math/float_bits.h"

namespace taut::crank {
namespace {

void begin_at(const TrialModel& model, std::uint32_t angle, float speed_rad_s, SensorTrial& trial) {
  trial.angle = angle;
  trial.speed_rad_s = speed_rad_s;
  trial.memory_s = model.memory_s;  // no time to get used to a sensor that is wrong
  trial.calm_edges = 0;
}

}  // namespace

void doubt(const TrialModel& model, const Tracked& by_edges, float bias_rad_s2,
           SensorTrial& trial) {
  trial.is_doubted = true;
  trial.bias_rad_s2 = bias_rad_s2;
  trial.acceleration_rad_s2 = by_edges.acceleration_rad_s2;
  begin_at(model, by_edges.angle, by_edges.speed_rad_s, trial);
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

float correct(const TrialModel& model, const Tracked& edge, float before_end_s, float time_s,
              SensorTrial& trial) {
  const std::uint32_t angle =
      trial.angle - to_turns(before_end_s *
                             (trial.speed_rad_s - 0.5F * before_end_s * trial.acceleration_rad_s2));
  const float error_rad = to_signed_rad(edge.angle - angle);
  if (math::magnitude(error_rad) > model.most_rad) {
    begin_at(model, edge.angle + to_turns(before_end_s * edge.speed_rad_s), edge.speed_rad_s,
             trial);
    return error_rad;
  }
  const Correction by = correction(error_rad, time_s, model.memory_s, trial.memory_s);
  trial.angle += to_turns(by.angle_rad + before_end_s * by.speed_rad_s);
  trial.speed_rad_s = math::clamp(trial.speed_rad_s + by.speed_rad_s, model.max_speed_rad_s);
  const float before_rad_s2 = trial.bias_rad_s2;
  trial.bias_rad_s2 = math::clamp(before_rad_s2 - by.acceleration_rad_s2, model.max_bias_rad_s2);
  trial.acceleration_rad_s2 += before_rad_s2 - trial.bias_rad_s2;
  return error_rad;
}

bool fits(const TrialModel& model, float part, const SensorTrial& trial) {
  const float most_rad2 =
      model.noise_rad * model.noise_rad + kMisfitRatio * trial.track_misfit_rad2;
  return trial.misfit_rad2 < part * most_rad2;
}

void compare_fits(const TrialModel& model, float error_rad, float track_error_rad,
                  SensorTrial& trial) {
  const auto average = [&](float& mean_rad2, float rad) {
    const float within_rad = math::clamp(rad, kFarthest * model.noise_rad);
    mean_rad2 += kMisfitWeight * (within_rad * within_rad - mean_rad2);
  };
  average(trial.misfit_rad2, error_rad);
  average(trial.track_misfit_rad2, track_error_rad);
  trial.calm_edges = fits(model, kBelieved, trial) ? trial.calm_edges + 1 : 0;
}

}  // namespace taut::crank
