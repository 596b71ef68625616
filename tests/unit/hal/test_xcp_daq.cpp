// Lists of an XCP master: allocated in order and within the pool, sampled every tick, stimulating
// only what they may.
#include <bit>

#include "unity.h"
#include <etl/optional.h>

#include "tests/support/xcp_bench.h"

namespace {

using namespace taut;
using hal::xcp::Error;
using test::row_of;
using test::XcpBench;
using twin::Part;

etl::optional<XcpBench> bench;

void allocate(int lists, int odts, int entries) {
  bench->expect({0xD6}, {0xFF});
  bench->expect({0xD5, 0, lists, 0}, {0xFF});
  for (int i = 0; i < lists; ++i) {
    bench->expect({0xD4, 0, i, 0, odts}, {0xFF});
  }
  for (int i = 0; i < lists; ++i) {
    for (int j = 0; j < odts; ++j) {
      bench->expect({0xD3, 0, i, 0, j, entries}, {0xFF});
    }
  }
}

void write_daq(std::uint32_t row, int byte, int size) {
  bench->expect({0xE1, 0xFF, size, 0, TAUT_ADDRESS(row, byte)}, {0xFF});
}

void test_allocation_is_bounded_by_the_pool() {
  bench->connect();
  bench->expect_ok({0xD6});
  bench->expect_error(Error::kMemoryOverflow, {0xD5, 0, 9, 0});
  bench->expect_error(Error::kMemoryOverflow, {0xD5, 0, 0, 1});
  bench->expect_ok({0xD5, 0, 8, 0});
  bench->expect_error(Error::kMemoryOverflow, {0xD4, 0, 0, 0, 33});
  bench->expect_ok({0xD4, 0, 0, 0, 31});
  bench->expect_error(Error::kMemoryOverflow, {0xD4, 0, 1, 0, 2});
  bench->expect_ok({0xD4, 0, 1, 0, 1});
  bench->expect_error(Error::kOutOfRange, {0xD4, 0, 8, 0, 1});
  bench->expect_ok({0xD3, 0, 0, 0, 0, 255});
  bench->expect_error(Error::kMemoryOverflow, {0xD3, 0, 1, 0, 0, 2});
  bench->expect_ok({0xD3, 0, 1, 0, 0, 1});
  bench->expect_error(Error::kOutOfRange, {0xD3, 0, 1, 0, 1, 1});
  bench->expect_error(Error::kOutOfRange, {0xD3, 0, 2, 0, 0, 1});
}

void test_allocation_has_an_order() {
  bench->connect();
  bench->expect_error(Error::kSequence, {0xD4, 0, 0, 0, 1});
  bench->expect_error(Error::kSequence, {0xD3, 0, 0, 0, 0, 1});
  bench->expect_ok({0xD5, 0, 2, 0});
  bench->expect_error(Error::kSequence, {0xD5, 0, 2, 0});
  bench->expect_error(Error::kSequence, {0xD3, 0, 0, 0, 0, 1});
  bench->expect_ok({0xD4, 0, 0, 0, 1});
  bench->expect_error(Error::kSequence, {0xD4, 0, 0, 0, 1});
  bench->expect_ok({0xD3, 0, 0, 0, 0, 1});
  bench->expect_error(Error::kSequence, {0xD3, 0, 0, 0, 0, 1});
  bench->expect_error(Error::kSequence, {0xD4, 0, 1, 0, 1});
}

void test_what_daq_can_do() {
  bench->connect();
  bench->expect({0xDA}, {0xFF, 0x13, 0, 0, 1, 0, 0, 0});
  bench->expect_ok({0xD5, 0, 3, 0});
  bench->expect({0xDA}, {0xFF, 0x13, 3, 0, 1, 0, 0, 0});
  bench->expect({0xD9}, {0xFF, 4, 240, 4, 240, 0x34, 0xF4, 0x01});  // 500 x 1 us
  bench->expect({0xD7, 0, 0, 0}, {0xFF, 0x0C, 8, 4, 5, 5, 0});
  bench->expect({0xF5, 4}, {0xFF, 't', 'i', 'c', 'k'});
  bench->expect_error(Error::kAccessDenied, {0xF5, 1});
  bench->expect_error(Error::kOutOfRange, {0xD7, 0, 1, 0});
  bench->tick();
  bench->tick();
  bench->expect({0xDC}, {0xFF, 0, 0, 0, 2, 0, 0, 0});
}

void test_entries_have_their_refusals() {
  bench->connect();
  allocate(1, 1, 2);
  const std::uint32_t row = row_of(Part::kMeasurement, "strand_mean_N");
  bench->expect_error(Error::kSequence, {0xE1, 0xFF, 4, 0, TAUT_ADDRESS(row, 0)});
  bench->expect_error(Error::kOutOfRange, {0xE2, 0, 1, 0, 0, 0});
  bench->expect_error(Error::kOutOfRange, {0xE2, 0, 0, 0, 1, 0});
  bench->expect_error(Error::kOutOfRange, {0xE2, 0, 0, 0, 0, 2});
  bench->expect_ok({0xE2, 0, 0, 0, 0, 0});
  bench->expect_error(Error::kOutOfRange, {0xE1, 3, 4, 0, TAUT_ADDRESS(row, 0)});  // a bit
  bench->expect_error(Error::kOutOfRange, {0xE1, 0xFF, 4, 1, TAUT_ADDRESS(row, 0)});
  bench->expect_error(Error::kOutOfRange, {0xE1, 0xFF, 2, 0, TAUT_ADDRESS(row, 0)});
  bench->expect_error(Error::kOutOfRange, {0xE1, 0xFF, 0, 0, TAUT_ADDRESS(row, 0)});
  bench->expect_error(Error::kOutOfRange, {0xE1, 0xFF, 4, 0, TAUT_ADDRESS(row, 2)});
  bench->expect_error(Error::kAccessDenied, {0xE1, 0xFF, 36, 0, TAUT_ADDRESS(row, 0)});
  bench->expect_error(Error::kAccessDenied, {0xE1, 0xFF, 4, 0, TAUT_ADDRESS(row, 32)});
  bench->expect_error(Error::kAccessDenied, {0xE1, 0xFF, 4, 0, 0, 0, 0, 1});
  write_daq(row, 0, 32);
  bench->expect_error(Error::kDaqConfig, {0xDE, 1, 0, 0});  // the second is not written yet
  write_daq(row, 28, 4);
  bench->expect_error(Error::kSequence, {0xE1, 0xFF, 4, 0, TAUT_ADDRESS(row, 0)});
  bench->expect({0xDE, 1, 0, 0}, {0xFF, 0});
  bench->expect_error(Error::kDaqActive, {0xE2, 0, 0, 0, 0, 0});
}

void test_list_modes_have_their_refusals() {
  bench->connect();
  allocate(1, 1, 1);
  bench->expect_error(Error::kOutOfRange, {0xE0, 0x10, 1, 0, 0, 0, 1, 0});  // list
  bench->expect_error(Error::kOutOfRange, {0xE0, 0x10, 0, 0, 1, 0, 1, 0});  // event
  bench->expect_error(Error::kOutOfRange, {0xE0, 0x10, 0, 0, 0, 0, 0, 0});  // prescaler
  bench->expect_error(Error::kOutOfRange, {0xE0, 0x10, 0, 0, 0, 0, 1, 1});  // priority
  bench->expect_error(Error::kModeNotValid, {0xE0, 0x20, 0, 0, 0, 0, 1, 0});
  bench->expect_error(Error::kAccessLocked, {0xE0, 0x02, 0, 0, 0, 0, 1, 0});
  bench->expect_error(Error::kOutOfRange, {0xDE, 1, 1, 0});
  bench->expect_error(Error::kModeNotValid, {0xDE, 3, 0, 0});
  bench->expect_error(Error::kModeNotValid, {0xDD, 3});
  bench->expect_error(Error::kDaqConfig, {0xDE, 1, 0, 0});
}

// Two packets a tick: identifier, time in the first, values.
void test_a_list_is_sampled_every_tick() {
  bench->connect();
  allocate(1, 2, 1);
  bench->expect_ok({0xE2, 0, 0, 0, 0, 0});
  write_daq(row_of(Part::kMeasurement, "tick"), 0, 4);
  bench->expect_ok({0xE2, 0, 0, 0, 1, 0});
  write_daq(row_of(Part::kMeasurement, "strand_mean_N"), 4, 8);
  bench->expect_ok({0xE0, 0x10, 0, 0, 0, 0, 1, 0});
  bench->tick();
  TEST_ASSERT_EQUAL_UINT32(0, bench->out.size());
  bench->expect({0xDE, 2, 0, 0}, {0xFF, 0});
  bench->tick();
  TEST_ASSERT_EQUAL_UINT32(0, bench->out.size());  // selected only
  bench->expect({0xDD, 1}, {0xFF});
  bench->expect({0xFD}, {0xFF, 0x40, 0x09, 0, 0, 0});
  bench->prediction.strand_mean_N[1] = 1.0F;
  bench->prediction.strand_mean_N[2] = 2.0F;
  bench->tick();
  hal::xcp::Packet packet{};
  TEST_ASSERT_TRUE(bench->out.pop(packet));
  const std::uint8_t first[] = {0, 3, 0, 0, 0, 3, 0, 0, 0};
  TEST_ASSERT_EQUAL_UINT32(sizeof first, packet.size);
  TEST_ASSERT_EQUAL_MEMORY(first, packet.bytes.data(), sizeof first);
  TEST_ASSERT_TRUE(bench->out.pop(packet));
  const std::uint8_t second[] = {1, 0, 0, 0x80, 0x3F, 0, 0, 0, 0x40};
  TEST_ASSERT_EQUAL_UINT32(sizeof second, packet.size);
  TEST_ASSERT_EQUAL_MEMORY(second, packet.bytes.data(), sizeof second);
  bench->expect({0xDD, 0}, {0xFF});
  bench->tick();
  TEST_ASSERT_EQUAL_UINT32(0, bench->out.size());
}

void test_prescaler_and_single_start_and_stop() {
  bench->connect();
  allocate(2, 1, 1);
  for (int list = 0; list < 2; ++list) {
    bench->expect_ok({0xE2, 0, list, 0, 0, 0});
    write_daq(row_of(Part::kMeasurement, "health"), 0, 4);
  }
  bench->expect_ok({0xE0, 0, 1, 0, 0, 0, 3, 0});
  bench->expect({0xDE, 1, 1, 0}, {0xFF, 1});
  for (int i = 0; i < 7; ++i) {
    bench->tick();
  }
  TEST_ASSERT_EQUAL_UINT32(3, bench->out.size());
  hal::xcp::Packet packet{};
  TEST_ASSERT_TRUE(bench->out.pop(packet));
  TEST_ASSERT_EQUAL_UINT32(5, packet.size);  // no time
  TEST_ASSERT_EQUAL_HEX8(1, packet.bytes[0]);
  bench->expect({0xDE, 0, 1, 0}, {0xFF, 1});
  bench->expect({0xFD}, {0xFF, 0, 0x09, 0, 0, 0});
}

// What finds no room is dropped by whole cycles and counted; room for responses stays.
void test_overflow_is_counted() {
  bench->connect();
  allocate(1, 2, 1);
  for (int odt = 0; odt < 2; ++odt) {
    bench->expect_ok({0xE2, 0, 0, 0, odt, 0});
    write_daq(row_of(Part::kMeasurement, "health"), 0, 4);
  }
  bench->expect_ok({0xDE, 1, 0, 0});
  for (int i = 0; i < 10; ++i) {
    bench->tick();
  }
  TEST_ASSERT_EQUAL_UINT32(10, bench->out.size());  // of 16, less 5
  TEST_ASSERT_EQUAL_UINT32(10, bench->state.counters.dto_dropped);
}

void test_packets_too_long_do_not_start() {
  bench->connect();
  allocate(1, 1, 8);
  bench->expect_ok({0xE2, 0, 0, 0, 0, 0});
  for (int i = 0; i < 7; ++i) {
    write_daq(row_of(Part::kMeasurement, "strand_mean_N"), 0, 32);
  }
  write_daq(row_of(Part::kMeasurement, "strand_mean_N"), 0, 20);  // 5 + 244
  bench->expect_error(Error::kDaqConfig, {0xDE, 1, 0, 0});
  bench->expect_ok({0xDE, 2, 0, 0});
  bench->expect_error(Error::kDaqConfig, {0xDD, 1});
  bench->expect_ok({0xE2, 0, 0, 0, 0, 7});
  write_daq(row_of(Part::kMeasurement, "strand_mean_N"), 0, 16);
  bench->expect_ok({0xDD, 1});
}

// A list of two packets over the sample's value and quality, unlocked and running.
void start_stimulation() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceStim);
  allocate(1, 2, 1);
  bench->expect_ok({0xE2, 0, 0, 0, 0, 0});
  write_daq(row_of(Part::kInput, "link_force_N"), 0, 4);
  bench->expect_ok({0xE2, 0, 0, 0, 1, 0});
  write_daq(row_of(Part::kInput, "link_force_N.quality"), 0, 4);
  bench->expect_ok({0xE0, 0x02, 0, 0, 0, 0, 1, 0});
  bench->expect_ok({0xDE, 1, 0, 0});
  bench->tick();
}

