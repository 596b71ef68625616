// XCP on a serial line (SxI, asynchronous full duplex): header of length and counter as words, the
// packet, fill to a whole word, and the sum of all words before as the tail. Little endian.
//
// A frame is trusted only whole, with a possible length and the right sum. Whatever is not is
// searched, byte by byte, for the next frame. A flipped bit of packet, counter or tail always
// shows; one of the length shows unless the bytes at the false end happen to be the sum (1 in
// 65536).
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/array.h>
#include <etl/span.h>

#include "hal/xcp/packet.h"

namespace taut::hal::xcp {

inline constexpr std::size_t kSxiHeaderBytes = 4;
inline constexpr std::size_t kSxiTailBytes = 2;
inline constexpr std::size_t kMaxSxiFrame = kSxiHeaderBytes + kMaxDto + kSxiTailBytes;
using SxiFrame = etl::array<std::uint8_t, kMaxSxiFrame>;

// Returns the bytes of the frame, from the first on.
[[nodiscard]] std::size_t encode_sxi(etl::span<const std::uint8_t> packet, std::uint16_t counter,
                                     SxiFrame& frame);

struct SxiDecoder {
  std::size_t filled;  // bytes that wait for the rest of their frame
  SxiFrame bytes;
  std::uint16_t counter;  // of the last whole frame
  // wrap
  std::uint32_t frames;
  std::uint32_t frames_missed;  // by the counters
  std::uint32_t bytes_skipped;  // in search of a frame
};

// Takes bytes until a frame is whole or there are no more, and returns how many it took;
// packet.size is 0 if no frame became whole. Work is bounded by the bytes taken and one frame.
[[nodiscard]] std::size_t decode_sxi(SxiDecoder& decoder, etl::span<const std::uint8_t> from,
                                     Packet& packet);

}  // namespace taut::hal::xcp
