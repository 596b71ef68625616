#include "host_tools/rig/sensors.h"

namespace taut::rig {
namespace {

constexpr double kSteps = 32768;  // of a signed converter of 16 bits

AnalogSpec without_errors(const AnalogSpec& sensor) {
  return {.full_scale = sensor.full_scale};
}

double breaking_load_N(const drive::ChainSpec& chain) {
  // Where it is not known: as 6S90MC-C has it, K P/122.
  return chain.breaking_load_N > 0 ? chain.breaking_load_N
                                   : chain.link_stiffness_N_m * chain.pitch_m / 122;
}

}  // namespace

// On 6S90MC-C: acceleration to 50 rad/s^2, noise 0.05; link force to 2 MN, noise 200 N, zero
// within 500 N. Orders of magnitude of data sheets, no one make.
SensorSpec sensors_for(const drive::DriveSpec& drive) {
  const double speed = drive.crank.speed_rpm / 76;
  const double acceleration_rad_s2 = 50 * speed * speed;
  const double force_N = breaking_load_N(drive.chain);
  SensorSpec sensors;
  // Two accelerometers opposite each other on the crank's end; an anti-alias filter delays.
  sensors.crank_acceleration_rad_s2 = {.full_scale = acceleration_rad_s2,
                                       .quantum = acceleration_rad_s2 / kSteps,
                                       .noise_sd = 1e-3 * acceleration_rad_s2,
                                       .zero_error = 1e-3 * acceleration_rad_s2,
                                       .gain_error = 0.01,
                                       .drift_sd_1_s = 1e-4 * acceleration_rad_s2,
                                       .dropout = 0,
                                       .delay_ticks = 1};
  // Strain gauges on a link that travels with the chain; telemetry is late and loses packets.
  sensors.link_force_N = {.full_scale = force_N,
                          .quantum = force_N / kSteps,
                          .noise_sd = 1e-4 * force_N,
                          .zero_error = 2.5e-4 * force_N,
                          .gain_error = 0.01,
                          .drift_sd_1_s = 0,
                          .dropout = 0.002,
                          .delay_ticks = 8};
  sensors.tightener_acceleration_m_s2 = {.full_scale = 50,
                                         .quantum = 50 / kSteps,
                                         .noise_sd = 0.02,
                                         .zero_error = 0.05,
                                         .gain_error = 0.01,
                                         .drift_sd_1_s = 0,
                                         .dropout = 0,
                                         .delay_ticks = 1};
  sensors.tightener_position_m = {.full_scale = 0.05,
                                  .quantum = 0.05 / kSteps,
                                  .noise_sd = 2e-6,
                                  .zero_error = 20e-6,
                                  .gain_error = 0.002,
                                  .drift_sd_1_s = 0,
                                  .dropout = 0,
                                  .delay_ticks = 1};
  return sensors;
}

SensorSpec ideal(const SensorSpec& sensors) {
  SensorSpec exact = sensors;
  exact.wheel.pitch_error_sd_rad = 0;
  exact.wheel.edge_jitter_sd_s = 0;
  exact.wheel.edge_delay_s = 0;
  exact.crank_acceleration_rad_s2 = without_errors(sensors.crank_acceleration_rad_s2);
  exact.link_force_N = without_errors(sensors.link_force_N);
  exact.tightener_acceleration_m_s2 = without_errors(sensors.tightener_acceleration_m_s2);
  exact.tightener_position_m = without_errors(sensors.tightener_position_m);
  return exact;
}

}  // namespace taut::rig
