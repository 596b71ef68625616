// An XCP slave over the twin's table, with a master at hand that speaks in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "unity.h"
#include <etl/array.h>
#include <etl/queue_spsc_atomic.h>
#include <etl/span.h>

#include "hal/xcp/slave.h"
#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"
#include "sim_core/twin/calibration.h"
#include "sim_core/twin/table.h"

namespace taut::test {

namespace xcp = hal::xcp;

template <typename Struct>
[[nodiscard]] etl::span<std::uint8_t> bytes_of(Struct& members) {
  return {reinterpret_cast<std::uint8_t*>(&members), sizeof members};
}

inline constexpr xcp::Challenge kChallenge = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                              {201, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};

class XcpBench {
 public:
  explicit XcpBench(bool is_source_of_inputs = true)
      : model{"taut",
              {twin::entries(twin::Part::kInput), twin::entries(twin::Part::kMeasurement),
               twin::entries(twin::Part::kCalibration)},
              is_source_of_inputs} {
    calibration.elongation = 0.01F;
    xcp::init(model, images, state);
  }

  // Numbers stand for bytes of the packet; the response, or size 0 if there is none.
  const xcp::Packet& send(etl::span<const std::uint8_t> packet) {
    if (!xcp::handle(model, state, images, packet, queues, response)) {
      response.size = 0;
    }
    return response;
  }
  const xcp::Packet& send(std::initializer_list<int> packet) {
    etl::array<std::uint8_t, 300> bytes{};
    std::size_t size = 0;
    for (const int byte : packet) {
      bytes[size++] = static_cast<std::uint8_t>(byte);
    }
    return send({bytes.data(), size});
  }

  void expect_ok(std::initializer_list<int> packet) {
    send(packet);
    TEST_ASSERT_TRUE(response.size >= 1);
    TEST_ASSERT_EQUAL_HEX8_MESSAGE(xcp::kPidResponse, response.bytes[0], "pid of response");
  }
  void expect(std::initializer_list<int> packet, std::initializer_list<int> expected) {
    send(packet);
    TEST_ASSERT_EQUAL_UINT32(expected.size(), response.size);
    std::size_t i = 0;
    for (const int byte : expected) {
      TEST_ASSERT_EQUAL_HEX8(byte, response.bytes[i]);
      ++i;
    }
  }
  void expect_error(xcp::Error error, std::initializer_list<int> packet) {
    expect(packet, {xcp::kPidError, static_cast<int>(error)});
  }

  void connect() { expect_ok({0xFF, 0}); }

  void unlock(std::uint8_t resource) {
    TEST_ASSERT_TRUE(challenges.push(kChallenge));
    expect_ok({0xF8, 0, resource});
    etl::array<std::uint8_t, 2 + xcp::kKeyBytes> packet = {0xF7, xcp::kKeyBytes};
    std::memcpy(&packet[2], kChallenge.key.data(), xcp::kKeyBytes);
    send(packet);
    TEST_ASSERT_EQUAL_HEX8(xcp::kPidResponse, response.bytes[0]);
  }

  // The tick's part, but for the twin itself.
  void tick() {
    static_cast<void>(xcp::take_stimulus(state, images));
    xcp::commit_calibration(state, images);
    ++ticks;
    prediction.tick = ticks;
    xcp::sample_daq(state, images, ticks, queues);
  }

  signal::SensorFrame frame{};
  signal::Prediction prediction{};
  twin::Calibration calibration{};
  xcp::SlaveModel model;
  xcp::Images images{bytes_of(frame), bytes_of(prediction), bytes_of(calibration)};
  xcp::SlaveState state{};
  xcp::PacketQueueOf<16> in;
  xcp::PacketQueueOf<16> out;
  etl::queue_spsc_atomic<xcp::WriteRecord, 4> log;
  etl::queue_spsc_atomic<xcp::Challenge, 1> challenges;
  xcp::SlaveQueues queues{in, out, log, challenges};
  xcp::Packet response{};
  std::uint32_t ticks = 0;
};

// Row of a name in its part, counted over the whole table; asserts that there is one.
[[nodiscard]] inline std::uint32_t row_of(twin::Part part, const char* name) {
  std::uint32_t row = 0;
  for (const twin::Part each :
       {twin::Part::kInput, twin::Part::kMeasurement, twin::Part::kCalibration}) {
    for (const signal::Entry& entry : twin::entries(each)) {
      if (each == part && std::strcmp(entry.name, name) == 0) {
        return row;
      }
      ++row;
    }
  }
  TEST_FAIL_MESSAGE(name);
  return 0;
}

// The row's number in the bytes of an address: address = row x 256 + byte.
#define TAUT_ADDRESS(row, byte) \
  (byte), static_cast<int>((row)&0xFF), static_cast<int>((row) >> 8), 0

}  // namespace taut::test
