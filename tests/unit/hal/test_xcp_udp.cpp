// XCP on UDP with a flipped bit, which nothing but UDP's own checksum would see: whatever it makes
// of a packet, nothing is written that is locked, and nothing out of range.
#include <cstring>

#include "unity.h"
#include <etl/optional.h>

#include "hal/xcp/udp_frame.h"
#include "tests/support/xcp_bench.h"

namespace {

using namespace taut;
using namespace taut::hal::xcp;
using test::row_of;
using test::XcpBench;

etl::optional<XcpBench> bench;

struct Datagram {
  UdpFrame bytes;
  std::size_t size;
};

Datagram datagram_of(std::initializer_list<int> packet) {
  etl::array<std::uint8_t, kMaxDto> bytes{};
  std::size_t size = 0;
  for (const int byte : packet) {
    bytes[size++] = static_cast<std::uint8_t>(byte);
  }
  Datagram datagram{};
  datagram.size = encode_udp({bytes.data(), size}, 0, datagram.bytes);
  return datagram;
}

Datagram flipped(const Datagram& datagram, std::size_t bit) {
  Datagram other = datagram;
  other.bytes[bit / 8] = static_cast<std::uint8_t>(other.bytes[bit / 8] ^ 1U << bit % 8);
  return other;
}

void receive(const Datagram& datagram) {
  Packet packet{};
  for (std::size_t at = 0;
       decode_udp({datagram.bytes.data(), datagram.size}, at, packet).has_packet;) {
    bench->send(content(packet));
  }
}

// What a master sends in a session: sets up, stimulates, reads, writes.
constexpr std::size_t kDatagrams = 20;
etl::array<Datagram, kDatagrams> session() {
  const std::uint32_t elongation = row_of(twin::Part::kCalibration, "elongation");
  const std::uint32_t link = row_of(twin::Part::kCalibration, "tagged_link");
  const std::uint32_t health = row_of(twin::Part::kMeasurement, "health");
  return {datagram_of({0xFF, 0}),
          datagram_of({0xFD}),
          datagram_of({0xFA, 1}),
          datagram_of({0xF8, 0, kResourceCalibration}),
          datagram_of({0xED, 4, 0, 0, TAUT_ADDRESS(elongation, 0), 0x0A, 0xD7, 0x23, 0x3C}),
          datagram_of({0xF6, 0, 0, 0, TAUT_ADDRESS(link, 0)}),
          datagram_of({0xF0, 4, 7, 0, 0, 0}),
          datagram_of({0xF4, 4, 0, 0, TAUT_ADDRESS(health, 0)}),
          datagram_of({0xF5, 4}),
          datagram_of({0xF9, 1, 0, 0}),
          datagram_of({0xEB, 3, 0, 0}),
          datagram_of({0xD6}),
          datagram_of({0xD5, 0, 1, 0}),
          datagram_of({0xD4, 0, 0, 0, 1}),
          datagram_of({0xD3, 0, 0, 0, 0, 1}),
          datagram_of({0xE2, 0, 0, 0, 0, 0}),
          datagram_of({0xE1, 0xFF, 4, 0, TAUT_ADDRESS(row_of(twin::Part::kInput, "edges"), 0)}),
          datagram_of({0xE0, kListIsStim, 0, 0, 0, 0, 1, 0}),
          datagram_of({0xDE, 1, 0, 0}),
          datagram_of({0, 5, 0, 0, 0})};
}

bool are_in_range(twin::Part part, etl::span<const std::uint8_t> image) {
  bool are = true;
  for (const signal::Entry& entry : twin::entries(part)) {
    are = are && is_in_range(entry, image.subspan(entry.offset, size_of(entry)));
  }
  return are;
}

// The session with one bit of one datagram flipped, from the same start each time.
// From the datagram `first` on: all, or what follows CONNECT.
template <typename Start, typename Check>
void flip_every_bit(std::size_t first, Start start, Check check) {
  const etl::array<Datagram, kDatagrams> datagrams = session();
  for (std::size_t wrong = first; wrong < kDatagrams; ++wrong) {
    for (std::size_t bit = 0; bit < datagrams[wrong].size * 8; ++bit) {
      bench.emplace();
      start();
      for (std::size_t i = first; i < kDatagrams; ++i) {
        receive(i == wrong ? flipped(datagrams[i], bit) : datagrams[i]);
      }
      bench->tick();
      check();
    }
  }
}

void test_while_locked_no_flip_writes_anything() {
  flip_every_bit(
      0, [] { static_cast<void>(bench->challenges.push(test::kChallenge)); },
      [] {
        const signal::SensorFrame no_frame{};
        twin::Calibration calibration{};
        calibration.elongation = 0.01F;
        TEST_ASSERT_EQUAL_MEMORY(&calibration, &bench->calibration, sizeof calibration);
        TEST_ASSERT_EQUAL_MEMORY(&no_frame, &bench->frame, sizeof no_frame);
        TEST_ASSERT_EQUAL_UINT32(0, bench->state.counters.writes);
        TEST_ASSERT_EQUAL_HEX8(0, bench->state.unlocked);
      });
}

void test_while_unlocked_no_flip_writes_out_of_range() {
  flip_every_bit(
      1,
      [] {
        bench->connect();
        bench->state.unlocked = kResourceCalibration | kResourceStim;
        static_cast<void>(bench->challenges.push(test::kChallenge));
      },
      [] {
        TEST_ASSERT_TRUE(are_in_range(twin::Part::kCalibration, bench->images.calibrations));
        TEST_ASSERT_TRUE(are_in_range(twin::Part::kInput, bench->images.inputs));
        signal::Prediction prediction{};
        prediction.tick = bench->ticks;
        TEST_ASSERT_EQUAL_MEMORY(&prediction, &bench->prediction, sizeof prediction);
      });
}

// Every bit but those of the counter, which nobody looks at.
void test_no_flip_of_a_key_unlocks() {
  Datagram key{};
  etl::array<std::uint8_t, 2 + kKeyBytes> packet = {0xF7, kKeyBytes};
  std::memcpy(&packet[2], test::kChallenge.key.data(), kKeyBytes);
  key.size = encode_udp(packet, 0, key.bytes);
  const auto is_unlocked_by = [](const Datagram& datagram) {
    bench.emplace();
    bench->connect();
    static_cast<void>(bench->challenges.push(test::kChallenge));
    bench->expect_ok({0xF8, 0, kResourceCalibration});
    receive(datagram);
    return bench->state.unlocked != 0;
  };
  TEST_ASSERT_TRUE(is_unlocked_by(key));
  for (std::size_t bit = 0; bit < key.size * 8; ++bit) {
    const bool is_of_counter = bit / 8 == 2 || bit / 8 == 3;
    TEST_ASSERT_EQUAL(is_of_counter, is_unlocked_by(flipped(key, bit)));
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_while_locked_no_flip_writes_anything);
  RUN_TEST(test_while_unlocked_no_flip_writes_out_of_range);
  RUN_TEST(test_no_flip_of_a_key_unlocks);
  return UNITY_END();
}
