#include "hal/xcp/sxi_frame.h"

#include <cstring>

#include "sim_core/assert.h"

namespace taut::hal::xcp {
namespace {

// A packet of odd length is followed by one byte of fill.
std::size_t frame_size(std::size_t packet_size) {
  return kSxiHeaderBytes + (packet_size + 1) / 2 * 2 + kSxiTailBytes;
}

std::uint16_t sum_of_words(const std::uint8_t* bytes, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i + 1 < size; i += 2) {
    sum += get_u16(bytes + i);
  }
  return static_cast<std::uint16_t>(sum);
}

bool is_possible(std::size_t packet_size) {
  return packet_size > 0 && packet_size <= kMaxDto;
}

enum class Look : std::uint8_t { kTooShort, kWrong, kWhole };

Look look(const SxiDecoder& decoder) {
  if (decoder.filled < 2) {
    return Look::kTooShort;
  }
  const std::size_t packet_size = get_u16(decoder.bytes.data());
  if (!is_possible(packet_size)) {
    return Look::kWrong;
  }
  const std::size_t size = frame_size(packet_size);
  if (decoder.filled < size) {
    return Look::kTooShort;
  }
  const std::size_t tail = size - kSxiTailBytes;
  return get_u16(&decoder.bytes[tail]) == sum_of_words(decoder.bytes.data(), tail) ? Look::kWhole
                                                                                   : Look::kWrong;
}

void drop_front(SxiDecoder& decoder, std::size_t bytes) {
  decoder.filled -= bytes;
  std::memmove(decoder.bytes.data(), decoder.bytes.data() + bytes, decoder.filled);
}

void take_frame(SxiDecoder& decoder, Packet& packet) {
  packet.size = get_u16(decoder.bytes.data());
  std::memcpy(packet.bytes.data(), &decoder.bytes[kSxiHeaderBytes], packet.size);
  const std::uint16_t counter = get_u16(&decoder.bytes[2]);
  if (decoder.frames > 0) {
    decoder.frames_missed += static_cast<std::uint16_t>(counter - decoder.counter - 1);
  }
  decoder.counter = counter;
  ++decoder.frames;
  drop_front(decoder, frame_size(packet.size));
}

}  // namespace

std::size_t encode_sxi(etl::span<const std::uint8_t> packet, std::uint16_t counter,
                       SxiFrame& frame) {
  TAUT_ASSERT(is_possible(packet.size()), packet.size());
  const std::size_t size = frame_size(packet.size());
  const std::size_t tail = size - kSxiTailBytes;
  put_u16(frame.data(), static_cast<std::uint32_t>(packet.size()));
  put_u16(&frame[2], counter);
  frame[tail - 1] = 0;  // the fill, if there is one
  std::memcpy(&frame[kSxiHeaderBytes], packet.data(), packet.size());
  put_u16(&frame[tail], sum_of_words(frame.data(), tail));
  return size;
}

std::size_t decode_sxi(SxiDecoder& decoder, etl::span<const std::uint8_t> from, Packet& packet) {
  packet.size = 0;
  std::size_t taken = 0;
  for (;;) {
    switch (look(decoder)) {
      case Look::kWhole:
        take_frame(decoder, packet);
        return taken;
      case Look::kWrong:
        drop_front(decoder, 1);
        ++decoder.bytes_skipped;
        break;
      case Look::kTooShort:
        if (taken == from.size()) {
          return taken;
        }
        decoder.bytes[decoder.filled++] = from[taken++];
        break;
    }
  }
}

}  // namespace taut::hal::xcp
