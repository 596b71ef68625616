// What one analogue sensor is and what may be believed of it, as an engineer writes it down: scale,
// limits of plausibility, and how long bad samples are bridged. Values and limits are in the unit
// that the channel's name ends with; times are ticks of 0.5 ms.
#pragma once

#include <cstdint>

namespace taut::hal {

// A sensor that sends nothing, or nothing but rubbish, is replaced by the model within 40 ms: at
// its 80th bad tick. So long may stale_ticks and hold_ticks be together.
inline constexpr std::uint32_t kLongestBridge_ticks = 79;

struct ChannelSpec {
  bool is_fitted = true;  // false: there is no such sensor; its samples are missing, not faulty
  double gain = 1;        // unit of the channel per unit of the reading
  double offset = 0;      // value at a reading of 0
  // Range. Inside what the converter can give, so that a broken wire or a rail shows.
  double lowest = 0;
  double highest = 0;
  double largest_jump = 0;   // from one measurement to the next
  double largest_noise = 0;  // running mean of |second difference|; white noise: 1.95 sigma
  // Stuck: the same bits for so many ticks, in which the model moved by more than so much. Where
  // the model stands still, as on a standing engine, so may the sensor. Many times its resolution.
  double stuck_model_moves = 0;
  std::uint32_t stuck_ticks = 100;
  std::uint32_t stale_ticks = 2;     // without a new measurement; more is a fault
  std::uint32_t hold_ticks = 4;      // the last good value stands in, then the model
  std::uint32_t recover_ticks = 20;  // good measurements in a row before the sensor is believed
};

// Limits for engines up to the size of 6S90MC-C. Worst values of the full model at 76 rpm with the
// 6th order of 7 rad/s^2 on arm and bars, and with the bars taken away (taut run, samples each
// 0.5 ms, 3 s to 6 s), are given as (with, without bars); stuck_model_moves is less than the full
// model moved in any 50 ms of the first of these.

// 7 rad/s^2 at 7.6 Hz on that engine: jumps of 0.17, second differences of 0.004.
inline constexpr ChannelSpec kCrankAcceleration_rad_s2 = {
    .lowest = -100, .highest = 100, .largest_jump = 20, .largest_noise = 5, .stuck_model_moves = 1};

// Range up to beyond the chain's fracture at 2002 kN, and below zero: a gauge's zero wanders.
// Largest 365, 1109 kN; jumps 17, 158 kN; noise 2.7, 17 kN; moves 7.9 kN at least.
inline constexpr ChannelSpec kLinkForce_N = {.lowest = -100e3,
                                             .highest = 2200e3,
                                             .largest_jump = 500e3,
                                             .largest_noise = 50e3,
                                             .stuck_model_moves = 5e3};

// An accelerometer of 50 g. Largest 22, 61 m/s^2; jumps 11, 33; noise 1.8, 3.4; moves 18 at least.
inline constexpr ChannelSpec kTightenerAcceleration_m_s2 = {.lowest = -500,
                                                            .highest = 500,
                                                            .largest_jump = 150,
                                                            .largest_noise = 20,
                                                            .stuck_model_moves = 5};

// Largest 2.9, 3.7 mm; jumps 0.07, 0.11 mm; noise 0.002, 0.006 mm; moves 1.07 mm at least. The
// range leaves room for a worn chain.
inline constexpr ChannelSpec kTightenerPosition_m = {.lowest = -0.1,
                                                     .highest = 0.1,
                                                     .largest_jump = 1e-3,
                                                     .largest_noise = 0.2e-3,
                                                     .stuck_model_moves = 0.5e-3};

}  // namespace taut::hal
