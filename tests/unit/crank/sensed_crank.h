// A synthetic crank with a toothed wheel and an acceleration sensor, and the observer behind them,
// for tests: a frame a tick, the truth beside it. Bits are the same everywhere.
#pragma once

#include <cstdint>

#include <etl/array.h>

#include "sim_core/crank/observer.h"
#include "sim_core/crank/synthetic.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/round.h"
#include "sim_core/math/sqrt.h"

namespace taut::crank_test {

inline constexpr double kTick_s = 0.5e-3;
inline constexpr double kTurn_rad = math::kTwoPi<double>;
inline constexpr std::uint32_t kMaxDelay_ticks = 64;

struct SensorSpec {
  double noise_rad_s2 = 0;  // RMS, every tick
  double bias_rad_s2 = 0;
  double drift_rad_s3 = 0;    // of the bias
  double quantum_rad_s2 = 0;  // 0: none
  std::uint32_t delay_ticks = 0;
  double place_rad = 0;  // RMS: places of teeth, each its own
};

// Of angle and speed, where the observer says that it knows its place.
struct Errors {
  std::uint32_t ticks;
  double worst_rad;
  double worst_rad_s;
  double squares_rad2;
  double squares_rad2_s2;
};

// Sum of four, of mean 0 and variance 1: near enough to a normal one.
inline double noise(std::uint32_t& seed) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    seed = seed * 1664525U + 1013904223U;  // Numerical Recipes, 7.1
    sum += static_cast<double>(seed >> 8) * 0x1p-24 - 0.5;
  }
  constexpr double kRootOf3 = 1.7320508075688772;
  return sum * kRootOf3;
}

inline double angle_between_rad(double a_rad, double b_rad) {
  const double turns = (a_rad - b_rad) / kTurn_rad;
  return kTurn_rad * (turns - math::round(turns));
}

struct SensedCrank {
  crank::SyntheticModel<double, math::kMinSplineSamples> crank_model;
  crank::SyntheticState<double> crank;
  crank::WheelSpec wheel;
  SensorSpec sensor;
  double turned_rad;  // from the start, not wrapped
  double drifted_rad_s2;
  std::uint32_t seed;
  etl::array<double, kMaxDelay_ticks> past_rad_s2;

  signal::SensorFrame frame;
  crank::ObserverModel model;
  crank::ObserverState observer;
  Errors errors;
};

inline void start(SensedCrank& sensed, crank::SyntheticSpec motion,
                  const crank::ObserverSpec& observer, const SensorSpec& sensor) {
  motion.step_s = kTick_s;
  sensed = {};
  crank::make_synthetic(motion, sensed.crank_model);
  crank::init(sensed.crank_model, sensed.crank);
  sensed.wheel = observer.wheel;
  sensed.sensor = sensor;
  sensed.seed = 1;
  sensed.past_rad_s2.fill(sensed.crank.motion.acceleration_rad_s2);
  sensed.model = crank::make_observer(observer);
  crank::init(sensed.observer);
}

namespace detail {

// Of the crank within the last tick, by angle, speed and accelerations at its ends.
struct Path {
  double from_rad;
  double speed_rad_s;
  double from_rad_s2;
  double to_rad_s2;
};

inline double angle_rad(const Path& path, double time_s) {
  const double jerk_rad_s3 = (path.to_rad_s2 - path.from_rad_s2) / kTick_s;
  return path.from_rad +
         time_s * (path.speed_rad_s + time_s * (path.from_rad_s2 / 2 + time_s * jerk_rad_s3 / 6));
}

inline std::uint16_t moment_of(const Path& path, double place_rad, bool ahead) {
  std::uint32_t early = 0;
  std::uint32_t late = crank::kMomentsATick;
  while (late - early > 1) {
    const std::uint32_t middle = (early + late) / 2;
    const bool passed =
        (angle_rad(path, middle * kTick_s / crank::kMomentsATick) >= place_rad) == ahead;
    (passed ? late : early) = middle;
  }
  return static_cast<std::uint16_t>(early);
}

// In order of time.
inline void add_edge(signal::SensorFrame& frame, signal::Edge edge) {
  if (frame.edges == signal::kMaxEdges) {
    ++frame.edges_lost;
    return;
  }
  std::uint32_t i = frame.edges++;
  for (; i > 0 && frame.edge[i - 1U].moment > edge.moment; --i) {
    frame.edge[i] = frame.edge[i - 1U];
  }
  frame.edge[i] = edge;
}

// Edges of `pitches` places round the wheel but the last `missing`, the first at first_rad.
inline void add_edges(SensedCrank& sensed, const Path& path, std::uint32_t pitches,
                      std::uint32_t missing, double first_rad, signal::EdgeKind kind) {
  const double pitch_rad = kTurn_rad / pitches;
  const bool ahead = sensed.turned_rad >= path.from_rad;
  const double low_rad = ahead ? path.from_rad : sensed.turned_rad;
  const double high_rad = ahead ? sensed.turned_rad : path.from_rad;
  // No place is farther off than 3.5 RMS; a little more, so that rounding loses none.
  const double astray_rad = 4 * sensed.sensor.place_rad + 1e-9;
  const auto nearest = [&](double angle_rad) {
    return static_cast<std::int64_t>(math::round((angle_rad - first_rad) / pitch_rad));
  };
  const std::int64_t first = nearest(low_rad - astray_rad + 0.5 * pitch_rad);
  const std::int64_t last = nearest(high_rad + astray_rad - 0.5 * pitch_rad);
  for (std::int64_t i = first; i <= last; ++i) {
    const auto tooth = static_cast<std::uint32_t>((i % pitches + pitches) % pitches);
    std::uint32_t seed = tooth * 7919U;
    const double place_rad =
        first_rad + static_cast<double>(i) * pitch_rad + sensed.sensor.place_rad * noise(seed);
    if (tooth < pitches - missing && (low_rad < place_rad) && (place_rad <= high_rad)) {
      add_edge(sensed.frame, {moment_of(path, place_rad, ahead), kind});
    }
  }
}

inline float sensed_rad_s2(SensedCrank& sensed) {
  const SensorSpec& sensor = sensed.sensor;
  const auto now = static_cast<std::uint32_t>(sensed.crank.steps);
  sensed.past_rad_s2[now % kMaxDelay_ticks] = sensed.crank.motion.acceleration_rad_s2;
  const double late_rad_s2 = sensed.past_rad_s2[(now - sensor.delay_ticks) % kMaxDelay_ticks];
  sensed.drifted_rad_s2 += sensor.drift_rad_s3 * kTick_s;
  const double all_rad_s2 = late_rad_s2 + sensor.bias_rad_s2 + sensed.drifted_rad_s2 +
                            sensor.noise_rad_s2 * noise(sensed.seed);
  const double quantum = sensor.quantum_rad_s2;
  return static_cast<float>(quantum > 0 ? quantum * math::round(all_rad_s2 / quantum) : all_rad_s2);
}

}  // namespace detail

