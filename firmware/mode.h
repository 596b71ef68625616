// What a board is about, and what leads from one to the next: one table, no code.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/array.h>

namespace taut::firmware {

enum class Mode : std::uint8_t {
  kBoot,          // self test
  kSettle,        // the chain stands still: does it stay where its model says that it rests?
  kWaitForCrank,  // sensors are read, the crank's place is not known; outputs have fail values
  kTrack,         // predictions are valid
  kDegraded,      // predictions leave, with something missing
  kFault,         // for good: fail values until the board starts again
};
inline constexpr std::size_t kModes = 6;

enum class Event : std::uint8_t {
  kPassed,    // self test, or settling
  kFailed,    // either of them; or the model broke down again and again
  kInvalid,   // of a tick: its prediction is not to be used
  kDegraded,  // of a tick
  kValid,     // of a tick
};
inline constexpr std::size_t kEvents = 5;

[[nodiscard]] constexpr Mode next(Mode mode, Event event) {
  constexpr auto kBoot = Mode::kBoot, kSettle = Mode::kSettle, kWait = Mode::kWaitForCrank,
                 kTrack = Mode::kTrack, kDegraded = Mode::kDegraded, kFault = Mode::kFault;
  constexpr Mode kNext[kModes][kEvents] = {
      // kPassed   kFailed  kInvalid  kDegraded  kValid
      {kSettle, kFault, kBoot, kBoot, kBoot},         // kBoot
      {kWait, kFault, kSettle, kSettle, kSettle},     // kSettle
      {kWait, kFault, kWait, kDegraded, kTrack},      // kWaitForCrank
      {kTrack, kFault, kWait, kDegraded, kTrack},     // kTrack
      {kDegraded, kFault, kWait, kDegraded, kTrack},  // kDegraded
      {kFault, kFault, kFault, kFault, kFault},       // kFault
  };
  return kNext[static_cast<std::size_t>(mode)][static_cast<std::size_t>(event)];
}

[[nodiscard]] constexpr const char* name_of(Mode mode) {
  constexpr const char* kNames[kModes] = {"boot",  "settle",   "wait for crank",
                                          "track", "degraded", "fault"};
  return kNames[static_cast<std::size_t>(mode)];
}

// Modes whose predictions leave; all others show fail values.
[[nodiscard]] constexpr bool shows_predictions(Mode mode) {
  return mode == Mode::kTrack || mode == Mode::kDegraded;
}

}  // namespace taut::firmware
