#include <cstring>

#include "hal/xcp/commands.h"

namespace taut::hal::xcp {
namespace {

constexpr std::uint8_t kHasOptionalInfo = 0x80;   // COMM_MODE_BASIC; else little endian, bytes
constexpr std::uint8_t kDriverVersion = 0x10;     // 1.0
constexpr std::uint8_t kStoreCalibration = 0x01;  // bits of GET_STATUS and SET_REQUEST
constexpr std::uint8_t kDaqRuns = 0x40;

std::uint8_t resources(const SlaveModel& model) {
  const std::uint8_t stim = model.is_source_of_inputs ? kResourceStim : 0;
  return static_cast<std::uint8_t>(kResourceCalibration | kResourceDaq | stim);
}

// As long for a wrong key as for a right one, wherever they differ.
bool is_same(const std::uint8_t* left, const std::uint8_t* right, std::size_t size) {
  volatile std::uint8_t difference = 0;
  for (std::size_t i = 0; i < size; ++i) {
    difference = static_cast<std::uint8_t>(difference | (left[i] ^ right[i]));
  }
  return difference == 0;
}

}  // namespace

void begin_session(SlaveState& state) {
  end_session(state);
  state.is_connected = true;
}

void end_session(SlaveState& state) {
  state.is_connected = false;
  state.unlocked = 0;
  state.asked_resource = 0;
  state.mta_kind = MtaKind::kNone;
  free_lists(state.daq);
}

std::uint8_t protected_resources(const SlaveModel& model, const SlaveState& state) {
  const auto locked = static_cast<std::uint8_t>(resources(model) & ~state.unlocked);
  return static_cast<std::uint8_t>(locked & ~kResourceDaq);
}

Error connect(Call& call) {
  begin_session(call.state);
  call.response.size = 8;
  call.response.bytes[1] = resources(call.model);
  call.response.bytes[2] = kHasOptionalInfo;
  call.response.bytes[3] = kMaxCto;
  put_u16(&call.response.bytes[4], kMaxDto);
  call.response.bytes[6] = kProtocolVersion;
  call.response.bytes[7] = kTransportVersion;
  return Error::kNone;
}

Error get_status(Call& call) {
  call.response.size = 6;
  call.response.bytes[1] =
      static_cast<std::uint8_t>((is_running(call.state.daq) ? kDaqRuns : 0) |
                                (call.state.store_requested ? kStoreCalibration : 0));
  call.response.bytes[2] = protected_resources(call.model, call.state);
  return Error::kNone;
}

Error get_comm_mode_info(Call& call) {
  call.response.size = 8;
  call.response.bytes[7] = kDriverVersion;
  return Error::kNone;
}

// Text, and the name of the A2L without its ending: both the identification. Of what else there
// is none, and its length 0.
Error get_id(Call& call) {
  constexpr std::uint8_t kText = 0;
  constexpr std::uint8_t kA2lName = 1;
  const std::uint8_t type = call.packet[1];
  call.response.size = 8;
  if (type == kText || type == kA2lName) {
    put_u32(&call.response.bytes[4], static_cast<std::uint32_t>(call.model.identification.size()));
    call.state.mta_kind = MtaKind::kIdentification;
    call.state.mta = 0;
  }
  return Error::kNone;
}

Error set_request(Call& call) {
  if (call.packet[1] != kStoreCalibration) {
    return Error::kOutOfRange;
  }
  if ((call.state.unlocked & kResourceCalibration) == 0) {
    return Error::kAccessLocked;
  }
  call.state.store_requested = true;
  return Error::kNone;
}

Error get_seed(Call& call) {
  SlaveState& state = call.state;
  if (call.packet[1] == 1) {
    return Error::kSequence;  // the first part is all
  }
  const std::uint8_t resource = call.packet[2];
  const bool is_one =
      resource == kResourceCalibration || resource == kResourceDaq || resource == kResourceStim;
  if (call.packet[1] > 1 || !is_one || (resource & resources(call.model)) == 0) {
    return Error::kOutOfRange;
  }
  state.asked_resource = 0;
  call.response.size = 2;
  if ((resource & protected_resources(call.model, state)) == 0) {
    return Error::kNone;  // length 0: open
  }
  if (state.lock_out_ticks > 0) {
    return Error::kAccessLocked;
  }
  if (!call.queues.challenges.pop(state.asked)) {
    return Error::kBusy;
  }
  state.asked_resource = resource;
  call.response.bytes[1] = kSeedBytes;
  std::memcpy(&call.response.bytes[2], state.asked.seed.data(), kSeedBytes);
  call.response.size = 2 + kSeedBytes;
  return Error::kNone;
}

// A wrong key ends the session, as the standard has it.
Error unlock(Call& call) {
  SlaveState& state = call.state;
  const std::uint8_t resource = state.asked_resource;
  if (resource == 0) {
    return Error::kSequence;
  }
  state.asked_resource = 0;  // one try a seed
  if (state.lock_out_ticks > 0) {
    return Error::kAccessLocked;
  }
  const bool is_right = call.packet[1] == kKeyBytes && call.packet.size() >= 2 + kKeyBytes &&
                        is_same(&call.packet[2], state.asked.key.data(), kKeyBytes);
  if (!is_right) {
    ++state.failures;
    if (state.failures >= kMaxFailures) {
      state.failures = 0;
      state.lock_out_ticks = kLockOut_ticks;
    }
    end_session(state);
    return Error::kAccessLocked;
  }
  state.failures = 0;
  state.unlocked = static_cast<std::uint8_t>(state.unlocked | resource);
  call.response.size = 2;
  call.response.bytes[1] = protected_resources(call.model, state);
  return Error::kNone;
}

}  // namespace taut::hal::xcp
