#include "hal/xcp/daq.h"

namespace taut::hal::xcp {
namespace {

// Of an ODT's packet before its first entry: identifier, and the time in a list's first packet.
std::size_t longest_header(const DaqList& list, std::size_t odt) {
  return 1 + (odt == list.first_odt ? kTimestampBytes : 0);
}

bool has_odt(const DaqList& list, std::size_t odt) {
  return odt >= list.first_odt && odt < std::size_t{list.first_odt} + list.odts;
}

const DaqList* list_of(const DaqState& daq, std::size_t odt) {
  for (std::size_t i = 0; i < daq.lists; ++i) {
    if (has_odt(daq.list[i], odt)) {
      return &daq.list[i];
    }
  }
  return nullptr;
}

bool another_stimulates(const DaqState& daq, std::size_t list) {
  for (std::size_t i = 0; i < daq.lists; ++i) {
    const DaqList& other = daq.list[i];
    if (i != list && (other.is_running || other.is_selected) && (other.mode & kListIsStim) != 0) {
      return true;
    }
  }
  return false;
}

bool may_be_stimulated(const Table& table, const DaqEntry& entry) {
  return entry.size > 0 && entry.part == Part::kInput &&
         is_whole(table.inputs[entry.address / kRowBytes], entry.address, entry.size);
}

// The entry takes part in its ODT's sums, or does so no more.
void count(const Table& table, const DaqEntry& entry, int sign, Odt& odt) {
  const auto add = [sign](std::uint16_t& sum, int what) {
    sum = static_cast<std::uint16_t>(sum + sign * what);
  };
  add(odt.written, entry.size > 0 ? 1 : 0);
  add(odt.stimulable, may_be_stimulated(table, entry) ? 1 : 0);
  add(odt.bytes, entry.size);
}

std::size_t bytes_of_inputs(const Table& table) {
  std::size_t bytes = 0;
  for (const signal::Entry& entry : table.inputs) {
    bytes += size_of(entry);
  }
  return bytes;
}

}  // namespace

void free_lists(DaqState& daq) {
  daq.stage = DaqStage::kFree;
  daq.lists = 0;
  daq.odts = 0;
  daq.entries = 0;
  daq.has_pointer = false;
  daq.odts_arrived = 0;
  daq.has_stimulus = false;
}

Error allocate_lists(DaqState& daq, std::size_t lists) {
  if (daq.stage != DaqStage::kFree) {
    return Error::kSequence;
  }
  if (lists > kMaxLists) {
    return Error::kMemoryOverflow;
  }
  for (std::size_t i = 0; i < lists; ++i) {
    daq.list[i] = DaqList{0, 0, 0, 1, 0, false, false};
  }
  daq.lists = static_cast<std::uint8_t>(lists);
  daq.stage = DaqStage::kLists;
  return Error::kNone;
}

Error allocate_odts(DaqState& daq, std::size_t list, std::size_t odts) {
  if (daq.stage != DaqStage::kLists && daq.stage != DaqStage::kOdts) {
    return Error::kSequence;
  }
  if (list >= daq.lists) {
    return Error::kOutOfRange;
  }
  if (daq.list[list].odts > 0) {
    return Error::kSequence;
  }
  if (odts > kMaxOdts - daq.odts) {
    return Error::kMemoryOverflow;
  }
  daq.list[list].first_odt = daq.odts;
  daq.list[list].odts = static_cast<std::uint8_t>(odts);
  for (std::size_t i = 0; i < odts; ++i) {
    daq.odt[daq.odts + i] = Odt{};
  }
  daq.odts = static_cast<std::uint8_t>(daq.odts + odts);
  daq.stage = DaqStage::kOdts;
  return Error::kNone;
}

Error allocate_entries(DaqState& daq, std::size_t list, std::size_t odt, std::size_t entries) {
  if (daq.stage != DaqStage::kOdts && daq.stage != DaqStage::kEntries) {
    return Error::kSequence;
  }
  if (list >= daq.lists || odt >= daq.list[list].odts) {
    return Error::kOutOfRange;
  }
  Odt& table = daq.odt[daq.list[list].first_odt + odt];
  if (table.entries > 0) {
    return Error::kSequence;
  }
  if (entries > kMaxEntries - daq.entries) {
    return Error::kMemoryOverflow;
  }
  table = {daq.entries, static_cast<std::uint16_t>(entries), 0, 0, 0};
  for (std::size_t i = 0; i < entries; ++i) {
    daq.entry[daq.entries + i] = DaqEntry{0, 0, 0, Part::kInput};
  }
  daq.entries = static_cast<std::uint16_t>(daq.entries + entries);
  daq.stage = DaqStage::kEntries;
  return Error::kNone;
}

Error set_pointer(DaqState& daq, std::size_t list, std::size_t odt, std::size_t entry) {
  daq.has_pointer = false;
  if (list >= daq.lists || odt >= daq.list[list].odts) {
    return Error::kOutOfRange;
  }
  const std::size_t place = daq.list[list].first_odt + odt;
  if (entry >= daq.odt[place].entries) {
    return Error::kOutOfRange;
  }
  if (daq.list[list].is_running) {
    return Error::kDaqActive;
  }
  daq.has_pointer = true;
  daq.pointer_odt = static_cast<std::uint8_t>(place);
  daq.pointer_entry = static_cast<std::uint16_t>(daq.odt[place].first_entry + entry);
  return Error::kNone;
}

Error write_entry(const Table& table, DaqState& daq, std::uint32_t address, std::size_t size) {
  if (!daq.has_pointer) {
    return Error::kSequence;
  }
  const DaqList* list = list_of(daq, daq.pointer_odt);
  if (list == nullptr || list->is_running) {
    return Error::kDaqActive;
  }
  if (size == 0 || size > kMaxEntrySize || size % kEntryGranularity != 0 ||
      address % kEntryGranularity != 0) {
    return Error::kOutOfRange;
  }
  const Place place = find(table, address, size);
  if (place.entry == nullptr) {
    return Error::kAccessDenied;
  }
  Odt& odt = daq.odt[daq.pointer_odt];
  DaqEntry& entry = daq.entry[daq.pointer_entry];
  count(table, entry, -1, odt);
  entry = {address, static_cast<std::uint16_t>(place.offset), static_cast<std::uint8_t>(size),
           place.part};
  count(table, entry, 1, odt);
  ++daq.pointer_entry;
  daq.has_pointer = daq.pointer_entry < odt.first_entry + odt.entries;
  return Error::kNone;
}

Error check_list(const Table& table, const DaqState& daq, std::size_t list) {
  if (list >= daq.lists) {
    return Error::kOutOfRange;
  }
  const DaqList& checked = daq.list[list];
  const bool stimulates = (checked.mode & kListIsStim) != 0;
  if (checked.odts == 0 || (stimulates && another_stimulates(daq, list))) {
    return Error::kDaqConfig;
  }
  std::size_t bytes = 0;
  for (std::size_t i = checked.first_odt; has_odt(checked, i); ++i) {
    const Odt& odt = daq.odt[i];
    if (odt.entries == 0 || odt.written < odt.entries ||
        longest_header(checked, i) + odt.bytes > kMaxDto) {
      return Error::kDaqConfig;
    }
    if (stimulates && odt.stimulable < odt.entries) {
      return Error::kWriteProtected;
    }
    bytes += odt.bytes;
  }
  return stimulates && bytes > bytes_of_inputs(table) ? Error::kDaqConfig : Error::kNone;
}

bool is_running(const DaqState& daq) {
  for (std::size_t i = 0; i < daq.lists; ++i) {
    if (daq.list[i].is_running) {
      return true;
    }
  }
  return false;
}

}  // namespace taut::hal::xcp