void test_stimulation_takes_effect_at_the_border() {
  start_stimulation();
  bench->frame.edges_lost = 17;
  TEST_ASSERT_EQUAL_UINT32(0, bench->send({0, 0, 0, 0x80, 0x3F}).size);  // no response
  TEST_ASSERT_FALSE(hal::xcp::take_stimulus(bench->state, bench->images));
  bench->send({1, 2, 0, 0, 0});
  TEST_ASSERT_EQUAL_FLOAT(0, bench->frame.link_force_N.value);
  TEST_ASSERT_TRUE(hal::xcp::has_stimulus(bench->state));
  // The begin of the next does not mix with it.
  bench->send({0, 0, 0, 0, 0x40});
  TEST_ASSERT_TRUE(hal::xcp::take_stimulus(bench->state, bench->images));
  TEST_ASSERT_EQUAL_FLOAT(1, bench->frame.link_force_N.value);
  TEST_ASSERT_EQUAL_UINT32(2, bench->frame.link_force_N.quality);
  TEST_ASSERT_EQUAL_UINT32(17, bench->frame.edges_lost);
  TEST_ASSERT_FALSE(hal::xcp::take_stimulus(bench->state, bench->images));
  bench->send({1, 0, 0, 0, 0});
  bench->send({0, 0, 0, 0x80, 0x3F});
  bench->send({1, 1, 0, 0, 0});
  TEST_ASSERT_EQUAL_UINT32(1, bench->state.counters.stim_overwritten);
  TEST_ASSERT_EQUAL_UINT32(0, bench->state.counters.stim_refused);
}

