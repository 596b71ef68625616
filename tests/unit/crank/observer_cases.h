// What the observer's tests share: usual sensors and motions, and errors held against bounds.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>

#include "unity.h"
#include <etl/string.h>
#include <etl/string_stream.h>

#include "board.h"
#include "tests/unit/crank/sensed_crank.h"

namespace taut::crank_test {

using crank::Sync;
using signal::SensorFrame;

inline constexpr double kDegree_rad = kTurn_rad / 360;
inline constexpr double kSpeed_rad_s = 76 * kTurn_rad / 60;  // 6S90MC-C at full load
inline constexpr double kSettling_s = 4;  // two turns to find the place, two to settle
#ifdef TAUT_LONG_TESTS
inline constexpr double kMeasured_s = 40;  // moments of edges wrap after 32 s
#else
inline constexpr double kMeasured_s = 4;
#endif

// As on an engine: a sensor of 0.1 rad/s^2 RMS that drifts, is quantised and late by 2 ms, and
// teeth that are 0.03 degrees RMS from their places.
inline constexpr SensorSpec kUsual = {.noise_rad_s2 = 0.1,
                                      .bias_rad_s2 = 0.3,
                                      .drift_rad_s3 = 0.01,
                                      .quantum_rad_s2 = 0.02,
                                      .delay_ticks = 4,
                                      .place_rad = 0.5e-3};
inline constexpr crank::WheelSpec kWheel = {.pitches = 60, .missing = 2, .first_tooth_rad = 1};

inline crank::ObserverSpec usual_observer(const crank::WheelSpec& wheel = kWheel) {
  crank::ObserverSpec spec;
  spec.wheel = wheel;
  spec.acceleration_delay_s = kUsual.delay_ticks * kTick_s;
  return spec;
}

inline crank::SyntheticSpec steady(double speed_rad_s = kSpeed_rad_s) {
  crank::SyntheticSpec spec;
  spec.speed_rad_s = speed_rad_s;
  return spec;
}

inline crank::SyntheticSpec swinging(double rpm) {
  crank::SyntheticSpec spec = steady(rpm * kTurn_rad / 60);
  spec.order = 6;
  spec.order_amplitude_rad_s2 = 7;
  return spec;
}

// One, too large for a board's stack; every test begins with start().
inline SensedCrank sensed;

struct Bounds {
  double worst_deg;
  double rms_deg;
  double worst_rad_s;
  double rms_rad_s;
};

// Prints the errors since they were last forgotten, and forgets them.
inline void check_errors(const char* name, const Bounds& bounds) {
  const Errors errors = sensed.errors;
  sensed.errors = {};
  TEST_ASSERT_TRUE(errors.ticks > 0);
  const Bounds found = {errors.worst_rad / kDegree_rad,
                        math::sqrt(errors.squares_rad2 / errors.ticks) / kDegree_rad,
                        errors.worst_rad_s, math::sqrt(errors.squares_rad2_s2 / errors.ticks)};
  etl::string<128> text;
  etl::string_stream out(text);
  out << "| " << name << etl::setprecision(5);
  for (const double number : {found.worst_deg, found.rms_deg, found.worst_rad_s, found.rms_rad_s}) {
    out << " | " << static_cast<float>(number);
  }
  out << " |\n";
  board::console().write(text);
  TEST_ASSERT_DOUBLE_WITHIN(bounds.worst_deg, 0, found.worst_deg);
  TEST_ASSERT_DOUBLE_WITHIN(bounds.rms_deg, 0, found.rms_deg);
  TEST_ASSERT_DOUBLE_WITHIN(bounds.worst_rad_s, 0, found.worst_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(bounds.rms_rad_s, 0, found.rms_rad_s);
}

inline void check_sync(Sync sync) {
  TEST_ASSERT_EQUAL_UINT(static_cast<unsigned>(sync), static_cast<unsigned>(sensed.observer.sync));
}

inline void settle() {
  run(sensed, kSettling_s);
  check_sync(Sync::kSynced);
  sensed.errors = {};
}

inline void nothing(SensorFrame&) {}

template <typename Disturb = void (*)(SensorFrame&)>
void settle_and_measure(const char* name, const Bounds& bounds, Disturb disturb = nothing) {
  settle();
  run(sensed, kMeasured_s, disturb);
  check_sync(Sync::kSynced);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.losses);
  check_errors(name, bounds);
}

// Of the teeth's 0.03 degrees the filter passes some third; their sum over some turns and the
// sensor's noise make the rest. The speed has the angle's error times the bandwidth of 9 1/s.
inline constexpr Bounds kUsualBounds = {0.1, 0.03, 0.02, 0.006};

inline void no_number(SensorFrame& frame) {
  const float wrong[] = {std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(), 1e30F, -201};
  frame.crank_acceleration_rad_s2.value = wrong[frame.tick % 5];
}

}  // namespace taut::crank_test
