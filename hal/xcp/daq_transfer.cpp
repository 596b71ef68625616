// The part of DAQ and STIM that runs with every tick: packets out, packets in.
#include <cstring>

#include "hal/xcp/daq.h"

namespace taut::hal::xcp {
namespace {

etl::span<const DaqEntry> entries_of(const DaqState& daq, std::size_t odt) {
  return {daq.entry.data() + daq.odt[odt].first_entry, daq.odt[odt].entries};
}

std::size_t header_bytes(const DaqList& list, std::size_t odt) {
  const bool has_time = odt == list.first_odt && (list.mode & kListHasTimestamp) != 0;
  return 1 + (has_time ? kTimestampBytes : 0);
}

const std::uint8_t* image_of(const Images& images, Part part) {
  switch (part) {
    case Part::kInput:
      return images.inputs.data();
    case Part::kMeasurement:
      return images.measurements.data();
    case Part::kCalibration:
      break;
  }
  return images.calibrations.data();
}

void fill(const DaqState& daq, const DaqList& list, std::size_t odt, const Images& images,
          std::uint32_t tick, Packet& packet) {
  std::size_t size = header_bytes(list, odt);
  packet.bytes[0] = static_cast<std::uint8_t>(odt);
  if (size > 1) {
    put_u32(&packet.bytes[1], tick);
  }
  for (const DaqEntry& entry : entries_of(daq, odt)) {
    std::memcpy(&packet.bytes[size], image_of(images, entry.part) + entry.offset, entry.size);
    size += entry.size;
  }
  packet.size = static_cast<std::uint16_t>(size);
}

// A cycle of a list leaves whole or not at all: half of one would be taken for the next.
bool send_list(const DaqState& daq, const DaqList& list, const Images& images, std::uint32_t tick,
               std::size_t reserved, PacketQueue& out) {
  if (out.available() < reserved + list.odts) {
    return false;
  }
  Packet packet;
  for (std::size_t i = 0; i < list.odts; ++i) {
    fill(daq, list, list.first_odt + i, images, tick, packet);
    static_cast<void>(out.push(packet));
  }
  return true;
}

// Running and with this ODT, in the direction of stimulation; null if there is none.
const DaqList* stimulating_list(const DaqState& daq, std::size_t odt) {
  for (std::size_t i = 0; i < daq.lists; ++i) {
    const DaqList& list = daq.list[i];
    if (list.is_running && (list.mode & kListIsStim) != 0 && odt >= list.first_odt &&
        odt < std::size_t{list.first_odt} + list.odts) {
      return &list;
    }
  }
  return nullptr;
}

// Entries are of inputs: check_list() has seen to it.
bool is_acceptable(const Table& table, etl::span<const DaqEntry> entries,
                   etl::span<const std::uint8_t> data) {
  std::size_t used = 0;
  for (const DaqEntry& entry : entries) {
    if (entry.size > data.size() - used) {
      return false;
    }
    const signal::Entry& row = table.inputs[entry.address / kRowBytes];
    if (!is_in_range(row, data.subspan(used, entry.size))) {
      return false;
    }
    used += entry.size;
  }
  return used == data.size();
}

}  // namespace

std::uint32_t sample(DaqState& daq, const Images& images, std::uint32_t tick, std::size_t reserved,
                     PacketQueue& out) {
  std::uint32_t dropped = 0;
  for (std::size_t i = 0; i < daq.lists; ++i) {
    DaqList& list = daq.list[i];
    if (!list.is_running || (list.mode & kListIsStim) != 0) {
      continue;
    }
    if (list.wait > 0) {
      --list.wait;
      continue;
    }
    list.wait = static_cast<std::uint8_t>(list.prescaler - 1);
    if (!send_list(daq, list, images, tick, reserved, out)) {
      dropped += list.odts;
    }
  }
  return dropped;
}

Stimulation stimulate(const Table& table, DaqState& daq, etl::span<const std::uint8_t> packet) {
  if (packet.empty() || packet[0] >= kMaxOdts) {
    return Stimulation::kRefused;
  }
  const std::size_t odt = packet[0];
  const DaqList* list = stimulating_list(daq, odt);
  if (list == nullptr || packet.size() < header_bytes(*list, odt)) {
    return Stimulation::kRefused;
  }
  const etl::span<const DaqEntry> entries = entries_of(daq, odt);
  const auto data = packet.subspan(header_bytes(*list, odt));
  if (!is_acceptable(table, entries, data)) {
    return Stimulation::kRefused;
  }
  const std::uint8_t* from = data.data();
  for (const DaqEntry& entry : entries) {
    copy_words(&daq.arriving[entry.offset], from, entry.size);
    from += entry.size;
  }
  daq.odts_arrived |= 1U << odt;
  const std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t{1} << list->odts) - 1)
                            << list->first_odt;
  if ((daq.odts_arrived & all) != all) {
    return Stimulation::kPart;
  }
  daq.odts_arrived = 0;
  daq.stimulus = daq.arriving;
  daq.has_stimulus = true;
  return Stimulation::kWhole;
}

}  // namespace taut::hal::xcp
