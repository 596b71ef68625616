#include <cstring>

#include "hal/xcp/commands.h"

namespace taut::hal::xcp {
namespace {

constexpr std::uint8_t kPageForEcu = 0x01;
constexpr std::uint8_t kPageForXcp = 0x02;
constexpr std::uint8_t kPageOfAllSegments = 0x80;

// Where a part can be read: calibrations as they will be from the next border of ticks on.
const std::uint8_t* readable(const Call& call, const Place& place) {
  switch (place.part) {
    case Part::kInput:
      return call.images.inputs.data() + place.offset;
    case Part::kMeasurement:
      return call.images.measurements.data() + place.offset;
    case Part::kCalibration:
      break;
  }
  return call.state.calibration.data() + place.offset;
}

Error upload_table(Call& call, std::size_t size) {
  const Place place = find(call.model.table, call.state.mta, size);
  if (place.entry == nullptr) {
    return Error::kAccessDenied;
  }
  std::memcpy(&call.response.bytes[1], readable(call, place), size);
  return Error::kNone;
}

Error upload_text(Call& call, etl::string_view text, std::size_t size) {
  if (size > text.size() - call.state.mta) {
    return Error::kAccessDenied;
  }
  std::memcpy(&call.response.bytes[1], text.data() + call.state.mta, size);
  return Error::kNone;
}

Error upload_from_mta(Call& call, std::size_t size) {
  switch (call.state.mta_kind) {
    case MtaKind::kNone:
      return Error::kSequence;
    case MtaKind::kTable:
      return upload_table(call, size);
    case MtaKind::kIdentification:
      return upload_text(call, call.model.identification, size);
    case MtaKind::kEventName:
      break;
  }
  return upload_text(call, kEventName, size);
}

Error move_mta(Call& call, std::uint8_t extension, std::uint32_t address) {
  if (extension != 0) {
    return Error::kOutOfRange;
  }
  call.state.mta_kind = MtaKind::kTable;
  call.state.mta = address;
  return Error::kNone;
}

std::uint64_t bits_of(const std::uint8_t* element, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, size);
  return bits;
}

// Into the copy that takes effect at the border. All is checked before anything changes.
Error write(Call& call, etl::span<const std::uint8_t> data) {
  SlaveState& state = call.state;
  const std::uint32_t address = state.mta;
  if ((state.unlocked & kResourceCalibration) == 0) {
    return Error::kAccessLocked;
  }
  if (state.mta_kind != MtaKind::kTable) {
    return Error::kSequence;
  }
  const Place place = find(call.model.table, address, data.size());
  if (place.entry == nullptr) {
    return Error::kAccessDenied;
  }
  if (place.part != Part::kCalibration) {
    return Error::kWriteProtected;
  }
  if (!is_whole(*place.entry, address, data.size())) {
    return Error::kAccessDenied;
  }
  if (!is_in_range(*place.entry, data)) {
    return Error::kOutOfRange;
  }
  const std::size_t element = signal::size_of(place.entry->type);
  if (call.queues.log.available() < data.size() / element) {
    return Error::kBusy;
  }
  std::uint8_t* kept = state.calibration.data() + place.offset;
  for (std::size_t i = 0; i < data.size(); i += element) {
    static_cast<void>(
        call.queues.log.push({state.tick, address + static_cast<std::uint32_t>(i),
                              bits_of(kept + i, element), bits_of(data.data() + i, element)}));
    ++state.counters.writes;
  }
  std::memcpy(kept, data.data(), data.size());
  state.is_dirty = true;
  state.mta += static_cast<std::uint32_t>(data.size());
  return Error::kNone;
}

}  // namespace

Error set_mta(Call& call) {
  return move_mta(call, call.packet[3], get_u32(&call.packet[4]));
}

Error upload(Call& call) {
  const std::size_t size = call.packet[1];
  if (size == 0 || size > kMaxCto - 1) {
    return Error::kOutOfRange;
  }
  const Error error = upload_from_mta(call, size);
  if (error == Error::kNone) {
    call.response.size = static_cast<std::uint16_t>(1 + size);
    call.state.mta += static_cast<std::uint32_t>(size);
  }
  return error;
}

Error short_upload(Call& call) {
  const Error error = move_mta(call, call.packet[3], get_u32(&call.packet[4]));
  return error == Error::kNone ? upload(call) : error;
}

Error download(Call& call) {
  const std::size_t size = call.packet[1];
  if (size == 0 || size > kMaxCto - 2) {
    return Error::kOutOfRange;
  }
  if (call.packet.size() < 2 + size) {
    return Error::kSyntax;
  }
  return write(call, call.packet.subspan(2, size));
}

Error short_download(Call& call) {
  const std::size_t size = call.packet[1];
  if (size == 0 || size > kMaxCto - 8) {
    return Error::kOutOfRange;
  }
  if (call.packet.size() < 8 + size) {
    return Error::kSyntax;
  }
  const Error error = move_mta(call, call.packet[3], get_u32(&call.packet[4]));
  return error == Error::kNone ? write(call, call.packet.subspan(8, size)) : error;
}

// One segment with one page, the same for the twin and for the master.
Error set_cal_page(Call& call) {
  const std::uint8_t mode = call.packet[1];
  if ((mode & (kPageForEcu | kPageForXcp)) == 0 ||
      (mode & ~(kPageForEcu | kPageForXcp | kPageOfAllSegments)) != 0) {
    return Error::kModeNotValid;
  }
  if ((mode & kPageOfAllSegments) == 0 && call.packet[2] != 0) {
    return Error::kSegmentNotValid;
  }
  return call.packet[3] == 0 ? Error::kNone : Error::kPageNotValid;
}

Error get_cal_page(Call& call) {
  if (call.packet[1] != kPageForEcu && call.packet[1] != kPageForXcp) {
    return Error::kModeNotValid;
  }
  if (call.packet[2] != 0) {
    return Error::kSegmentNotValid;
  }
  call.response.size = 4;
  return Error::kNone;
}

Error get_pag_processor_info(Call& call) {
  call.response.size = 3;
  call.response.bytes[1] = 1;  // segments
  return Error::kNone;
}

}  // namespace taut::hal::xcp
