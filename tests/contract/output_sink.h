// What every hal::OutputSink must do. A Fixture makes one with nothing on its way and has
//   sink()          the sink under test
//   receive(frame)  at its far end: the next frame, or false if none is on its way
#pragma once

#include <cstdint>

#include "unity.h"

#include "hal/output_sink.h"

namespace taut::contract {

// Different in every member that a test looks at.
inline signal::OutputFrame numbered_frame(std::uint32_t number) {
  signal::OutputFrame frame{};
  frame.prediction.tick = number;
  frame.prediction.tagged_link_N = 1.5F * static_cast<float>(number);
  frame.prediction.tightener_acceleration_m_s2 = -2.5F * static_cast<float>(number);
  frame.tick_cost = 10 + number;
  frame.worst_tick_cost = 20 + number;
  frame.overruns = 30 + number;
  return frame;
}

inline void expect_frame(std::uint32_t number, const signal::OutputFrame& frame) {
  const signal::OutputFrame expected = numbered_frame(number);
  TEST_ASSERT_EQUAL_MEMORY(&expected, &frame, sizeof frame);
}

// The caller's frame is its own again when write returns.
template <typename Fixture>
void sink_sends_the_frame_whole() {
  Fixture fixture;
  signal::OutputFrame frame = numbered_frame(1);
  TEST_ASSERT_TRUE(fixture.sink().write(frame));
  frame = numbered_frame(99);
  signal::OutputFrame received{};
  TEST_ASSERT_TRUE(fixture.receive(received));
  expect_frame(1, received);
  TEST_ASSERT_FALSE(fixture.receive(received));
}

// Nobody receives meanwhile: what is taken comes later, in order; what is not is lost.
template <typename Fixture>
void sink_keeps_what_it_takes() {
  constexpr std::uint32_t kMany = 100;
  static bool was_taken[kMany];
  Fixture fixture;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    was_taken[i] = fixture.sink().write(numbered_frame(i));
  }
  TEST_ASSERT_TRUE(was_taken[0]);
  signal::OutputFrame received{};
  for (std::uint32_t i = 0; i < kMany; ++i) {
    if (was_taken[i]) {
      TEST_ASSERT_TRUE(fixture.receive(received));
      expect_frame(i, received);
    }
  }
  TEST_ASSERT_FALSE(fixture.receive(received));
  TEST_ASSERT_TRUE(fixture.sink().write(numbered_frame(kMany)));  // there is room again
}

template <typename Fixture>
void run_output_sink() {
  RUN_TEST(sink_sends_the_frame_whole<Fixture>);
  RUN_TEST(sink_keeps_what_it_takes<Fixture>);
}

}  // namespace taut::contract
