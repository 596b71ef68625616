// What every hal::SensorSource must do. A Fixture makes one and has
//   source()               the source under test
//   measure(sensor, value) lets one sensor, a member of RawReadings, measure this value once
//   pass_edge(edge)        lets an edge pass in the tick that goes on
#pragma once

#include "unity.h"

#include "hal/sensor_source.h"

namespace taut::contract {

inline constexpr hal::RawReading hal::RawReadings::*kSensors[] = {
    &hal::RawReadings::crank_acceleration, &hal::RawReadings::link_force,
    &hal::RawReadings::tightener_acceleration, &hal::RawReadings::tightener_position};

template <typename Fixture>
void source_counts_each_measurement_of_each_sensor() {
  Fixture fixture;
  hal::RawReadings before{};
  fixture.source().read(before);
  float value = 0;
  for (const auto measured : kSensors) {
    value += 1;
    fixture.measure(measured, value);
    hal::RawReadings after{};
    fixture.source().read(after);
    TEST_ASSERT_EQUAL_FLOAT(value, (after.*measured).value);
    for (const auto sensor : kSensors) {
      const std::uint32_t advance = (after.*sensor).sequence - (before.*sensor).sequence;
      TEST_ASSERT_EQUAL_UINT32(sensor == measured ? 1 : 0, advance);
    }
    before = after;
  }
}

template <typename Fixture>
void source_gives_the_newest_measurement_again() {
  Fixture fixture;
  hal::RawReadings before{};
  fixture.source().read(before);
  fixture.measure(&hal::RawReadings::link_force, 3);
  fixture.measure(&hal::RawReadings::link_force, 4);
  for (int i = 0; i < 3; ++i) {
    hal::RawReadings after{};
    fixture.source().read(after);
    TEST_ASSERT_EQUAL_FLOAT(4, after.link_force.value);
    TEST_ASSERT_EQUAL_UINT32(before.link_force.sequence + 2, after.link_force.sequence);
  }
}

template <typename Fixture>
void source_gives_each_edge_once_and_in_its_tick() {
  Fixture fixture;
  signal::SensorFrame frame{};
  frame.tick = 77;
  frame.link_force_N.value = 5;
  fixture.source().take_edges(frame);
  TEST_ASSERT_EQUAL_UINT8(0, frame.edges);
  fixture.pass_edge({100, signal::EdgeKind::kTooth});
  fixture.pass_edge({40'000, signal::EdgeKind::kIndex});
  fixture.source().take_edges(frame);
  TEST_ASSERT_EQUAL_UINT8(2, frame.edges);
  TEST_ASSERT_UINT16_WITHIN(10, 100, frame.edge[0].moment);
  TEST_ASSERT_UINT16_WITHIN(10, 40'000, frame.edge[1].moment);
  TEST_ASSERT_TRUE(frame.edge[0].kind == signal::EdgeKind::kTooth);
  TEST_ASSERT_TRUE(frame.edge[1].kind == signal::EdgeKind::kIndex);
  fixture.source().take_edges(frame);
  TEST_ASSERT_EQUAL_UINT8(0, frame.edges);
  TEST_ASSERT_EQUAL_UINT32(0, frame.edges_lost);
  TEST_ASSERT_EQUAL_UINT32(77, frame.tick);
  TEST_ASSERT_EQUAL_FLOAT(5, frame.link_force_N.value);
}

template <typename Fixture>
void source_counts_edges_that_find_no_room() {
  constexpr std::uint32_t kTooMany = 30;
  Fixture fixture;
  signal::SensorFrame frame{};
  for (std::uint32_t i = 0; i < kTooMany; ++i) {
    fixture.pass_edge({static_cast<std::uint16_t>(1000 * i), signal::EdgeKind::kTooth});
  }
  fixture.source().take_edges(frame);
  TEST_ASSERT_EQUAL_UINT8(signal::kMaxEdges, frame.edges);
  TEST_ASSERT_EQUAL_UINT32(kTooMany - signal::kMaxEdges, frame.edges_lost);
  fixture.source().take_edges(frame);
  TEST_ASSERT_EQUAL_UINT8(0, frame.edges);
  TEST_ASSERT_EQUAL_UINT32(kTooMany - signal::kMaxEdges, frame.edges_lost);
}

template <typename Fixture>
void run_sensor_source() {
  RUN_TEST(source_counts_each_measurement_of_each_sensor<Fixture>);
  RUN_TEST(source_gives_the_newest_measurement_again<Fixture>);
  RUN_TEST(source_gives_each_edge_once_and_in_its_tick<Fixture>);
  RUN_TEST(source_counts_edges_that_find_no_room<Fixture>);
}

}  // namespace taut::contract
