// XCP on a serial line: frames as the standard has them, found again after any damage.
#include <cstring>

#include "unity.h"

#include "hal/xcp/sxi_frame.h"

namespace {

using namespace taut::hal::xcp;

// Bytes that look random, the same everywhere.
std::uint8_t byte_of(std::uint32_t seed) {
  return static_cast<std::uint8_t>((seed * 2654435761U) >> 24U);
}

Packet packet_of(std::size_t size, std::uint32_t seed) {
  Packet packet{static_cast<std::uint16_t>(size), {}};
  for (std::size_t i = 0; i < size; ++i) {
    packet.bytes[i] = byte_of(seed + static_cast<std::uint32_t>(i));
  }
  return packet;
}

// A line of several frames.
struct Line {
  void add(const Packet& packet) {
    SxiFrame frame{};
    const std::size_t added = encode_sxi(content(packet), counter++, frame);
    std::memcpy(&bytes[size], frame.data(), added);
    size += added;
  }
  etl::array<std::uint8_t, 2048> bytes{};
  std::size_t size = 0;
  std::uint16_t counter = 7;
};

// Whether the next packet of the line is this one.
bool comes(SxiDecoder& decoder, const Line& line, std::size_t& at, const Packet& expected) {
  Packet packet{};
  at += decode_sxi(decoder, {line.bytes.data() + at, line.size - at}, packet);
  return packet.size == expected.size &&
         std::memcmp(packet.bytes.data(), expected.bytes.data(), packet.size) == 0;
}

void test_frame_is_as_the_standard_has_it() {
  const std::uint8_t packet[] = {0xFF, 0x00, 0x12};
  SxiFrame frame{};
  TEST_ASSERT_EQUAL_UINT32(10, encode_sxi(packet, 0x0201, frame));
  // length, counter, packet, fill, sum of 0003 + 0201 + 00FF + 0012
  const std::uint8_t expected[] = {3, 0, 1, 2, 0xFF, 0, 0x12, 0, 0x15, 0x03};
  TEST_ASSERT_EQUAL_MEMORY(expected, frame.data(), sizeof expected);
}

void test_every_length_comes_through_byte_by_byte() {
  for (std::size_t size = 1; size <= kMaxDto; ++size) {
    Line line;
    const Packet sent = packet_of(size, static_cast<std::uint32_t>(size));
    line.add(sent);
    SxiDecoder decoder{};
    Packet packet{};
    for (std::size_t i = 0; i < line.size; ++i) {
      TEST_ASSERT_EQUAL_UINT32(0, packet.size);
      TEST_ASSERT_EQUAL_UINT32(1, decode_sxi(decoder, {&line.bytes[i], 1}, packet));
    }
    TEST_ASSERT_EQUAL_UINT32(size, packet.size);
    TEST_ASSERT_EQUAL_MEMORY(sent.bytes.data(), packet.bytes.data(), size);
  }
}

void test_frames_in_a_row_and_a_gap_between_them() {
  Line line;
  line.add(packet_of(8, 1));
  line.add(packet_of(5, 2));
  line.counter = static_cast<std::uint16_t>(line.counter + 3);
  line.add(packet_of(248, 3));
  SxiDecoder decoder{};
  std::size_t at = 0;
  TEST_ASSERT_TRUE(comes(decoder, line, at, packet_of(8, 1)));
  TEST_ASSERT_TRUE(comes(decoder, line, at, packet_of(5, 2)));
  TEST_ASSERT_TRUE(comes(decoder, line, at, packet_of(248, 3)));
  TEST_ASSERT_EQUAL_UINT32(line.size, at);
  TEST_ASSERT_EQUAL_UINT32(3, decoder.frames);
  TEST_ASSERT_EQUAL_UINT32(3, decoder.frames_missed);
  TEST_ASSERT_EQUAL_UINT32(0, decoder.bytes_skipped);
}

// Whatever bit flips, the frame is not taken for another, and the one after next comes through.
void test_every_flipped_bit_is_rejected() {
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{8}, std::size_t{34},
                                 std::size_t{113}, kMaxDto}) {
    Line line;
    line.add(packet_of(size, 100));
    const std::size_t first = line.size;
    for (std::uint32_t i = 0; i < 5; ++i) {
      line.add(packet_of(kMaxDto, 1000 + i));
    }
    for (std::size_t bit = 0; bit < first * 8; ++bit) {
      Line damaged = line;
      damaged.bytes[bit / 8] = static_cast<std::uint8_t>(damaged.bytes[bit / 8] ^ 1U << bit % 8);
      SxiDecoder decoder{};
      std::size_t at = 0;
      for (std::uint32_t i = 0; i < 5; ++i) {
        TEST_ASSERT_TRUE(comes(decoder, damaged, at, packet_of(kMaxDto, 1000 + i)));
      }
      TEST_ASSERT_EQUAL_UINT32(5, decoder.frames);
    }
  }
}

void test_noise_before_a_frame_is_skipped() {
  Line line;
  for (std::size_t i = 0; i < 500; ++i) {
    line.bytes[line.size++] = byte_of(static_cast<std::uint32_t>(77 + i));
  }
  // As long as the longest frame: whatever the noise began is over by then.
  line.add(packet_of(20, 1));
  line.add(packet_of(kMaxDto, 2));
  line.add(packet_of(kMaxDto, 3));
  SxiDecoder decoder{};
  std::size_t at = 0;
  TEST_ASSERT_TRUE(comes(decoder, line, at, packet_of(20, 1)));
  TEST_ASSERT_TRUE(comes(decoder, line, at, packet_of(kMaxDto, 2)));
  TEST_ASSERT_EQUAL_UINT32(500, decoder.bytes_skipped);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_frame_is_as_the_standard_has_it);
  RUN_TEST(test_every_length_comes_through_byte_by_byte);
  RUN_TEST(test_frames_in_a_row_and_a_gap_between_them);
  RUN_TEST(test_every_flipped_bit_is_rejected);
  RUN_TEST(test_noise_before_a_frame_is_skipped);
  return UNITY_END();
}
