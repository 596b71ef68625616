// XCP on UDP: each packet of a datagram behind its length and a counter, words in little endian.
// Nothing but UDP's own checksum protects it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/array.h>
#include <etl/span.h>

#include "hal/xcp/packet.h"

namespace taut::hal::xcp {

inline constexpr std::size_t kUdpHeaderBytes = 4;
using UdpFrame = etl::array<std::uint8_t, kUdpHeaderBytes + kMaxDto>;

// Returns the bytes of the frame. Packets of a slave are never longer than a frame holds.
[[nodiscard]] std::size_t encode_udp(etl::span<const std::uint8_t> packet, std::uint16_t counter,
                                     UdpFrame& frame);

// The packet at `at`, which moves behind it. False, with `at` at the end: no whole packet is left;
// is_clean tells whether none was begun either.
struct UdpRead {
  bool has_packet;
  bool is_clean;
};
[[nodiscard]] UdpRead decode_udp(etl::span<const std::uint8_t> datagram, std::size_t& at,
                                 Packet& packet);

}  // namespace taut::hal::xcp
