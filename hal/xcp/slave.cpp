#include "hal/xcp/slave.h"

#include <cstring>

#include "hal/xcp/commands.h"
#include "sim_core/assert.h"

namespace taut::hal::xcp {
namespace {

// Of a packet of this command, at least; 0: not one of ours.
std::size_t smallest_size(Command command) {
  switch (command) {
    case Command::kDisconnect:
    case Command::kGetStatus:
    case Command::kSynch:
    case Command::kGetCommModeInfo:
    case Command::kGetPagProcessorInfo:
    case Command::kGetDaqClock:
    case Command::kGetDaqProcessorInfo:
    case Command::kGetDaqResolutionInfo:
    case Command::kFreeDaq:
      return 1;
    case Command::kConnect:
    case Command::kGetId:
    case Command::kUnlock:
    case Command::kUpload:
    case Command::kDownload:
    case Command::kStartStopSynch:
      return 2;
    case Command::kGetSeed:
    case Command::kGetCalPage:
      return 3;
    case Command::kSetRequest:
    case Command::kSetCalPage:
    case Command::kStartStopDaqList:
    case Command::kGetDaqEventInfo:
    case Command::kAllocDaq:
      return 4;
    case Command::kAllocOdt:
      return 5;
    case Command::kSetDaqPtr:
    case Command::kAllocOdtEntry:
      return 6;
    case Command::kSetMta:
    case Command::kShortUpload:
    case Command::kShortDownload:
    case Command::kWriteDaq:
    case Command::kSetDaqListMode:
      return 8;
  }
  return 0;
}

Error run(Command command, Call& call) {
  switch (command) {
    case Command::kConnect:
      return connect(call);
    case Command::kDisconnect:
      end_session(call.state);
      return Error::kNone;
    case Command::kGetStatus:
      return get_status(call);
    case Command::kSynch:
      return Error::kSynch;
    case Command::kGetCommModeInfo:
      return get_comm_mode_info(call);
    case Command::kGetId:
      return get_id(call);
    case Command::kSetRequest:
      return set_request(call);
    case Command::kGetSeed:
      return get_seed(call);
    case Command::kUnlock:
      return unlock(call);
    case Command::kSetMta:
      return set_mta(call);
    case Command::kUpload:
      return upload(call);
    case Command::kShortUpload:
      return short_upload(call);
    case Command::kDownload:
      return download(call);
    case Command::kShortDownload:
      return short_download(call);
    case Command::kSetCalPage:
      return set_cal_page(call);
    case Command::kGetCalPage:
      return get_cal_page(call);
    case Command::kGetPagProcessorInfo:
      return get_pag_processor_info(call);
    case Command::kSetDaqPtr:
      return set_daq_ptr(call);
    case Command::kWriteDaq:
      return write_daq(call);
    case Command::kSetDaqListMode:
      return set_daq_list_mode(call);
    case Command::kStartStopDaqList:
      return start_stop_daq_list(call);
    case Command::kStartStopSynch:
      return start_stop_synch(call);
    case Command::kGetDaqClock:
      return get_daq_clock(call);
    case Command::kGetDaqProcessorInfo:
      return get_daq_processor_info(call);
    case Command::kGetDaqResolutionInfo:
      return get_daq_resolution_info(call);
    case Command::kGetDaqEventInfo:
      return get_daq_event_info(call);
    case Command::kFreeDaq:
      return free_daq(call);
    case Command::kAllocDaq:
      return alloc_daq(call);
    case Command::kAllocOdt:
      return alloc_odt(call);
    case Command::kAllocOdtEntry:
      return alloc_odt_entry(call);
  }
  return Error::kUnknown;
}

Error dispatch(Call& call) {
  const auto command = static_cast<Command>(call.packet[0]);
  const std::size_t smallest = smallest_size(command);
  if (smallest == 0) {
    return Error::kUnknown;
  }
  if (call.packet.size() < smallest || call.packet.size() > kMaxCto) {
    return Error::kSyntax;
  }
  return run(command, call);
}

void handle_stimulus(const SlaveModel& model, SlaveState& state,
                     etl::span<const std::uint8_t> packet) {
  const bool had_one = state.daq.has_stimulus;
  const bool is_open = state.is_connected && (state.unlocked & kResourceStim) != 0;
  const Stimulation taken =
      is_open ? stimulate(model.table, state.daq, packet) : Stimulation::kRefused;
  state.counters.stim_refused += taken == Stimulation::kRefused ? 1 : 0;
  state.counters.stim_overwritten += taken == Stimulation::kWhole && had_one ? 1 : 0;
}

// Only CONNECT, and only in normal mode, is heard by a slave that is not connected.
bool is_heard(const SlaveState& state, etl::span<const std::uint8_t> packet) {
  return state.is_connected || (static_cast<Command>(packet[0]) == Command::kConnect &&
                                packet.size() >= 2 && packet[1] == 0);
}

}  // namespace

void init(const SlaveModel& model, const Images& images, SlaveState& state) {
  TAUT_ASSERT(fits(model.table, images), images.inputs.size());
  TAUT_ASSERT(images.inputs.size() <= kMaxInputBytes, images.inputs.size());
  TAUT_ASSERT(images.calibrations.size() <= kMaxCalibrationBytes, images.calibrations.size());
  std::memset(&state, 0, sizeof state);
  std::memcpy(state.calibration.data(), images.calibrations.data(), images.calibrations.size());
}

bool take_stimulus(SlaveState& state, const Images& images) {
  DaqState& daq = state.daq;
  if (!daq.has_stimulus) {
    return false;
  }
  daq.has_stimulus = false;
  // What the list does not hold stays as it was.
  for (std::size_t i = 0; i < daq.lists; ++i) {
    const DaqList& list = daq.list[i];
    for (std::size_t j = 0; list.is_running && (list.mode & kListIsStim) != 0 && j < list.odts;
         ++j) {
      const Odt& odt = daq.odt[list.first_odt + j];
      for (std::size_t k = 0; k < odt.entries; ++k) {
        const DaqEntry& entry = daq.entry[odt.first_entry + k];
        copy_words(images.inputs.data() + entry.offset, &daq.stimulus[entry.offset], entry.size);
      }
    }
  }
  return true;
}

bool commit_calibration(SlaveState& state, const Images& images) {
  const bool has_changed = state.is_dirty;
  if (has_changed) {
    std::memcpy(images.calibrations.data(), state.calibration.data(), images.calibrations.size());
    state.is_dirty = false;
  }
  return has_changed;
}

void sample_daq(SlaveState& state, const Images& images, std::uint32_t tick,
                const SlaveQueues& queues) {
  state.tick = tick;
  state.lock_out_ticks -= state.lock_out_ticks > 0 ? 1 : 0;
  state.counters.dto_dropped += sample(state.daq, images, tick, kReservedForResponses, queues.out);
}

bool handle(const SlaveModel& model, SlaveState& state, const Images& images,
            etl::span<const std::uint8_t> packet, const SlaveQueues& queues, Packet& response) {
  ++state.counters.handled;
  if (packet.empty() || packet.size() > kMaxDto) {
    ++state.counters.ignored;
    return false;
  }
  if (packet[0] < kFirstCommand) {
    handle_stimulus(model, state, packet);
    return false;
  }
  if (!is_heard(state, packet)) {
    ++state.counters.ignored;
    return false;
  }
  std::memset(response.bytes.data(), 0, kMaxCto);
  response.size = 1;
  response.bytes[0] = kPidResponse;
  Call call{model, state, images, queues, packet, response};
  const Error error = dispatch(call);
  if (error != Error::kNone) {
    response.size = 2;
    response.bytes[0] = kPidError;
    response.bytes[1] = static_cast<std::uint8_t>(error);
    state.counters.refused += error == Error::kSynch ? 0 : 1;
  }
  return true;
}

std::size_t serve(const SlaveModel& model, SlaveState& state, const Images& images,
                  const SlaveQueues& queues) {
  Packet packet;
  Packet response;
  if (state.has_stored && state.is_connected) {
    response.size = 2;
    response.bytes[0] = kPidEvent;
    response.bytes[1] = kEventStored;
    state.has_stored = !queues.out.push(response);
  }
  std::size_t taken = 0;
  for (; taken < kPacketsPerTick && queues.in.pop(packet); ++taken) {
    if (handle(model, state, images, content(packet), queues, response) &&
        !queues.out.push(response)) {
      ++state.counters.responses_dropped;
    }
  }
  return taken;
}

void end_storing(SlaveState& state, bool is_kept) {
  state.has_stored = state.store_requested && is_kept;
  state.store_requested = false;
}

}  // namespace taut::hal::xcp
