// Edges from interrupt to frame: the right tick, moment and order; every loss counted.
#include <initializer_list>

#include "unity.h"

#include "hal/edge_collector.h"

namespace {

using taut::hal::EdgeCollector;
using taut::signal::EdgeKind;
using taut::signal::kMaxEdges;
using taut::signal::SensorFrame;

constexpr std::uint32_t kTick = 12'500;             // counts: 25 MHz
constexpr std::uint32_t kBegin = 0xFFFFFFFFU - 99;  // the counter wraps within the tick

// As if each came at the given count after kBegin.
SensorFrame frame_of(std::initializer_list<std::int32_t> counts) {
  static SensorFrame frame;
  EdgeCollector collector(kTick);
  for (const std::int32_t count : counts) {
    collector.push_from_interrupt(kBegin + static_cast<std::uint32_t>(count), EdgeKind::kTooth);
  }
  collector.collect(kBegin, frame);
  return frame;
}

void test_moments() {
  const SensorFrame frame = frame_of({0, 1, 3125, 6250, 12'499});
  TEST_ASSERT_EQUAL_UINT8(5, frame.edges);
  TEST_ASSERT_EQUAL_UINT16(0, frame.edge[0].moment);
  TEST_ASSERT_EQUAL_UINT16(5, frame.edge[1].moment);  // 65536 / 12500 = 5.24
  TEST_ASSERT_EQUAL_UINT16(16'384, frame.edge[2].moment);
  TEST_ASSERT_EQUAL_UINT16(32'768, frame.edge[3].moment);
  TEST_ASSERT_EQUAL_UINT16(65'530, frame.edge[4].moment);
  TEST_ASSERT_EQUAL_UINT32(0, frame.edges_lost);
}

// With as many counts a tick as may be, the last one is still in it.
void test_moments_of_the_fastest_counter() {
  constexpr std::uint32_t kFastest = 1U << 24;
  for (const std::uint32_t counts : {kFastest, kFastest - 1, kFastest - 3}) {
    EdgeCollector collector(counts);
    collector.push_from_interrupt(counts / 2, EdgeKind::kTooth);
    collector.push_from_interrupt(counts - 1, EdgeKind::kTooth);
    static SensorFrame frame;
    collector.collect(0, frame);
    TEST_ASSERT_EQUAL_UINT16(counts % 2 == 0 ? 32'768 : 32'767, frame.edge[0].moment);
    TEST_ASSERT_EQUAL_UINT16(65'535, frame.edge[1].moment);
  }
}

void test_none() {
  static SensorFrame frame;
  frame.edges = 3;
  EdgeCollector collector(kTick);
  collector.collect(kBegin, frame);
  TEST_ASSERT_EQUAL_UINT8(0, frame.edges);
  TEST_ASSERT_EQUAL_UINT32(0, frame.edges_lost);
}

void test_an_edge_after_the_tick_waits_for_the_next() {
  static SensorFrame frame;
  EdgeCollector collector(kTick);
  collector.push_from_interrupt(kBegin + 100, EdgeKind::kTooth);
  collector.push_from_interrupt(kBegin + kTick, EdgeKind::kIndex);
  collector.collect(kBegin, frame);
  TEST_ASSERT_EQUAL_UINT8(1, frame.edges);
  TEST_ASSERT_TRUE(frame.edge[0].kind == EdgeKind::kTooth);
  collector.collect(kBegin + kTick, frame);
  TEST_ASSERT_EQUAL_UINT8(1, frame.edges);
  TEST_ASSERT_TRUE(frame.edge[0].kind == EdgeKind::kIndex);
  TEST_ASSERT_EQUAL_UINT16(0, frame.edge[0].moment);
  collector.collect(kBegin + 2 * kTick, frame);
  TEST_ASSERT_EQUAL_UINT8(0, frame.edges);
  TEST_ASSERT_EQUAL_UINT32(0, frame.edges_lost);
}

// Tooth and index of one moment: their interrupts wait for each other and may swap.
void test_edges_are_in_order_of_time() {
  const SensorFrame frame = frame_of({500, 9000, 8990, 100});
  TEST_ASSERT_EQUAL_UINT8(4, frame.edges);
  for (std::size_t i = 1; i < frame.edges; ++i) {
    TEST_ASSERT_TRUE(frame.edge[i - 1].moment < frame.edge[i].moment);
  }
}

// 12500 / 64 = 195 counts late is early in the tick; older ones are lost.
void test_late_edges() {
  const SensorFrame frame = frame_of({-195, -196, -12'500, 7});
  TEST_ASSERT_EQUAL_UINT8(2, frame.edges);
  TEST_ASSERT_EQUAL_UINT16(0, frame.edge[0].moment);
  TEST_ASSERT_EQUAL_UINT32(2, frame.edges_lost);
}

// A counter that jumped must not keep the queue shut.
void test_edges_of_no_tick_are_lost() {
  const SensorFrame frame = frame_of({25'000, 2'000'000'000, 10});
  TEST_ASSERT_EQUAL_UINT8(1, frame.edges);
  TEST_ASSERT_EQUAL_UINT32(2, frame.edges_lost);
}

void test_more_edges_than_a_frame_holds() {
  const SensorFrame frame = frame_of({0, 10, 20, 30, 40, 50, 60, 70, 80, 90});
  TEST_ASSERT_EQUAL_UINT8(kMaxEdges, frame.edges);
  TEST_ASSERT_EQUAL_UINT16(367,
                           frame.edge[kMaxEdges - 1].moment);  // of the 8th: the first are kept
  TEST_ASSERT_EQUAL_UINT32(2, frame.edges_lost);
}

// The queue holds two frames; then nothing waits, and the count says so. It never forgets.
void test_more_edges_than_the_queue_holds() {
  static SensorFrame frame;
  EdgeCollector collector(kTick);
  for (std::uint32_t i = 0; i < 100; ++i) {
    collector.push_from_interrupt(kBegin + i, EdgeKind::kTooth);
  }
  collector.collect(kBegin, frame);
  TEST_ASSERT_EQUAL_UINT8(kMaxEdges, frame.edges);
  TEST_ASSERT_EQUAL_UINT32(100 - kMaxEdges, frame.edges_lost);
  collector.push_from_interrupt(kBegin + kTick + 1, EdgeKind::kTooth);
  collector.collect(kBegin + kTick, frame);
  TEST_ASSERT_EQUAL_UINT8(1, frame.edges);
  TEST_ASSERT_EQUAL_UINT32(100 - kMaxEdges, frame.edges_lost);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_moments);
  RUN_TEST(test_moments_of_the_fastest_counter);
  RUN_TEST(test_none);
  RUN_TEST(test_an_edge_after_the_tick_waits_for_the_next);
  RUN_TEST(test_edges_are_in_order_of_time);
  RUN_TEST(test_late_edges);
  RUN_TEST(test_edges_of_no_tick_are_lost);
  RUN_TEST(test_more_edges_than_a_frame_holds);
  RUN_TEST(test_more_edges_than_the_queue_holds);
  return UNITY_END();
}