void test_stimulation_has_its_refusals() {
  start_stimulation();
  bench->send({0, 0, 0, 0x80});           // short
  bench->send({0, 0, 0, 0x80, 0x3F, 0});  // long
  bench->send({0});                       // nothing
  bench->send({2, 0, 0, 0, 0});           // no such packet
  bench->send({0xBF, 0, 0, 0, 0});
  bench->send({0, 0, 0, 0x80, 0x7F});  // infinity
  bench->send({0, 0, 0, 0xC0, 0x7F});  // not a number
  bench->send({1, 4, 0, 0, 0});        // quality of 4
  TEST_ASSERT_EQUAL_UINT32(8, bench->state.counters.stim_refused);
  TEST_ASSERT_EQUAL_UINT32(0, bench->state.daq.odts_arrived);
  bench->send({0, 0, 0, 0x80, 0x3F});
  bench->send({1, 1, 0, 0, 0});
  bench->expect_ok({0xDD, 0});
  TEST_ASSERT_FALSE(hal::xcp::take_stimulus(bench->state, bench->images));
  bench->send({1, 1, 0, 0, 0});  // stopped
  TEST_ASSERT_EQUAL_UINT32(9, bench->state.counters.stim_refused);
}

void test_stimulation_writes_inputs_only() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceStim);
  bench->unlock(hal::xcp::kResourceCalibration);
  const std::uint32_t rows[] = {row_of(Part::kMeasurement, "health"),
                                row_of(Part::kCalibration, "elongation")};
  for (const std::uint32_t row : rows) {
    allocate(1, 1, 1);
    bench->expect_ok({0xE2, 0, 0, 0, 0, 0});
    write_daq(row, 0, 4);
    bench->expect_ok({0xE0, 0x02, 0, 0, 0, 0, 1, 0});
    bench->expect_error(Error::kWriteProtected, {0xDE, 1, 0, 0});
  }
}

