// Every fault does what it says while it lasts, to its sensor, and nothing else.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "unity.h"

#include "host_tools/rig/fault_injector.h"
#include "sim_core/roller_chain/step_size.h"

namespace {

using namespace taut;
using namespace taut::rig;
using signal::EdgeKind;

constexpr double kTick_s = roller_chain::kTick_s;
constexpr std::uint64_t kBegin = 100;
constexpr std::uint64_t kEnd = 200;
constexpr std::uint64_t kTicks = 300;
constexpr Sensor kAnalog[] = {Sensor::kCrankAcceleration, Sensor::kLinkForce,
                              Sensor::kTightenerAcceleration, Sensor::kTightenerPosition};

// Every reading another number in every tick, all exact in float.
RawFrame clean_frame(std::uint64_t tick) {
  const auto number = static_cast<std::uint32_t>(tick);
  const auto value = static_cast<float>(tick);
  RawFrame frame;
  frame.tick = number;
  frame.crank_acceleration_rad_s2 = {1000 + value, number + 1};
  frame.link_force_N = {2000 + value, number + 1};
  frame.tightener_acceleration_m_s2 = {3000 + value, number + 1};
  frame.tightener_position_m = {4000 + value, number + 1};
  frame.edges = 2;
  frame.edge[0] = {static_cast<std::uint16_t>(100 * (tick % 100) + 7), EdgeKind::kTooth};
  frame.edge[1] = {static_cast<std::uint16_t>(20'000 + 50 * (tick % 100)), EdgeKind::kIndex};
  return frame;
}

const RawReading& reading_of(const RawFrame& frame, Sensor sensor) {
  constexpr RawReading RawFrame::*kReadings[] = {
      &RawFrame::crank_acceleration_rad_s2, &RawFrame::link_force_N,
      &RawFrame::tightener_acceleration_m_s2, &RawFrame::tightener_position_m};
  return frame.*kReadings[static_cast<std::size_t>(sensor)];
}

bool same(const RawReading& a, const RawReading& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same_edges(const RawFrame& a, const RawFrame& b) {
  bool equal = a.edges == b.edges && a.edges_lost == b.edges_lost;
  for (std::size_t i = 0; i < a.edges && equal; ++i) {
    equal = a.edge[i].moment == b.edge[i].moment && a.edge[i].kind == b.edge[i].kind;
  }
  return equal;
}

Fault fault_of(Sensor sensor, FaultKind kind, double size = 0) {
  return {sensor, kind, size, kBegin * kTick_s, kEnd * kTick_s};
}

using Expect = std::function<RawReading(std::uint64_t tick, const RawReading& clean)>;

// All four analog sensors in turn; other readings, edges and ticks stay as they are.
void check_reading(FaultKind kind, double size, const Expect& expect) {
  for (const Sensor sensor : kAnalog) {
    FaultInjector faults(1);
    faults.add(fault_of(sensor, kind, size));
    for (std::uint64_t tick = 0; tick < kTicks; ++tick) {
      RawFrame clean = clean_frame(tick);
      RawFrame frame = clean;
      faults.disturb(tick, frame);
      const bool acts = tick >= kBegin && tick < kEnd;
      for (const Sensor other : kAnalog) {
        const RawReading& before = reading_of(clean, other);
        const RawReading expected = acts && other == sensor ? expect(tick, before) : before;
        TEST_ASSERT_TRUE(same(expected, reading_of(frame, other)));
      }
      TEST_ASSERT_TRUE(same_edges(clean, frame));
      TEST_ASSERT_EQUAL_UINT32(clean.tick, frame.tick);
    }
  }
}

void test_off() {
  check_reading(FaultKind::kOff, 0, [](std::uint64_t, const RawReading&) {
    return RawReading{0, kBegin};  // of the tick before
  });
}
void test_stuck() {
  check_reading(FaultKind::kStuck, 0, [](std::uint64_t tick, const RawReading& clean) {
    return RawReading{clean.value - static_cast<float>(tick - (kBegin - 1)), clean.sequence};
  });
}
void test_offset() {
  check_reading(FaultKind::kOffset, -250, [](std::uint64_t, const RawReading& clean) {
    return RawReading{clean.value - 250, clean.sequence};
  });
}
void test_slow() {
  check_reading(FaultKind::kSlow, 2000, [](std::uint64_t tick, const RawReading& clean) {
    return RawReading{clean.value + static_cast<float>(tick - kBegin), clean.sequence};
  });
}
void test_delayed() {
  check_reading(FaultKind::kDelayed, 0.01, [](std::uint64_t tick, const RawReading& clean) {
    const std::uint64_t ago = std::min<std::uint64_t>(20, tick - (kBegin - 1));
    return RawReading{clean.value - static_cast<float>(ago),
                      clean.sequence - static_cast<std::uint32_t>(ago)};
  });
}
void test_nan_and_inf() {
  check_reading(FaultKind::kNan, 0, [](std::uint64_t, const RawReading& clean) {
    return RawReading{std::numeric_limits<float>::quiet_NaN(), clean.sequence};
  });
  check_reading(FaultKind::kInf, 0, [](std::uint64_t, const RawReading& clean) {
    return RawReading{std::numeric_limits<float>::infinity(), clean.sequence};
  });
}
void test_time_jump_of_readings() {
  for (const double size : {-5.0, 7.0}) {
    check_reading(FaultKind::kTimeJump, size, [&](std::uint64_t, const RawReading& clean) {
      return RawReading{clean.value,
                        clean.sequence + static_cast<std::uint32_t>(static_cast<int>(size))};
    });
  }
}

// Random faults by their statistics.
void test_garbage() {
  FaultInjector faults(1);
  faults.add({Sensor::kLinkForce, FaultKind::kGarbage, 50, 0, kForever_s});
  double mean = 0;
  double square = 0;
  constexpr int kMany = 20'000;
  for (int tick = 0; tick < kMany; ++tick) {
    RawFrame frame = clean_frame(static_cast<std::uint64_t>(tick));
    const RawFrame clean = frame;
    faults.disturb(static_cast<std::uint64_t>(tick), frame);
    const double value = static_cast<double>(frame.link_force_N.value);
    TEST_ASSERT_TRUE(std::abs(value) <= 50);
    TEST_ASSERT_EQUAL_UINT32(clean.link_force_N.sequence, frame.link_force_N.sequence);
    TEST_ASSERT_TRUE(same(clean.tightener_position_m, frame.tightener_position_m));
    mean += value / kMany;
    square += value * value / kMany;
  }
  TEST_ASSERT_DOUBLE_WITHIN(5 * 50 / std::sqrt(3.0 * kMany), 0, mean);
  TEST_ASSERT_DOUBLE_WITHIN(5 * 2500 * 0.3 / std::sqrt(kMany), 2500.0 / 3, square);
}

void test_intermittent() {
  FaultInjector faults(1);
  faults.add({Sensor::kTightenerPosition, FaultKind::kIntermittent, 0.3, 0, kForever_s});
  constexpr int kMany = 20'000;
  int lost = 0;
  RawReading last;
  for (int tick = 0; tick < kMany; ++tick) {
    RawFrame frame = clean_frame(static_cast<std::uint64_t>(tick));
    const RawReading clean = frame.tightener_position_m;
    faults.disturb(static_cast<std::uint64_t>(tick), frame);
    const bool is_lost = !same(clean, frame.tightener_position_m);
    TEST_ASSERT_TRUE(!is_lost || same(last, frame.tightener_position_m));
    lost += is_lost ? 1 : 0;
    last = frame.tightener_position_m;
  }
  TEST_ASSERT_DOUBLE_WITHIN(5 * std::sqrt(0.21 * kMany), 0.3 * kMany, lost);
}

// Of pick-ups: teeth, or the index mark; the other stays as it is.
struct EdgesOfTick {
  std::vector<PassedEdge> passed;
  RawFrame frame;
};
EdgesOfTick disturbed(FaultInjector& faults, std::uint64_t tick) {
  const auto begin = static_cast<double>(tick);
  EdgesOfTick edges{{{begin + 0.25, EdgeKind::kTooth}, {begin + 0.5, EdgeKind::kIndex}},
                    clean_frame(tick)};
  faults.disturb(tick, edges.passed);
  faults.disturb(tick, edges.frame);
  return edges;
}

void check_pick_up(FaultKind kind, double size,
                   const std::function<void(const EdgesOfTick&, std::size_t own)>& check) {
  for (const Sensor sensor : {Sensor::kEdges, Sensor::kIndex}) {
    FaultInjector faults(1);
    faults.add(fault_of(sensor, kind, size));
    const std::size_t own = sensor == Sensor::kEdges ? 0 : 1;
    for (std::uint64_t tick = 0; tick < kTicks; ++tick) {
      const RawFrame clean = clean_frame(tick);
      const EdgesOfTick edges = disturbed(faults, tick);
      for (const Sensor reading : kAnalog) {
        RawFrame before = clean;
        RawFrame after = edges.frame;
        TEST_ASSERT_TRUE(same(reading_of(before, reading), reading_of(after, reading)));
      }
      if (tick >= kBegin && tick < kEnd) {
        check(edges, own);
        continue;
      }
      TEST_ASSERT_EQUAL(2, edges.passed.size());
      TEST_ASSERT_TRUE(edges.passed[0].time_ticks == static_cast<double>(tick) + 0.25);
      TEST_ASSERT_TRUE(edges.passed[1].time_ticks == static_cast<double>(tick) + 0.5);
      TEST_ASSERT_TRUE(same_edges(clean, edges.frame));
      TEST_ASSERT_TRUE(faults.slip_rad(sensor, tick) == 0);
    }
  }
}

EdgeKind kind_of(std::size_t pick_up) {
  return pick_up == 0 ? EdgeKind::kTooth : EdgeKind::kIndex;
}

void test_pick_up_off() {
  check_pick_up(FaultKind::kOff, 0, [](const EdgesOfTick& edges, std::size_t own) {
    TEST_ASSERT_EQUAL(1, edges.passed.size());
    TEST_ASSERT_TRUE(edges.passed[0].kind == kind_of(1 - own));
  });
}

void test_pick_up_delayed() {
  check_pick_up(FaultKind::kDelayed, 0.002, [](const EdgesOfTick& edges, std::size_t own) {
    const auto tick = static_cast<double>(edges.frame.tick);
    TEST_ASSERT_EQUAL(2, edges.passed.size());
    const double expected[2] = {tick + 0.25 + (own == 0 ? 4 : 0), tick + 0.5 + (own == 1 ? 4 : 0)};
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, expected[0], edges.passed[0].time_ticks);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, expected[1], edges.passed[1].time_ticks);
  });
}

void test_pick_up_stuck() {
  check_pick_up(FaultKind::kStuck, 0, [](const EdgesOfTick& edges, std::size_t own) {
    RawFrame expected = clean_frame(edges.frame.tick);
    expected.edge[own].moment = clean_frame(kBegin - 1).edge[own].moment;
    TEST_ASSERT_TRUE(same_edges(expected, edges.frame));
  });
}

void test_pick_up_time_jump() {
  // A quarter of a tick on: 16384 of 65536.
  check_pick_up(FaultKind::kTimeJump, kTick_s / 4, [](const EdgesOfTick& edges, std::size_t own) {
    RawFrame expected = clean_frame(edges.frame.tick);
    expected.edge[own].moment = static_cast<std::uint16_t>(expected.edge[own].moment + 16384);
    if (expected.edge[0].moment > expected.edge[1].moment) {
      std::swap(expected.edge[0], expected.edge[1]);
    }
    TEST_ASSERT_TRUE(same_edges(expected, edges.frame));
  });
  // Round the end of the tick.
  check_pick_up(FaultKind::kTimeJump, -kTick_s / 2, [](const EdgesOfTick& edges, std::size_t own) {
    const RawFrame clean = clean_frame(edges.frame.tick);
    const auto moment = static_cast<std::uint16_t>(clean.edge[own].moment - 32768);
    const std::size_t at = edges.frame.edge[0].kind == kind_of(own) ? 0 : 1;
    TEST_ASSERT_EQUAL_UINT16(moment, edges.frame.edge[at].moment);
    TEST_ASSERT_TRUE(edges.frame.edge[0].moment <= edges.frame.edge[1].moment);
  });
}

void test_pick_up_slips() {
  FaultInjector faults(1);
  faults.add(fault_of(Sensor::kEdges, FaultKind::kOffset, 0.01));
  faults.add(fault_of(Sensor::kIndex, FaultKind::kSlow, -0.4));
  TEST_ASSERT_TRUE(faults.slip_rad(Sensor::kEdges, kBegin - 1) == 0);
  TEST_ASSERT_TRUE(faults.slip_rad(Sensor::kEdges, kBegin) == 0.01);
  TEST_ASSERT_TRUE(faults.slip_rad(Sensor::kEdges, kEnd) == 0);
  TEST_ASSERT_TRUE(faults.slip_rad(Sensor::kIndex, kBegin) == 0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.4 * 50 * kTick_s,
                            faults.slip_rad(Sensor::kIndex, kBegin + 50));
  TEST_ASSERT_EQUAL(2, disturbed(faults, kBegin + 5).passed.size());
}

void test_pick_up_loses_and_adds_edges() {
  for (const EdgeKind kind : {EdgeKind::kTooth, EdgeKind::kIndex}) {
    const Sensor sensor = kind == EdgeKind::kTooth ? Sensor::kEdges : Sensor::kIndex;
    FaultInjector losing(1);
    losing.add({sensor, FaultKind::kIntermittent, 0.25, 0, kForever_s});
    FaultInjector adding(1);
    adding.add({sensor, FaultKind::kGarbage, 2.5, 0, kForever_s});
    int own[2] = {};
    int others[2] = {};
    constexpr int kMany = 10'000;
    for (std::uint64_t tick = 0; tick < kMany; ++tick) {
      const std::vector<PassedEdge> passed[2] = {disturbed(losing, tick).passed,
                                                 disturbed(adding, tick).passed};
      for (int i = 0; i < 2; ++i) {
        for (const PassedEdge& edge : passed[i]) {
          ++(edge.kind == kind ? own[i] : others[i]);
          TEST_ASSERT_TRUE(std::floor(edge.time_ticks) == static_cast<double>(tick));
        }
      }
    }
    TEST_ASSERT_DOUBLE_WITHIN(5 * std::sqrt(0.19 * kMany), 0.75 * kMany, own[0]);
    TEST_ASSERT_DOUBLE_WITHIN(5 * std::sqrt(0.25 * kMany), 3.5 * kMany, own[1]);
    TEST_ASSERT_EQUAL(kMany, others[0]);
    TEST_ASSERT_EQUAL(kMany, others[1]);
  }
}

void test_frame_time_jump() {
  FaultInjector faults(1);
  faults.add(fault_of(Sensor::kFrame, FaultKind::kTimeJump, -3));
  for (const std::uint64_t tick : {kBegin - 1, kBegin, kEnd - 1, kEnd}) {
    RawFrame frame = clean_frame(tick);
    faults.disturb(tick, frame);
    const bool acts = tick >= kBegin && tick < kEnd;
    TEST_ASSERT_EQUAL_UINT32(tick - (acts ? 3 : 0), frame.tick);
    TEST_ASSERT_TRUE(same(clean_frame(tick).link_force_N, frame.link_force_N));
  }
}

void test_faults_end_by_command() {
  FaultInjector faults(1);
  faults.add({Sensor::kLinkForce, FaultKind::kOffset, 5, 0, kForever_s});
  faults.end_all(10);
  for (const std::uint64_t tick : {9U, 10U}) {
    RawFrame frame = clean_frame(tick);
    faults.disturb(tick, frame);
    TEST_ASSERT_TRUE(frame.link_force_N.value ==
                     clean_frame(tick).link_force_N.value + (tick < 10 ? 5.0F : 0.0F));
  }
}

void expect_problem(const Fault& fault, const char* member, const char* part) {
  const MemberProblem problem = problem_with(fault);
  TEST_ASSERT_EQUAL_STRING(member, problem.member.c_str());
  TEST_ASSERT_TRUE_MESSAGE(problem.text.find(part) != std::string::npos, problem.text.c_str());
}

void test_wrong_faults_are_told() {
  const auto fault = [](Sensor sensor, FaultKind kind, double size) {
    return Fault{sensor, kind, size, 1, 2};
  };
  using enum FaultKind;
  expect_problem(fault(Sensor::kLinkForce, kIntermittent, 1.5), "size",
                 "size = 1.5: allowed 0 to 1");
  expect_problem(fault(Sensor::kLinkForce, kDelayed, 2), "size", "allowed 0.0005 to 1 s");
  expect_problem(fault(Sensor::kLinkForce, kGarbage, -1), "size", "allowed 0 to 1e+09 N");
  expect_problem(fault(Sensor::kLinkForce, kOffset, std::nan("")), "size", "allowed -1e+09");
  expect_problem(fault(Sensor::kEdges, kNan, 0), "kind", "whole number");
  expect_problem(fault(Sensor::kIndex, kInf, 0), "kind", "whole number");
  expect_problem(fault(Sensor::kFrame, kOff, 0), "kind", "time_jump only");
  expect_problem(fault(Sensor::kFrame, kTimeJump, 1.5), "size", "whole numbers");
  expect_problem(fault(Sensor::kEdges, kTimeJump, 0.01), "size", "allowed -0.0005 to 0.0005 s");
  expect_problem(fault(Sensor::kEdges, kGarbage, 9), "size", "allowed 0 to 8 false edges");
  expect_problem({Sensor::kEdges, kOff, 0, -1, 2}, "at_s", "at_s = -1: allowed 0");
  expect_problem({Sensor::kEdges, kOff, 0, 3, 3}, "until_s", "allowed above at_s, 3 s");
  for (const Sensor sensor : kAnalog) {
    for (int kind = 0; kind <= static_cast<int>(kTimeJump); ++kind) {
      TEST_ASSERT_TRUE(problem_with(fault(sensor, static_cast<FaultKind>(kind), 1)).empty());
    }
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_off);
  RUN_TEST(test_stuck);
  RUN_TEST(test_offset);
  RUN_TEST(test_slow);
  RUN_TEST(test_delayed);
  RUN_TEST(test_nan_and_inf);
  RUN_TEST(test_time_jump_of_readings);
  RUN_TEST(test_garbage);
  RUN_TEST(test_intermittent);
  RUN_TEST(test_pick_up_off);
  RUN_TEST(test_pick_up_delayed);
  RUN_TEST(test_pick_up_stuck);
  RUN_TEST(test_pick_up_time_jump);
  RUN_TEST(test_pick_up_slips);
  RUN_TEST(test_pick_up_loses_and_adds_edges);
  RUN_TEST(test_frame_time_jump);
  RUN_TEST(test_faults_end_by_command);
  RUN_TEST(test_wrong_faults_are_told);
  return UNITY_END();
}
