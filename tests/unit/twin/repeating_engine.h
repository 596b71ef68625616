// Sensors of a crank that does the same again and again, exactly: after a period every reading and
// every edge has the bits of the period before, so that whatever follows from them can be compared
// over any time. 75 rpm, where a turn is 1600 ticks, under the sixth order; a wheel 60-2 with teeth
// out of place; an acceleration sensor that is late, noisy and whose bias wanders up and down.
#pragma once

#include <cstdint>

#include <etl/array.h>

#include "sim_core/math/sin_cos.h"
#include "tests/unit/twin/sensed_twin.h"

namespace taut::twin_test {

inline constexpr std::uint32_t kTurn_ticks = 1600;
inline constexpr std::uint32_t kPeriod_turns = 90;  // ten times the chain's own nine
inline constexpr std::uint32_t kPeriod_ticks = kPeriod_turns * kTurn_ticks;
inline constexpr double kSpeed_rad_s = crank_test::kTurn_rad / (kTurn_ticks * signal::kTick_s);

inline constexpr crank::WheelSpec kWheel = {.pitches = 60, .missing = 2, .first_tooth_rad = 1};
inline constexpr std::uint32_t kTeeth = 58;
inline constexpr std::uint32_t kDelay_ticks = 4;
inline constexpr double kPlace_rad = 0.5e-3;   // RMS, of teeth
inline constexpr double kNoise_rad_s2 = 0.1;   // RMS
inline constexpr double kBias_rad_s2 = 0.3;    // in its mean
inline constexpr double kWander_rad_s2 = 0.2;  // to both sides: by 0.011 rad/s^2 a second

inline crank::ObserverSpec observer_of_the_engine() {
  crank::ObserverSpec spec;
  spec.wheel = kWheel;
  spec.acceleration_delay_s = kDelay_ticks * signal::kTick_s;
  return spec;
}

struct RepeatingEngine {
  double amplitude_rad_s2;                 // of the sixth order
  etl::array<std::uint32_t, kTeeth> edge;  // in 1/65536 ticks since angle zero, in order
  std::uint32_t tick;                      // of the period
  std::uint32_t next_edge;
  std::uint32_t noise_seed;
};

namespace detail {

inline double order_phase_rad(double ticks) {
  return 6 * crank_test::kTurn_rad / kTurn_ticks * ticks;
}

// Acceleration A sin(6 w t) about w: twice integrated.
inline double angle_rad(const RepeatingEngine& engine, double ticks) {
  const double swing_rad = engine.amplitude_rad_s2 / (36 * kSpeed_rad_s * kSpeed_rad_s);
  return crank_test::kTurn_rad / kTurn_ticks * ticks -
         swing_rad * math::sin(order_phase_rad(ticks));
}

inline std::uint32_t moment_of(const RepeatingEngine& engine, double place_rad) {
  std::uint32_t early = 0;
  std::uint32_t late = kTurn_ticks * crank::kMomentsATick;
  while (late - early > 1) {
    const std::uint32_t middle = early + (late - early) / 2;
    const bool passed = angle_rad(engine, middle * (1.0 / crank::kMomentsATick)) >= place_rad;
    (passed ? late : early) = middle;
  }
  return early;
}

}  // namespace detail

inline void start(double amplitude_rad_s2, RepeatingEngine& engine) {
  engine = {};
  engine.amplitude_rad_s2 = amplitude_rad_s2;
  engine.noise_seed = 1;
  // The gap and a pitch more of it behind the last tooth: the first ones are past the turn's end.
  const double pitch_rad = crank_test::kTurn_rad / kWheel.pitches;
  std::uint32_t count = 0;
  for (std::uint32_t pass = 0; pass < 2; ++pass) {
    for (std::uint32_t tooth = 0; tooth < kTeeth; ++tooth) {
      std::uint32_t seed = tooth * 7919U;
      const double place_rad =
          kWheel.first_tooth_rad + tooth * pitch_rad + kPlace_rad * crank_test::noise(seed);
      const bool is_early = place_rad >= crank_test::kTurn_rad;
      if (is_early == (pass == 0)) {
        engine.edge[count++] =
            detail::moment_of(engine, is_early ? place_rad - crank_test::kTurn_rad : place_rad);
      }
    }
  }
}

inline CrankReadings advance(RepeatingEngine& engine) {
  const std::uint32_t of_turn = engine.tick % kTurn_ticks;
  CrankReadings readings;
  if (of_turn == 0) {
    engine.next_edge = 0;
  }
  while (engine.next_edge < kTeeth &&
         engine.edge[engine.next_edge] / crank::kMomentsATick == of_turn) {
    const auto moment =
        static_cast<std::uint16_t>(engine.edge[engine.next_edge] % crank::kMomentsATick);
    readings.edge[readings.edges++] = {moment, signal::EdgeKind::kTooth};
    ++engine.next_edge;
  }
  // A turn later, so that it is not before the start.
  const double measured_at = of_turn + 1 + kTurn_ticks - kDelay_ticks;
  const double up = 4.0 * engine.tick / kPeriod_ticks;
  const double wander = up < 2 ? up - 1 : 3 - up;
  readings.acceleration_rad_s2 = static_cast<float>(
      engine.amplitude_rad_s2 * math::sin(detail::order_phase_rad(measured_at)) + kBias_rad_s2 +
      kWander_rad_s2 * wander + kNoise_rad_s2 * crank_test::noise(engine.noise_seed));
  if (++engine.tick == kPeriod_ticks) {
    engine.tick = 0;
    engine.noise_seed = 1;
  }
  return readings;
}

}  // namespace taut::twin_test