// What is known of a packet follows its entries when these are written anew.
void test_entries_may_be_written_again() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceStim);
  allocate(1, 1, 8);
  bench->expect_ok({0xE2, 0, 0, 0, 0, 0});
  for (int i = 0; i < 8; ++i) {
    write_daq(row_of(Part::kMeasurement, "strand_mean_N"), 0, 32);
  }
  bench->expect_error(Error::kDaqConfig, {0xDE, 1, 0, 0});  // 256 bytes
  bench->expect_ok({0xE2, 0, 0, 0, 0, 0});
  write_daq(row_of(Part::kMeasurement, "strand_mean_N"), 0, 4);
  bench->expect_ok({0xDE, 1, 0, 0});
  bench->expect_ok({0xDE, 0, 0, 0});
  bench->expect_ok({0xE0, 0x02, 0, 0, 0, 0, 1, 0});
  for (int i = 0; i < 8; ++i) {
    bench->expect_error(Error::kWriteProtected, {0xDE, 1, 0, 0});
    bench->expect_ok({0xE2, 0, 0, 0, 0, i});
    write_daq(row_of(Part::kInput, "edges"), 0, 4);
  }
  bench->expect_ok({0xDE, 1, 0, 0});
}

// As many bytes as the inputs have are enough to stimulate them all, and bound a tick's work.
void test_stimulation_is_no_longer_than_its_inputs() {
  constexpr int kElements = sizeof(signal::SensorFrame) / 4;
  for (const int more : {0, 1}) {
    bench.emplace();
    bench->connect();
    bench->unlock(hal::xcp::kResourceStim);
    allocate(1, 1, kElements + more);
    bench->expect_ok({0xE2, 0, 0, 0, 0, 0});
    for (int i = 0; i < kElements + more; ++i) {
      write_daq(row_of(Part::kInput, "edges"), 0, 4);
    }
    bench->expect_ok({0xE0, 0x02, 0, 0, 0, 0, 1, 0});
    if (more == 0) {
      bench->expect_ok({0xDE, 1, 0, 0});
    } else {
      bench->expect_error(Error::kDaqConfig, {0xDE, 1, 0, 0});
    }
  }
}

