// What the page gets thirty times a second, as bytes: the rows since the last frame, the chain as
// it is now, and the twin's word on itself. Little endian, without gaps, in the order of these
// members; page/frame.js reads it. Counts and scales are told once, by describe() of session.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host_tools/live/picture.h"

namespace taut::live {

// Places in parts of a pixel, directions in parts of a turn.
inline constexpr double kPartsOfPixel = 32;
inline constexpr double kPartsOfTurn = 256;

struct SensorHealth {
  std::uint32_t age_ticks;
  std::uint32_t quality;
};

struct Frame {
  double time_s = 0;  // at its end
  std::uint32_t health = 0;
  std::uint32_t latched = 0;
  std::uint32_t sync = 0;  // crank::Sync
  std::uint32_t overruns = 0;
  std::uint32_t edges_lost = 0;
  float last_tick_s = 0;
  float worst_tick_s = 0;
  float pace = 0;                        // engine's seconds in one of the clock
  float arm_rad = 0;                     // as drawn, exaggerated
  float exaggeration = 1;                // of motion sideways
  float crank_Hz = 0;                    // turns a second, mean over the spectrum's rows
  std::uint32_t tagged_link = 0;         // index in `link_N`; more than there are: not found yet
  std::vector<SensorHealth> sensors;     // in the order of sensor_rows()
  std::vector<std::vector<float>> rows;  // written with their number before them, as u32
  DrawnChain chain;                      // sprockets' angles as f32; i16 x, y and u8 direction each
  std::vector<float> link_N;             // i16 in `force_quantum_N`
  std::vector<float> tooth_N;            // u16 in the same
  std::vector<std::vector<float>> spectra;  // with the number of bins before them, as u32; or none
};

[[nodiscard]] std::string encode(const Frame& frame, std::size_t sprockets, double force_quantum_N);

// As text, for a stream of lines.
[[nodiscard]] std::string base64(const std::string& bytes);

}  // namespace taut::live
