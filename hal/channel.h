// One analogue sensor, from raw readings to samples: scaled, checked, replaced while it cannot be
// believed. Bounded work, no waiting, the same bits everywhere.
//
// A tick with a fault begins a spell, which ends after recover_ticks good measurements in a row.
// In a spell the last good value stands in for hold_ticks, then what the model expects. A channel
// starts in a spell: before it was ever good its samples are missing.
//
// What one channel cannot see, for a later stage that compares measurements with the model:
// an offset, drift or wrong gain within the range; a constant delay; a slow (low-pass) sensor; a
// sensor off or stuck on an amplifier's noise, or while the engine stands; good spells between
// intermittent faults that last longer than recover_ticks (`spells` counts them).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>

#include "hal/channel_spec.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::hal {

// What a converter or a bus gives. A reading with the sequence of the one before is the same
// measurement, seen again.
struct RawReading {
  float value;             // counts, volts, or already the channel's unit
  std::uint32_t sequence;  // counts measurements; wraps
};

enum class Fault : std::uint8_t {
  kNotFinite,
  kOutOfRange,
  kJump,
  kNoise,
  kStuck,
  kStale,    // no new measurement for too long
  kSkipped,  // its sequence jumped, or ran back: time did, or the sensor restarted
};
inline constexpr std::size_t kFaults = 7;

[[nodiscard]] constexpr std::uint32_t bit_of(Fault fault) {
  return 1U << static_cast<std::uint32_t>(fault);
}

// Which member of a spec cannot be, its value, and what may stand there; member null: none.
struct ChannelProblem {
  const char* member;
  double value;
  const char* allowed;
};

struct ChannelModel {
  bool is_fitted;
  float gain;
  float offset;
  float lowest;
  float highest;
  float largest_jump;
  float largest_noise;
  float stuck_model_moves;
  std::uint32_t stuck_ticks;
  std::uint32_t stale_ticks;
  std::uint32_t hold_ticks;
  std::uint32_t recover_ticks;
};
static_assert(std::is_trivially_copyable_v<ChannelModel>);

struct ChannelState {
  // of the readings
  bool has_read;                  // at all
  std::uint32_t sequence;         // of the last reading
  std::uint32_t unchanged_ticks;  // since a new one
  // of the values' course
  std::uint32_t known;  // 0 nothing, 1 the last value, 2 and its step
  float value;          // in the channel's unit
  float step;           // of the last value from the one before
  float noise;          // running mean of |second difference|
  // of a window in which the bits did not change
  bool is_stuck;
  std::uint32_t reading_bits;
  std::uint32_t same_ticks;
  float model_lowest;
  float model_highest;
  // of the spell
  bool in_spell;
  bool was_ever_good;
  std::uint32_t spell_ticks;
  std::uint32_t good_in_a_row;
  // of the last good measurement
  float good_value;
  std::uint32_t good_sequence;
  std::uint32_t good_age_ticks;
  // for whoever reports; counts end at their largest value
  std::uint32_t faults;                       // of this tick; bits by bit_of()
  std::uint32_t latched;                      // until reset_latched()
  std::uint32_t spells;                       // begun since the channel was first good
  etl::array<std::uint32_t, kFaults> counts;  // ticks with this fault; by Fault
};
static_assert(std::is_trivially_copyable_v<ChannelState>);

// For set-up, not for a tick. Leaves the model as it was if there is a problem.
[[nodiscard]] ChannelProblem make_channel(const ChannelSpec& spec, ChannelModel& model);

void init(ChannelState& state);

// Once a tick; does not block. `modelled` is what the model expects at this tick without this
// sensor's help: a model that follows a stuck sensor would stand still with it. Need not be finite.
[[nodiscard]] signal::Sample condition(const ChannelModel& model, ChannelState& state,
                                       RawReading reading, float modelled);

// A spell that still lasts latches its fault again with its next bad tick.
void reset_latched(ChannelState& state);

}  // namespace taut::hal