void test_no_stimulation_where_sensors_are_the_source() {
  bench.emplace(false);
  bench->connect();
  allocate(1, 1, 1);
  bench->expect_error(Error::kModeNotValid, {0xE0, 0x02, 0, 0, 0, 0, 1, 0});
  bench->expect({0xD7, 0, 0, 0}, {0xFF, 0x04, 8, 4, 5, 5, 0});
  bench->send({0, 0, 0, 0, 0});
  TEST_ASSERT_EQUAL_UINT32(1, bench->state.counters.stim_refused);
}

void test_one_list_stimulates_at_a_time() {
  bench->connect();
  bench->unlock(hal::xcp::kResourceStim);
  allocate(2, 1, 1);
  for (int list = 0; list < 2; ++list) {
    bench->expect_ok({0xE2, 0, list, 0, 0, 0});
    write_daq(row_of(Part::kInput, "link_force_N"), 0, 4);
    bench->expect_ok({0xE0, 0x02, list, 0, 0, 0, 1, 0});
  }
  bench->expect_ok({0xDE, 1, 0, 0});
  bench->expect_error(Error::kDaqConfig, {0xDE, 1, 1, 0});
}

// The whole of a sensor frame in one packet with a time, as a virtual bench sends it.
void test_a_whole_frame_fits_a_packet() {
  const auto inputs = twin::entries(Part::kInput);
  bench->connect();
  bench->unlock(hal::xcp::kResourceStim);
  allocate(1, 1, static_cast<int>(inputs.size()));
  bench->expect_ok({0xE2, 0, 0, 0, 0, 0});
  std::uint8_t packet[5 + sizeof(signal::SensorFrame)] = {};
  std::size_t size = 5;
  for (std::uint32_t row = 0; row < inputs.size(); ++row) {
    write_daq(row, 0, static_cast<int>(hal::xcp::size_of(inputs[row])));
    size += hal::xcp::size_of(inputs[row]);
  }
  TEST_ASSERT_EQUAL_UINT32(sizeof packet, size);
  bench->expect_ok({0xE0, 0x12, 0, 0, 0, 0, 1, 0});
  bench->expect_ok({0xDE, 1, 0, 0});
  signal::SensorFrame sent{};
  sent.tick = 99;
  sent.link_force_N = {60e3F, 1, 2, signal::Quality::kHeld};
  sent.edges = 1;
  sent.edge[0] = {1234, signal::EdgeKind::kIndex};
  std::memcpy(packet + 5, &sent, sizeof sent);  // rows are in the order of members
  bench->send(packet);
  TEST_ASSERT_TRUE(hal::xcp::take_stimulus(bench->state, bench->images));
  TEST_ASSERT_EQUAL_MEMORY(&sent, &bench->frame, sizeof sent);
}

}  // namespace

void setUp() {
  bench.emplace();
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_allocation_is_bounded_by_the_pool);
  RUN_TEST(test_allocation_has_an_order);
  RUN_TEST(test_what_daq_can_do);
  RUN_TEST(test_entries_have_their_refusals);
  RUN_TEST(test_list_modes_have_their_refusals);
  RUN_TEST(test_a_list_is_sampled_every_tick);
  RUN_TEST(test_prescaler_and_single_start_and_stop);
  RUN_TEST(test_overflow_is_counted);
  RUN_TEST(test_packets_too_long_do_not_start);
  RUN_TEST(test_stimulation_takes_effect_at_the_border);
  RUN_TEST(test_stimulation_has_its_refusals);
  RUN_TEST(test_stimulation_writes_inputs_only);
  RUN_TEST(test_entries_may_be_written_again);
  RUN_TEST(test_stimulation_is_no_longer_than_its_inputs);
  RUN_TEST(test_no_stimulation_where_sensors_are_the_source);
  RUN_TEST(test_one_list_stimulates_at_a_time);
  RUN_TEST(test_a_whole_frame_fits_a_packet);
  return UNITY_END();
}
