// What an emulated board is told, and what it tells at its end.
#include <cstring>
#include <limits>

#include "host_tools/emulator/emulated_board.h"
#include "host_tools/emulator/stimulus.h"

// Last: it has macros of its own where C++ has functions (isnan).
#include "unity.h"

namespace {

using namespace taut;
using namespace taut::emulator;

void test_a_packet_is_as_long_as_what_it_stimulates() {
  std::size_t bytes = 0;
  for (const Signal& signal : stimulated()) {
    bytes += signal.size;
  }
  rig::RawFrame raw;
  raw.crank_acceleration_rad_s2 = {2.5F, 7};
  raw.edges_lost = 0x01020304;
  const Packet packet = to_packet(raw);
  TEST_ASSERT_EQUAL_size_t(bytes, packet.size());
  TEST_ASSERT_EQUAL_MEMORY(&raw.crank_acceleration_rad_s2.value, packet.data(), 4);
  TEST_ASSERT_EQUAL_MEMORY(&raw.edges_lost, packet.data() + packet.size() - 4, 4);
}

// XCP refuses the whole frame otherwise, and no tick would come.
void test_a_reading_that_xcp_refuses_has_not_arrived() {
  CarriedReadings carried;
  rig::RawFrame raw;
  raw.link_force_N = {60e3F, 1};
  raw.tightener_position_m = {1e-3F, 1};
  TEST_ASSERT_EQUAL_FLOAT(60e3F, carried.of(raw).link_force_N.value);
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30F}) {
    ++raw.link_force_N.sequence;
    raw.link_force_N.value = wrong;
    ++raw.tightener_position_m.sequence;
    const rig::RawFrame told = carried.of(raw);
    TEST_ASSERT_EQUAL_FLOAT(60e3F, told.link_force_N.value);
    TEST_ASSERT_EQUAL_UINT32(1, told.link_force_N.sequence);
    TEST_ASSERT_EQUAL_UINT32(raw.tightener_position_m.sequence, told.tightener_position_m.sequence);
  }
  raw.link_force_N.value = 61e3F;
  TEST_ASSERT_EQUAL_UINT32(raw.link_force_N.sequence, carried.of(raw).link_force_N.sequence);
}

void test_the_last_word_counts() {
  const std::optional<TicksTold> told = ticks_told(
      "mode settle, ticks 0, overruns 0, clock counts of the worst tick 0, of all 0\n"
      "mode track, ticks 9, overruns 2, clock counts of the worst tick 1600, of all 9000\n");
  TEST_ASSERT_TRUE(told.has_value());
  TEST_ASSERT_EQUAL_UINT64(2, told->overruns);
  TEST_ASSERT_TRUE(told->worst_instructions == 1000);
  TEST_ASSERT_FALSE(ticks_told("no firmware at all\n").has_value());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_packet_is_as_long_as_what_it_stimulates);
  RUN_TEST(test_a_reading_that_xcp_refuses_has_not_arrived);
  RUN_TEST(test_the_last_word_counts);
  return UNITY_END();
}
