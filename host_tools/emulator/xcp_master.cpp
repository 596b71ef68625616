#include "host_tools/emulator/xcp_master.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

#include "hal/xcp/daq.h"
#include "sim_core/twin/table.h"

namespace taut::emulator {
namespace {

namespace xcp = hal::xcp;
using twin::Part;

// No answer for so long is none: an emulator on a busy machine may take its time.
constexpr int kPatience_s = 120;

void append_word(Packet& packet, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) {
    packet.push_back(static_cast<std::uint8_t>(word >> shift));
  }
}

Signal signal_of(std::size_t row, const signal::Entry& entry) {
  return {xcp::address_of(row), static_cast<std::uint8_t>(xcp::size_of(entry))};
}

Signal signal_in(Part part, const std::string& name) {
  std::size_t row = 0;
  for (const Part each : {Part::kInput, Part::kMeasurement, Part::kCalibration}) {
    for (const signal::Entry& entry : twin::entries(each)) {
      if (each == part && name == entry.name) {
        return signal_of(row, entry);
      }
      ++row;
    }
  }
  throw std::runtime_error("no row " + name);
}

}  // namespace

Signal input(const std::string& name) {
  return signal_in(Part::kInput, name);
}

Signal calibration(const std::string& name) {
  return signal_in(Part::kCalibration, name);
}

std::vector<Signal> all_measurements() {
  std::vector<Signal> signals;
  std::size_t row = twin::entries(Part::kInput).size();
  for (const signal::Entry& entry : twin::entries(Part::kMeasurement)) {
    signals.push_back(signal_of(row++, entry));
  }
  return signals;
}

void XcpMaster::send(const Packet& packet) {
  xcp::SxiFrame frame;
  const std::size_t size = xcp::encode_sxi({packet.data(), packet.size()}, counter_++, frame);
  for (std::size_t sent = 0; sent < size;) {
    const ssize_t now = ::write(to_, frame.data() + sent, size - sent);
    if (now <= 0) {
      throw std::runtime_error(std::string("the line takes nothing: ") + std::strerror(errno));
    }
    sent += static_cast<std::size_t>(now);
  }
}

void XcpMaster::wait_for_bytes() {
  for (int waited_s = 0; waited_s < kPatience_s; ++waited_s) {
    pollfd wait{from_, POLLIN, 0};
    if (::poll(&wait, 1, 1000) > 0) {
      return;
    }
    if (!is_there_()) {
      throw std::runtime_error("the board has ended");
    }
  }
  throw std::runtime_error("the board does not answer");
}

Packet XcpMaster::receive() {
  for (;;) {
    xcp::Packet packet{};
    taken_ += xcp::decode_sxi(decoder_, {bytes_.data() + taken_, bytes_.size() - taken_}, packet);
    if (packet.size > 0) {
      return {packet.bytes.begin(), packet.bytes.begin() + packet.size};
    }
    wait_for_bytes();
    bytes_.resize(4096);
    const ssize_t now = ::read(from_, bytes_.data(), bytes_.size());
    if (now <= 0) {
      throw std::runtime_error("the board has closed the line");
    }
    bytes_.resize(static_cast<std::size_t>(now));
    taken_ = 0;
  }
}

Packet XcpMaster::command(const Packet& packet) {
  send(packet);
  for (;;) {
    Packet response = receive();
    if (response[0] == xcp::kPidResponse) {
      return response;
    }
    if (response[0] == xcp::kPidError) {
      throw std::runtime_error("command " + std::to_string(packet[0]) + ": error " +
                               std::to_string(response.at(1)));
    }
    if (response[0] < xcp::kFirstCommand) {
      data_.push_back(std::move(response));
    }
  }
}

