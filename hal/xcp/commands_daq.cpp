#include "hal/xcp/commands.h"

namespace taut::hal::xcp {
namespace {

constexpr std::uint8_t kWholeBytes = 0xFF;  // WRITE_DAQ: no single bit
// Properties: dynamic lists, prescaler, timestamps.
constexpr std::uint8_t kDaqProperties = 0x01 | 0x02 | 0x10;
// A tick as the standard counts: 500 units of 1 us (3), 5 of 100 us (5).
constexpr std::uint8_t kTimestampMode = kTimestampBytes | 3U << 4U;
constexpr std::uint32_t kTimestampTicks = 500;
constexpr std::uint8_t kEventCycle = 5;
constexpr std::uint8_t kEventUnit = 5;
constexpr std::uint8_t kEventOfDaq = 0x04;
constexpr std::uint8_t kEventOfStim = 0x08;

// Stopping is always allowed; what stimulates must be unlocked to start.
Error may_start(const Call& call, std::size_t list) {
  const bool stimulates = (call.state.daq.list[list].mode & kListIsStim) != 0;
  if (stimulates && (call.state.unlocked & kResourceStim) == 0) {
    return Error::kAccessLocked;
  }
  return check_list(call.model.table, call.state.daq, list);
}

void start(DaqState& daq, DaqList& list) {
  list.is_running = true;
  list.is_selected = false;
  list.wait = 0;
  daq.has_pointer = false;
}

void stop(DaqState& daq, DaqList& list) {
  if (list.is_running && (list.mode & kListIsStim) != 0) {
    daq.odts_arrived = 0;
    daq.has_stimulus = false;
  }
  list.is_running = false;
  list.is_selected = false;
}

}  // namespace

Error set_daq_ptr(Call& call) {
  return set_pointer(call.state.daq, get_u16(&call.packet[2]), call.packet[4], call.packet[5]);
}

Error write_daq(Call& call) {
  if (call.packet[1] != kWholeBytes || call.packet[3] != 0) {
    return Error::kOutOfRange;
  }
  return write_entry(call.model.table, call.state.daq, get_u32(&call.packet[4]), call.packet[2]);
}

Error set_daq_list_mode(Call& call) {
  DaqState& daq = call.state.daq;
  const std::uint8_t mode = call.packet[1];
  const std::size_t list = get_u16(&call.packet[2]);
  const std::uint8_t prescaler = call.packet[6];
  const std::uint8_t priority = call.packet[7];
  if (list >= daq.lists || get_u16(&call.packet[4]) != 0 || prescaler == 0 || priority != 0) {
    return Error::kOutOfRange;
  }
  if (daq.list[list].is_running) {
    return Error::kDaqActive;
  }
  const bool stimulates = (mode & kListIsStim) != 0;
  if ((mode & ~(kListIsStim | kListHasTimestamp)) != 0 || (stimulates && prescaler != 1) ||
      (stimulates && !call.model.is_source_of_inputs)) {
    return Error::kModeNotValid;
  }
  if (stimulates && (call.state.unlocked & kResourceStim) == 0) {
    return Error::kAccessLocked;
  }
  daq.list[list].mode = mode;
  daq.list[list].prescaler = prescaler;
  return Error::kNone;
}

Error start_stop_daq_list(Call& call) {
  constexpr std::uint8_t kStop = 0;
  constexpr std::uint8_t kStart = 1;
  constexpr std::uint8_t kSelect = 2;
  DaqState& daq = call.state.daq;
  const std::uint8_t mode = call.packet[1];
  const std::size_t place = get_u16(&call.packet[2]);
  if (place >= daq.lists) {
    return Error::kOutOfRange;
  }
  if (mode > kSelect) {
    return Error::kModeNotValid;
  }
  DaqList& list = daq.list[place];
  if (mode == kStart) {
    const Error error = may_start(call, place);
    if (error != Error::kNone) {
      return error;
    }
    start(daq, list);
  } else if (mode == kSelect) {
    list.is_selected = true;
  } else if (mode == kStop) {
    stop(daq, list);
  }
  call.response.size = 2;
  call.response.bytes[1] = list.first_odt;
  return Error::kNone;
}

// All that are selected start, or none.
Error start_stop_synch(Call& call) {
  constexpr std::uint8_t kStopAll = 0;
  constexpr std::uint8_t kStartSelected = 1;
  constexpr std::uint8_t kStopSelected = 2;
  DaqState& daq = call.state.daq;
  const std::uint8_t mode = call.packet[1];
  if (mode > kStopSelected) {
    return Error::kModeNotValid;
  }
  for (std::size_t i = 0; mode == kStartSelected && i < daq.lists; ++i) {
    const Error error = daq.list[i].is_selected ? may_start(call, i) : Error::kNone;
    if (error != Error::kNone) {
      return error;
    }
  }
  for (std::size_t i = 0; i < daq.lists; ++i) {
    if (mode == kStopAll || (mode == kStopSelected && daq.list[i].is_selected)) {
      stop(daq, daq.list[i]);
    } else if (mode == kStartSelected && daq.list[i].is_selected) {
      start(daq, daq.list[i]);
    }
  }
  return Error::kNone;
}

Error get_daq_clock(Call& call) {
  call.response.size = 8;
  put_u32(&call.response.bytes[4], call.state.tick);
  return Error::kNone;
}

Error get_daq_processor_info(Call& call) {
  call.response.size = 8;
  call.response.bytes[1] = kDaqProperties;
  put_u16(&call.response.bytes[2], call.state.daq.lists);
  put_u16(&call.response.bytes[4], 1);  // events
  return Error::kNone;
}

Error get_daq_resolution_info(Call& call) {
  call.response.size = 8;
  call.response.bytes[1] = kEntryGranularity;
  call.response.bytes[2] = kMaxEntrySize;
  call.response.bytes[3] = kEntryGranularity;
  call.response.bytes[4] = kMaxEntrySize;
  call.response.bytes[5] = kTimestampMode;
  put_u16(&call.response.bytes[6], kTimestampTicks);
  return Error::kNone;
}

Error get_daq_event_info(Call& call) {
  if (get_u16(&call.packet[2]) != 0) {
    return Error::kOutOfRange;
  }
  call.state.mta_kind = MtaKind::kEventName;
  call.state.mta = 0;
  call.response.size = 7;
  call.response.bytes[1] =
      static_cast<std::uint8_t>(kEventOfDaq | (call.model.is_source_of_inputs ? kEventOfStim : 0));
  call.response.bytes[2] = kMaxLists;
  call.response.bytes[3] = static_cast<std::uint8_t>(kEventName.size());
  call.response.bytes[4] = kEventCycle;
  call.response.bytes[5] = kEventUnit;
  return Error::kNone;
}

Error free_daq(Call& call) {
  free_lists(call.state.daq);
  return Error::kNone;
}

Error alloc_daq(Call& call) {
  return allocate_lists(call.state.daq, get_u16(&call.packet[2]));
}

Error alloc_odt(Call& call) {
  return allocate_odts(call.state.daq, get_u16(&call.packet[2]), call.packet[4]);
}

Error alloc_odt_entry(Call& call) {
  return allocate_entries(call.state.daq, get_u16(&call.packet[2]), call.packet[4], call.packet[5]);
}

}  // namespace taut::hal::xcp
