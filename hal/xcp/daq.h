// Lists of what is measured (DAQ) or stimulated (STIM) at every tick: a master fills them from a
// fixed pool. List, object descriptor table (ODT: one packet), entry (one stretch of a row).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <etl/array.h>
#include <etl/span.h>

#include "hal/xcp/packet.h"
#include "hal/xcp/protocol.h"
#include "hal/xcp/table.h"

namespace taut::hal::xcp {

inline constexpr std::size_t kMaxLists = 8;
inline constexpr std::size_t kMaxOdts =
    32;  // of all lists; an ODT's place is its packet identifier
inline constexpr std::size_t kMaxEntries = 256;      // of all ODTs
inline constexpr std::size_t kEntryGranularity = 4;  // bytes
inline constexpr std::size_t kMaxEntrySize = 240;    // bytes
inline constexpr std::size_t kMaxInputBytes = 256;   // of the struct that is stimulated
inline constexpr std::size_t kMaxCalibrationBytes = 256;
inline constexpr std::size_t kTimestampBytes = 4;
inline constexpr std::uint8_t kListIsStim = 0x02;  // bits of a list's mode
inline constexpr std::uint8_t kListHasTimestamp = 0x10;

struct DaqEntry {
  std::uint32_t address;
  std::uint16_t offset;  // in its part's struct
  std::uint8_t size;     // 0: not written yet
  Part part;
};

// Sums over its entries are kept as these are written: a list that starts is judged by them, in a
// tick, without a look at every entry.
struct Odt {
  std::uint16_t first_entry;
  std::uint16_t entries;
  std::uint16_t written;     // entries
  std::uint16_t stimulable;  // entries: of inputs, in whole elements
  std::uint16_t bytes;       // of all entries
};

struct DaqList {
  std::uint8_t first_odt;
  std::uint8_t odts;
  std::uint8_t mode;
  std::uint8_t prescaler;  // every so many ticks
  std::uint8_t wait;       // ticks until the next sample
  bool is_selected;
  bool is_running;
};

// What may come next: lists, then their ODTs, then their entries, then writing.
enum class DaqStage : std::uint8_t { kFree, kLists, kOdts, kEntries };

struct DaqState {
  // by allocation
  DaqStage stage;
  std::uint8_t lists;
  std::uint8_t odts;
  std::uint16_t entries;
  etl::array<DaqList, kMaxLists> list;
  etl::array<Odt, kMaxOdts> odt;
  etl::array<DaqEntry, kMaxEntries> entry;
  // by SET_DAQ_PTR and WRITE_DAQ
  bool has_pointer;
  std::uint8_t pointer_odt;     // absolute
  std::uint16_t pointer_entry;  // absolute
  // by stimulation: one list at a time
  std::uint32_t odts_arrived;  // bits of ODTs since the last whole frame
  bool has_stimulus;           // a whole frame waits for the next border of ticks
  etl::array<std::uint8_t, kMaxInputBytes> arriving;
  etl::array<std::uint8_t, kMaxInputBytes> stimulus;
};
static_assert(std::is_trivially_copyable_v<DaqState>);

// Of an entry, in whole words: the compiler makes of it what a call of memcpy would take longer
// for.
inline void copy_words(std::uint8_t* to, const std::uint8_t* from, std::size_t size) {
  for (std::size_t i = 0; i < size; i += kEntryGranularity) {
    std::memcpy(to + i, from + i, kEntryGranularity);
  }
}

void free_lists(DaqState& daq);
[[nodiscard]] Error allocate_lists(DaqState& daq, std::size_t lists);
[[nodiscard]] Error allocate_odts(DaqState& daq, std::size_t list, std::size_t odts);
[[nodiscard]] Error allocate_entries(DaqState& daq, std::size_t list, std::size_t odt,
                                     std::size_t entries);
[[nodiscard]] Error set_pointer(DaqState& daq, std::size_t list, std::size_t odt,
                                std::size_t entry);
[[nodiscard]] Error write_entry(const Table& table, DaqState& daq, std::uint32_t address,
                                std::size_t size);

// Whether the list may run: every entry written and no packet too long; if it stimulates, entries
// of inputs only, in whole elements, and no more bytes than all inputs have.
[[nodiscard]] Error check_list(const Table& table, const DaqState& daq, std::size_t list);
[[nodiscard]] bool is_running(const DaqState& daq);

// Adds the packets of all lists that are due to the queue, but leaves `reserved` places free.
// Returns how many found no room.
[[nodiscard]] std::uint32_t sample(DaqState& daq, const Images& images, std::uint32_t tick,
                                   std::size_t reserved, PacketQueue& out);

// Takes one packet of stimulation. Refused, and nothing taken: of no running list, of a wrong
// length, or a value out of range.
enum class Stimulation : std::uint8_t { kRefused, kPart, kWhole };
[[nodiscard]] Stimulation stimulate(const Table& table, DaqState& daq,
                                    etl::span<const std::uint8_t> packet);

}  // namespace taut::hal::xcp
