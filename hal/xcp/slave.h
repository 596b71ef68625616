// An XCP slave without its transport: commands in, at most one response each, and the tick's part
// in it. Bounded work, no heap, no waiting, no cryptography (seed_key.h makes challenges ahead).
//
// All functions are the tick's, or of whatever runs the ticks: none may interrupt another. Queues
// lie between them and the slow loop or a transport's interrupt. In a tick, in this order:
//   take_stimulus()       the sensor frame, where it comes by XCP
//   commit_calibration()  what the master wrote since the last tick takes effect, all at once
//   ...                   the twin's tick
//   sample_daq()          what is measured goes out
//   serve()               at most kPacketsPerTick of what arrived
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>
#include <etl/queue_spsc_atomic.h>
#include <etl/string_view.h>

#include "hal/xcp/daq.h"
#include "hal/xcp/packet.h"
#include "hal/xcp/protocol.h"
#include "hal/xcp/table.h"

namespace taut::hal::xcp {

inline constexpr std::size_t kPacketsPerTick = 4;
inline constexpr std::size_t kReservedForResponses = kPacketsPerTick + 1;
inline constexpr std::size_t kSeedBytes = 16;
inline constexpr std::size_t kKeyBytes = 32;
inline constexpr std::uint32_t kMaxFailures = 5;
inline constexpr std::uint32_t kLockOut_ticks = 1'200'000;  // ten minutes

struct SlaveModel {
  etl::string_view identification;
  Table table;
  bool is_source_of_inputs;  // the board's sensor frames come by XCP: else STIM is not offered
};

// A seed and the key that it asks for, good for one try.
struct Challenge {
  etl::array<std::uint8_t, kSeedBytes> seed;
  etl::array<std::uint8_t, kKeyBytes> key;
};

// One element that a master wrote; takes effect at the border after this tick.
struct WriteRecord {
  std::uint32_t tick;
  std::uint32_t address;
  std::uint64_t before;  // bits of the element
  std::uint64_t after;
};

// All that lies between the slave and others; one side of each is the slave's. A board makes them:
// etl::queue_spsc_atomic<WriteRecord, 32> and so on.
struct SlaveQueues {
  PacketQueue& in;
  PacketQueue& out;
  etl::iqueue_spsc_atomic<WriteRecord>& log;       // full: writes are refused, so that none is lost
  etl::iqueue_spsc_atomic<Challenge>& challenges;  // empty: GET_SEED answers "busy"
};

// What a master reads next, by UPLOAD.
enum class MtaKind : std::uint8_t { kNone, kTable, kIdentification, kEventName };

// All count up from the start and wrap.
struct SlaveCounters {
  std::uint32_t handled;            // packets: commands and stimulation
  std::uint32_t refused;            // commands answered with an error
  std::uint32_t ignored;            // while not connected, and what is no packet
  std::uint32_t responses_dropped;  // for want of room
  std::uint32_t dto_dropped;
  std::uint32_t stim_refused;      // locked, of no list, of a wrong length, out of range
  std::uint32_t stim_overwritten;  // whole frames that no tick took before the next came
  std::uint32_t writes;            // elements
};

struct SlaveState {
  // by the session
  bool is_connected;
  std::uint8_t unlocked;  // resources
  MtaKind mta_kind;
  std::uint32_t mta;  // address, or place in a text
  // by seed and key; outlives a session
  std::uint8_t asked_resource;  // 0: none
  Challenge asked;
  std::uint32_t failures;
  std::uint32_t lock_out_ticks;  // left
  // by calibration
  bool is_dirty;         // written since the last border
  bool store_requested;  // the master wants the calibration kept: see is_store_requested()
  bool has_stored;       // tell the master
  etl::array<std::uint8_t, kMaxCalibrationBytes> calibration;
  std::uint32_t tick;  // of the last sample_daq()
  DaqState daq;
  SlaveCounters counters;
};
static_assert(std::is_trivially_copyable_v<SlaveState>);

// Asserts that the table fits the structs. Outputs of `images` are not touched.
void init(const SlaveModel& model, const Images& images, SlaveState& state);

// True: a whole frame came since the last call, and is in the inputs now.
[[nodiscard]] bool take_stimulus(SlaveState& state, const Images& images);
[[nodiscard]] inline bool has_stimulus(const SlaveState& state) {
  return state.daq.has_stimulus;
}

// True: the calibrations changed.
bool commit_calibration(SlaveState& state, const Images& images);

// At the end of every tick, with its number: the timestamp of what leaves.
void sample_daq(SlaveState& state, const Images& images, std::uint32_t tick,
                const SlaveQueues& queues);

// Takes up to kPacketsPerTick packets from `in`; responses go to `out`. Returns how many it took.
std::size_t serve(const SlaveModel& model, SlaveState& state, const Images& images,
                  const SlaveQueues& queues);

// One packet; uses the log and the challenges of the queues. True: there is a response.
[[nodiscard]] bool handle(const SlaveModel& model, SlaveState& state, const Images& images,
                          etl::span<const std::uint8_t> packet, const SlaveQueues& queues,
                          Packet& response);

// The master asked for the calibration to be kept over a loss of power (SET_REQUEST). Whoever keeps
// it says afterwards whether it is kept; the master is told if so.
[[nodiscard]] inline bool is_store_requested(const SlaveState& state) {
  return state.store_requested;
}
void end_storing(SlaveState& state, bool is_kept);

}  // namespace taut::hal::xcp
