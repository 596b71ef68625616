// One XCP packet without its transport's header and tail, queues of them between a transport and a
// slave, and how numbers lie in one: little endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <etl/array.h>
#include <etl/queue_spsc_atomic.h>
#include <etl/span.h>

#include "hal/xcp/protocol.h"

namespace taut::hal::xcp {

struct Packet {
  std::uint16_t size;
  etl::array<std::uint8_t, kMaxDto> bytes;  // those beyond the size mean nothing
};
static_assert(std::is_trivially_copyable_v<Packet>);

[[nodiscard]] inline etl::span<const std::uint8_t> content(const Packet& packet) {
  return {packet.bytes.data(), packet.size};
}

// One side pushes and one pops, each of which may interrupt the other: what is full refuses.
using PacketQueue = etl::iqueue_spsc_atomic<Packet>;
template <std::size_t kCapacity>
using PacketQueueOf = etl::queue_spsc_atomic<Packet, kCapacity>;

[[nodiscard]] inline std::uint16_t get_u16(const std::uint8_t* at) {
  return static_cast<std::uint16_t>(at[0] | at[1] << 8U);
}

[[nodiscard]] inline std::uint32_t get_u32(const std::uint8_t* at) {
  return get_u16(at) | static_cast<std::uint32_t>(get_u16(at + 2)) << 16U;
}

inline void put_u16(std::uint8_t* at, std::uint32_t value) {
  at[0] = static_cast<std::uint8_t>(value);
  at[1] = static_cast<std::uint8_t>(value >> 8U);
}

inline void put_u32(std::uint8_t* at, std::uint32_t value) {
  put_u16(at, value);
  put_u16(at + 2, value >> 16U);
}

}  // namespace taut::hal::xcp
