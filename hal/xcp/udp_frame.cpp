#include "hal/xcp/udp_frame.h"

#include <cstring>

#include "sim_core/assert.h"

namespace taut::hal::xcp {

std::size_t encode_udp(etl::span<const std::uint8_t> packet, std::uint16_t counter,
                       UdpFrame& frame) {
  TAUT_ASSERT(packet.size() <= kMaxDto, packet.size());
  put_u16(frame.data(), static_cast<std::uint32_t>(packet.size()));
  put_u16(&frame[2], counter);
  std::memcpy(&frame[kUdpHeaderBytes], packet.data(), packet.size());
  return kUdpHeaderBytes + packet.size();
}

UdpRead decode_udp(etl::span<const std::uint8_t> datagram, std::size_t& at, Packet& packet) {
  const std::size_t left = datagram.size() - at;
  const std::size_t size = left < kUdpHeaderBytes ? 0 : get_u16(datagram.data() + at);
  if (size == 0 || size > kMaxDto || size > left - kUdpHeaderBytes) {
    at = datagram.size();
    return {false, left == 0};
  }
  packet.size = static_cast<std::uint16_t>(size);
  std::memcpy(packet.bytes.data(), datagram.data() + at + kUdpHeaderBytes, size);
  at += kUdpHeaderBytes + size;
  return {true, true};
}

}  // namespace taut::hal::xcp