Packet XcpMaster::command(std::initializer_list<int> packet) {
  Packet bytes;
  for (const int byte : packet) {
    bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  return command(bytes);
}

void XcpMaster::connect() {
  const Packet response = command({0xFF, 0});
  if (xcp::get_u16(&response.at(4)) != xcp::kMaxDto) {
    throw std::runtime_error("another MAX_DTO than ours");
  }
}

void XcpMaster::unlock(std::uint8_t resource, const xcp::Secret& secret) {
  const Packet seed = command({0xF8, 0, resource});
  etl::array<std::uint8_t, xcp::kKeyBytes> key{};
  if (!xcp::make_key(secret, {seed.data() + 2, seed.size() - 2}, key)) {
    throw std::runtime_error("no keys in this build: Mbed TLS is missing");
  }
  Packet unlock = {0xF7, static_cast<std::uint8_t>(key.size())};
  unlock.insert(unlock.end(), key.begin(), key.end());
  command(unlock);
}

std::uint32_t XcpMaster::read_word(const Signal& signal) {
  Packet upload = {0xF4, sizeof(std::uint32_t), 0, 0};  // SHORT_UPLOAD
  append_word(upload, signal.address);
  return xcp::get_u32(&command(upload).at(1));
}

void XcpMaster::write_word(const Signal& signal, std::uint32_t word) {
  Packet download = {0xED, sizeof word, 0, 0};  // SHORT_DOWNLOAD
  append_word(download, signal.address);
  append_word(download, word);
  command(download);
}

void XcpMaster::keep_calibration() {
  constexpr std::uint8_t kStoreCalibration = 1;
  command({0xF9, kStoreCalibration, 0, 0});  // SET_REQUEST
  while ((command({0xFD}).at(1) & kStoreCalibration) != 0) {
  }
}

void XcpMaster::start_lists(const std::vector<Signal>& stimulated,
                            const std::vector<Signal>& measured) {
  const std::array<const std::vector<Signal>*, 2> lists = {&stimulated, &measured};
  command({0xD6});           // FREE_DAQ
  command({0xD5, 0, 2, 0});  // ALLOC_DAQ
  for (int list = 0; list < 2; ++list) {
    command({0xD4, 0, list, 0, 1});  // ALLOC_ODT
  }
  for (int list = 0; list < 2; ++list) {
    const auto& signals = *lists.at(static_cast<std::size_t>(list));
    command({0xD3, 0, list, 0, 0, static_cast<int>(signals.size())});  // ALLOC_ODT_ENTRY
  }
  for (int list = 0; list < 2; ++list) {
    command({0xE2, 0, list, 0, 0, 0});  // SET_DAQ_PTR
    for (const Signal& signal : *lists.at(static_cast<std::size_t>(list))) {
      Packet write = {0xE1, 0xFF, signal.size, 0};  // WRITE_DAQ
      append_word(write, signal.address);
      command(write);
    }
    const int mode = list == 0 ? xcp::kListIsStim : xcp::kListHasTimestamp;
    command({0xE0, mode, list, 0, 0, 0, 1, 0});  // SET_DAQ_LIST_MODE, event 0, prescaler 1
    command({0xDE, 2, list, 0});                 // START_STOP_DAQ_LIST: select
  }
  command({0xDD, 1});  // START_STOP_SYNCH: start selected
}

void XcpMaster::calibrate(const twin::Calibration& calibration) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&calibration);
  for (const signal::Entry& entry : twin::entries(Part::kCalibration)) {
    write_word(signal_in(Part::kCalibration, entry.name), xcp::get_u32(bytes + entry.offset));
  }
}

void XcpMaster::stimulate(const Packet& data) {
  Packet packet = {kStimOdt};
  packet.insert(packet.end(), data.begin(), data.end());
  send(packet);
}

Packet XcpMaster::measured() {
  Packet packet;
  if (data_.empty()) {
    packet = receive();
  } else {
    packet = std::move(data_.front());
    data_.pop_front();
  }
  if (packet.size() <= 1 + xcp::kTimestampBytes || packet[0] != kDaqOdt) {
    throw std::runtime_error("a packet that begins with " + std::to_string(packet[0]) +
                             " in place of measurements");
  }
  packet.erase(packet.begin(), packet.begin() + 1 + xcp::kTimestampBytes);
  return packet;
}

}  // namespace taut::emulator