// One tick of the crank and its sensors, into sensed.frame.
inline void sense(SensedCrank& sensed) {
  const crank::Motion<double> from = sensed.crank.motion;
  crank::advance(sensed.crank_model, sensed.crank);
  const crank::Motion<double>& to = sensed.crank.motion;
  const detail::Path path = {sensed.turned_rad, from.speed_rad_s, from.acceleration_rad_s2,
                             to.acceleration_rad_s2};
  sensed.turned_rad += angle_between_rad(to.angle_rad, from.angle_rad);
  signal::SensorFrame& frame = sensed.frame;
  ++frame.tick;
  frame.edges = 0;
  const crank::WheelSpec& wheel = sensed.wheel;
  if (wheel.pitches != 0) {
    detail::add_edges(sensed, path, wheel.pitches, wheel.missing, wheel.first_tooth_rad,
                      signal::EdgeKind::kTooth);
  }
  if (wheel.missing == 0 || wheel.confirmed_by_index) {
    detail::add_edges(sensed, path, 1, 0, wheel.index_rad, signal::EdgeKind::kIndex);
  }
  signal::Sample& sample = frame.crank_acceleration_rad_s2;
  sample = {detail::sensed_rad_s2(sensed), 0, sample.sequence + 1, signal::Quality::kGood};
}

inline double angle_error_rad(const SensedCrank& sensed) {
  return angle_between_rad(static_cast<double>(sensed.observer.motion.angle_rad),
                           sensed.crank.motion.angle_rad);
}

inline double speed_error_rad_s(const SensedCrank& sensed) {
  return static_cast<double>(sensed.observer.motion.speed_rad_s) - sensed.crank.motion.speed_rad_s;
}

// The observer's part of a tick, and what became of it.
inline void observe(SensedCrank& sensed) {
  crank::observe(sensed.model, sensed.observer, sensed.frame);
  const bool known = sensed.observer.sync == crank::Sync::kSynced ||
                     sensed.observer.sync == crank::Sync::kCoasting;
  if (known) {
    const double error_rad = angle_error_rad(sensed);
    const double error_rad_s = speed_error_rad_s(sensed);
    Errors& errors = sensed.errors;
    ++errors.ticks;
    const double size_rad = math::magnitude(error_rad);
    const double size_rad_s = math::magnitude(error_rad_s);
    errors.worst_rad = size_rad > errors.worst_rad ? size_rad : errors.worst_rad;
    errors.worst_rad_s = size_rad_s > errors.worst_rad_s ? size_rad_s : errors.worst_rad_s;
    errors.squares_rad2 += error_rad * error_rad;
    errors.squares_rad2_s2 += error_rad_s * error_rad_s;
  }
}

// disturb(frame) may change what the sensors say.
template <typename Disturb>
void run(SensedCrank& sensed, double time_s, Disturb disturb) {
  const auto ticks = static_cast<std::uint32_t>(math::round(time_s / kTick_s));
  for (std::uint32_t i = 0; i < ticks; ++i) {
    sense(sensed);
    disturb(sensed.frame);
    observe(sensed);
  }
}

inline void run(SensedCrank& sensed, double time_s) {
  run(sensed, time_s, [](signal::SensorFrame&) {});
}

}  // namespace taut::crank_test
