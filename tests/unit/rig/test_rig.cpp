// The bench as a whole: readings against the truth, repeatable to the bit, damage on the run.
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "unity.h"

#include "host_tools/rig/rig.h"
#include "host_tools/rig/rig_error.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/hash.h"
#include "sim_core/roller_chain/step_size.h"
#include "tests/unit/drive/engines.h"

namespace {

using namespace taut;
using namespace taut::rig;
using signal::EdgeKind;

constexpr double kTick_s = roller_chain::kTick_s;

RigSpec engine_rig(std::uint64_t seed = 1) {
  RigSpec spec = rig_for(drive_test::engine_6s90mc_c());
  spec.seed = seed;
  return spec;
}

RigSpec ideal_rig() {
  RigSpec spec = engine_rig();
  spec.spread = kNoSpread;
  spec.sensors = ideal(spec.sensors);
  return spec;
}

using Ticks = std::vector<Rig::Tick>;
Ticks run(Rig& rig, int ticks) {
  Ticks made;
  for (int i = 0; i < ticks; ++i) {
    made.push_back(rig.advance());
  }
  return made;
}
Ticks run(const RigSpec& spec, int ticks) {
  Rig rig(spec);
  return run(rig, ticks);
}

void add(math::Hash64& hash, const RawReading& reading) {
  hash.add(reading.value);
  hash.add(reading.sequence);
}

std::uint64_t hash_of(const Ticks& ticks) {
  math::Hash64 hash;
  for (const Rig::Tick& tick : ticks) {
    hash.add(tick.frame.tick);
    add(hash, tick.frame.crank_acceleration_rad_s2);
    add(hash, tick.frame.link_force_N);
    add(hash, tick.frame.tightener_acceleration_m_s2);
    add(hash, tick.frame.tightener_position_m);
    for (std::size_t i = 0; i < tick.frame.edges; ++i) {
      hash.add(std::uint32_t{tick.frame.edge[i].moment});
    }
    hash.add(tick.truth.crank.angle_rad);
    hash.add(tick.truth.chain.tagged_link_N);
  }
  return hash.value();
}

void test_a_seed_repeats_to_the_bit_and_another_differs() {
  const Ticks first = run(engine_rig(7), 400);
  TEST_ASSERT_TRUE(hash_of(first) == hash_of(run(engine_rig(7), 400)));
  const Ticks other = run(engine_rig(8), 400);
  TEST_ASSERT_TRUE(first[399].truth.chain.tagged_link_N != other[399].truth.chain.tagged_link_N);
  TEST_ASSERT_TRUE(first[399].frame.link_force_N.value != other[399].frame.link_force_N.value);
}

void test_ideal_readings_are_the_truth() {
  Rig rig(ideal_rig());
  std::uint32_t sequence = 0;
  for (const Rig::Tick& tick : run(rig, 1000)) {
    const RawFrame& frame = tick.frame;
    const Truth& truth = tick.truth;
    TEST_ASSERT_EQUAL_UINT32(sequence, frame.tick);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, (sequence + 1) * kTick_s, truth.time_s);
    TEST_ASSERT_EQUAL_UINT32(++sequence, frame.link_force_N.sequence);
    TEST_ASSERT_TRUE(frame.link_force_N.value == truth.chain.tagged_link_N);
    TEST_ASSERT_TRUE(frame.crank_acceleration_rad_s2.value ==
                     static_cast<float>(truth.crank.acceleration_rad_s2));
    TEST_ASSERT_TRUE(frame.tightener_position_m.value ==
                     static_cast<float>(truth.tightener_position_m));
    TEST_ASSERT_TRUE(frame.tightener_acceleration_m_s2.value ==
                     static_cast<float>(truth.tightener_acceleration_m_s2));
    // On the arc of the axle about its hinge, 0.170982 m (Pedersen 5.8).
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0.170982 * static_cast<double>(truth.chain.arm_angle_rad),
                              truth.tightener_position_m);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, rig.time_s());
}

// Between two ticks the crank's angle is known to a h^2/8 from both ends: moments of edges must
// lie on it. 1/65536 tick is 6e-8 rad.
void test_edges_lie_on_the_true_angle() {
  RigSpec spec = ideal_rig();
  spec.engine.order_factor = 2;
  int teeth = 0;
  int marks = 0;
  crank::Motion<double> from{0, spec.engine.set_speed_rad_s, 0};
  for (const Rig::Tick& tick : run(spec, 2000)) {
    for (std::size_t i = 0; i < tick.frame.edges; ++i) {
      const signal::Edge edge = tick.frame.edge[i];
      const double time_s = edge.moment / 65536.0 * kTick_s;
      const double angle_rad = from.angle_rad + time_s * from.speed_rad_s +
                               time_s * time_s / 2 * from.acceleration_rad_s2;
      const bool tooth = edge.kind == EdgeKind::kTooth;
      const double expected_rad = tooth ? (teeth % 58) * math::kTwoPi<double> / 60 : 0.05;
      const double turns = std::round((angle_rad - expected_rad) / math::kTwoPi<double>);
      TEST_ASSERT_DOUBLE_WITHIN(2e-7, expected_rad, angle_rad - turns * math::kTwoPi<double>);
      ++(tooth ? teeth : marks);
    }
    from = tick.truth.crank;
  }
  TEST_ASSERT_EQUAL(2, marks);  // 1 s at 1.27 turns a second, mark at 0.05 rad
  TEST_ASSERT_INT_WITHIN(1, 58 + 17, teeth);
}

// Speed and acceleration are the angle's derivatives, as far as differences over two ticks tell:
// 0.001 rad/s^2, and up to 0.05 that the chain's rough pull changes by meanwhile.
void test_the_true_motion_is_one_motion() {
  RigSpec spec = ideal_rig();
  spec.engine.order_factor = 0.3;
  const Ticks ticks = run(spec, 3000);
  for (std::size_t i = 2001; i + 1 < ticks.size(); ++i) {
    const auto& before = ticks[i - 1].truth.crank;
    const auto& here = ticks[i].truth.crank;
    const auto& after = ticks[i + 1].truth.crank;
    double moved_rad = after.angle_rad - before.angle_rad;
    moved_rad += moved_rad < 0 ? math::kTwoPi<double> : 0;
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, here.speed_rad_s, moved_rad / (2 * kTick_s));
    TEST_ASSERT_DOUBLE_WITHIN(0.05, here.acceleration_rad_s2,
                              (after.speed_rad_s - before.speed_rad_s) / (2 * kTick_s));
  }
}

// What the accelerometer of the tightener should see is the second derivative of where it is. Blows
// within ticks are seen by one and not by the other: an eighth of it all.
void test_the_tighteners_acceleration_is_that_of_its_position() {
  RigSpec spec = ideal_rig();
  spec.prescribed = {6, 2};
  const Ticks ticks = run(spec, 3000);
  const auto at_m = [&](std::size_t i) { return ticks[i].truth.tightener_position_m; };
  double square = 0;
  double difference = 0;
  for (std::size_t i = 1000; i + 1 < ticks.size(); ++i) {
    const double expected_m_s2 = (at_m(i + 1) - 2 * at_m(i) + at_m(i - 1)) / (kTick_s * kTick_s);
    const double told_m_s2 = ticks[i].truth.tightener_acceleration_m_s2;
    square += told_m_s2 * told_m_s2;
    difference += (told_m_s2 - expected_m_s2) * (told_m_s2 - expected_m_s2);
  }
  TEST_ASSERT_DOUBLE_WITHIN(0.2, 0, std::sqrt(difference / square));
}

void test_a_prescribed_motion_is_that_of_synthetic() {
  RigSpec spec = ideal_rig();
  spec.prescribed = {6, 2};
  spec.engine.fade_in_s = 0.1;
  for (const Rig::Tick& tick : run(spec, 1000)) {
    if (tick.truth.time_s > 0.1) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2 * std::sin(6 * tick.truth.crank.angle_rad),
                                tick.truth.crank.acceleration_rad_s2);
    }
  }
}

// The chain's own torque is on the crank, against its turning: from tick to tick, where shaft and
// governor are too slow to follow, the acceleration changes by -1/J1 of what it changes by. Within
// 5 %, as the torque is that of a step before.
void test_the_chain_acts_on_the_crank() {
  RigSpec spec = ideal_rig();
  spec.engine.order_factor = 0;
  const Ticks ticks = run(spec, 1000);
  double square = 0;
  double product = 0;
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const auto more_N_m = static_cast<double>(ticks[i].truth.chain.driver_torque_N_m -
                                              ticks[i - 1].truth.chain.driver_torque_N_m);
    square += more_N_m * more_N_m;
    product += more_N_m * (ticks[i].truth.crank.acceleration_rad_s2 -
                           ticks[i - 1].truth.crank.acceleration_rad_s2);
  }
  TEST_ASSERT_TRUE(square > 0);
  TEST_ASSERT_DOUBLE_WITHIN(0.05, -1, product / square * spec.engine.crank_inertia_kg_m2);
}

void test_a_fault_leaves_all_else_alone() {
  RigSpec spec = engine_rig();
  const Ticks clean = run(spec, 300);
  spec.faults = {{Sensor::kLinkForce, FaultKind::kGarbage, 1e5, 0.05, 0.1}};
  const Ticks faulty = run(spec, 300);
  int changed = 0;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    RawFrame same = faulty[i].frame;
    const bool acts = i >= 100 && i < 200;
    TEST_ASSERT_TRUE(acts || same.link_force_N.value == clean[i].frame.link_force_N.value);
    changed += same.link_force_N.value != clean[i].frame.link_force_N.value ? 1 : 0;
    same.link_force_N = clean[i].frame.link_force_N;
    TEST_ASSERT_TRUE(hash_of({{same, faulty[i].truth}}) == hash_of({clean[i]}));
  }
  TEST_ASSERT_INT_WITHIN(2, 100, changed);
}

// What happened once, measured again with a fault, gives the frames of a rig that has that fault,
// to the bit: every kind, of a reading, of edges and of the frame, also by a copy made half way.
void test_measured_again_with_a_fault_it_is_the_rig_with_that_fault() {
  constexpr int kTicks = 300;
  const RigSpec spec = engine_rig(3);
  Rig clean(spec);
  std::vector<Happening> happened;
  for (int i = 0; i < kTicks; ++i) {
    clean.advance();
    happened.push_back(clean.happening());
  }
  const auto check = [&](Sensor sensor, FaultKind kind, double size) {
    const Fault fault{sensor, kind, size, 0.05, 0.1};
    RigSpec faulty = spec;
    faulty.faults = {fault};
    const Ticks expected = run(faulty, kTicks);
    Instruments instruments(spec.sensors, spec.seed);
    Ticks again;
    for (int i = 0; i < kTicks; ++i) {
      if (i == 90) {
        const Instruments copy = instruments;
        instruments = copy;
        instruments.inject(fault);
      }
      const auto at = static_cast<std::size_t>(i);
      again.push_back({instruments.measure(happened[at]), happened[at].truth});
    }
    TEST_ASSERT_TRUE(hash_of(expected) == hash_of(again));
  };
  check(Sensor::kLinkForce, FaultKind::kGarbage, 1e5);
  check(Sensor::kCrankAcceleration, FaultKind::kDelayed, 0.02);
  check(Sensor::kEdges, FaultKind::kSlow, 0.5);
  check(Sensor::kEdges, FaultKind::kDelayed, 0.01);
  check(Sensor::kIndex, FaultKind::kGarbage, 0.5);
  check(Sensor::kFrame, FaultKind::kTimeJump, 7);
}

void test_faults_and_speed_by_command() {
  RigSpec spec = ideal_rig();
  spec.engine.order_factor = 0;
  Rig rig(spec);
  run(rig, 10);
  rig.inject(Fault{Sensor::kCrankAcceleration, FaultKind::kNan, 0, rig.time_s()});
  TEST_ASSERT_FALSE(math::is_finite(rig.advance().frame.crank_acceleration_rad_s2.value));
  rig.end_faults();
  TEST_ASSERT_TRUE(math::is_finite(rig.advance().frame.crank_acceleration_rad_s2.value));
  rig.set_speed_rad_s(0.9 * spec.engine.rated_speed_rad_s);
  run(rig, 1000);
  TEST_ASSERT_TRUE(rig.advance().truth.crank.speed_rad_s < 0.97 * spec.engine.rated_speed_rad_s);
}

void test_one_fault_of_several_ends() {
  Rig rig(ideal_rig());
  const double now_s = rig.time_s();
  const std::size_t first = rig.inject(Fault{Sensor::kLinkForce, FaultKind::kNan, 0, now_s});
  const std::size_t second =
      rig.inject(Fault{Sensor::kCrankAcceleration, FaultKind::kNan, 0, now_s});
  TEST_ASSERT_NOT_EQUAL(first, second);
  rig.advance();
  rig.end_fault(first);
  const RawFrame& frame = rig.advance().frame;
  TEST_ASSERT_TRUE(math::is_finite(frame.link_force_N.value));
  TEST_ASSERT_FALSE(math::is_finite(frame.crank_acceleration_rad_s2.value));
}

// An engine whose orders are set on the run ends as irregular as one that had them from the start.
void test_orders_by_command() {
  RigSpec spec = ideal_rig();
  spec.engine.fade_in_s = 0;
  const auto largest_rad_s2 = [](const Ticks& ticks) {
    double largest = 0;
    for (std::size_t i = ticks.size() - 400; i < ticks.size(); ++i) {
      largest = std::fmax(largest, std::fabs(ticks[i].truth.crank.acceleration_rad_s2));
    }
    return largest;
  };
  const double full_rad_s2 = largest_rad_s2(run(spec, 2000));
  spec.engine.order_factor = 0;
  Rig rig(spec);
  TEST_ASSERT_TRUE(largest_rad_s2(run(rig, 1000)) < 0.2 * full_rad_s2);
  rig.set_order_factor(1);
  TEST_ASSERT_DOUBLE_WITHIN(0.2 * full_rad_s2, full_rad_s2, largest_rad_s2(run(rig, 2000)));
}

void test_another_link_is_tagged() {
  RigSpec spec = ideal_rig();
  spec.tags.link = 40;
  Rig as_wanted(spec);
  spec.tags.link = 0;
  Rig rig(spec);
  run(as_wanted, 20);
  run(rig, 20);
  rig.tag({40, 0});
  TEST_ASSERT_TRUE(rig.advance().frame.link_force_N.value ==
                   as_wanted.advance().frame.link_force_N.value);
}

// A rig that is damaged by nothing, over and over: its constants are made anew every tick, and all
// bits stay.
void test_making_constants_anew_changes_nothing() {
  RigSpec spec = engine_rig();
  Rig plain(spec);
  spec.damages = {{DamageKind::kWornBar, 1, 0, 0.01, 10}};
  Rig remade(spec);
  TEST_ASSERT_TRUE(hash_of(run(plain, 300)) == hash_of(run(remade, 300)));
  TEST_ASSERT_TRUE(plain.plant_hash() == remade.plant_hash());
}

double mean_link_N(const Ticks& ticks, std::size_t begin) {
  double sum_N = 0;
  for (std::size_t i = begin; i < ticks.size(); ++i) {
    sum_N += static_cast<double>(ticks[i].truth.chain.strand_mean_N[3]);
  }
  return sum_N / static_cast<double>(ticks.size() - begin);
}

// Damaged on the run, the drive ends where one that was so from the start is. Without orders, over
// a whole turn and within a hundredth of what the damage makes.
void check_damage_on_the_run(Damage damage) {
  constexpr int kTicks = 4000;
  constexpr std::size_t kLastTurn = kTicks - 1579;
  RigSpec spec = ideal_rig();
  spec.engine.order_factor = 0;
  const double whole_N = mean_link_N(run(spec, kTicks), kLastTurn);
  damage.at_s = 0.2;
  damage.until_s = 0.5;
  spec.damages = {damage};
  Rig late(spec);
  TEST_ASSERT_TRUE(late.plant_spec().chain.elongation == 0);
  const double late_N = mean_link_N(run(late, kTicks), kLastTurn);
  damage.at_s = 0;
  damage.until_s = 0;
  spec.damages = {damage};
  Rig early(spec);
  const double early_N = mean_link_N(run(early, kTicks), kLastTurn);
  TEST_ASSERT_TRUE(std::abs(early_N - whole_N) > 500);
  TEST_ASSERT_DOUBLE_WITHIN(0.05 * std::abs(early_N - whole_N), early_N, late_N);
}
void test_elongation_on_the_run() {
  check_damage_on_the_run({DamageKind::kElongation, 0, 1e-4, 0, 0});
}

void test_a_cracked_link_by_command() {
  RigSpec spec = ideal_rig();
  Rig rig(spec);
  run(rig, 10);
  rig.inject(Damage{DamageKind::kCrackedLink, 20, 0.3, rig.time_s(), 0});
  rig.advance();
  TEST_ASSERT_EQUAL(1, rig.plant_spec().special_links.size());
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.3, rig.plant_spec().special_links[0].stiffness_factor);
}

void expect_refused(const std::function<void()>& make, const char* part) {
  try {
    make();
  } catch (const RigError& error) {
    TEST_ASSERT_TRUE_MESSAGE(std::strstr(error.what(), part) != nullptr, error.what());
    return;
  }
  TEST_FAIL_MESSAGE(part);
}

void test_what_cannot_be_is_refused() {
  RigSpec spec = ideal_rig();
  Rig rig(spec);
  expect_refused(
      [&] {
        rig.inject(Fault{Sensor::kEdges, FaultKind::kNan});
      },
      "edges: kind = \"nan\"");
  expect_refused(
      [&] {
        rig.inject(Damage{DamageKind::kWornBar, 9, 0.001, 1, 1});
      },
      "worn_bar: number = 9");
  expect_refused([&] { rig.set_speed_rad_s(20); }, "allowed above 0 to 9.55");
  expect_refused([&] { rig.set_speed_rad_s(-1); }, "allowed above 0");
  expect_refused([&] { rig.set_order_factor(11); }, "allowed 0 to 10");
  expect_refused([&] { rig.tag({144, 0}); }, "tagged link 145, roller 1: allowed 1 to 144");
  spec.sensors.wheel.missing = 59;
  expect_refused([&] { Rig made(spec); }, "wheel 60-59");
  spec = ideal_rig();
  spec.sensors.wheel.edge_jitter_sd_s = 1e-6;
  expect_refused([&] { Rig made(spec); }, "edge_delay_s");
  spec = ideal_rig();
  spec.engine.orders = {{6, 1e9, math::kPi<double>}};
  spec.engine.fade_in_s = 0;
  expect_refused([&] { run(spec, 400); }, "backwards");
  // Each alone leaves a loop, both do not.
  spec = ideal_rig();
  spec.damages = {{DamageKind::kElongation, 0, 0.006, 1, 1},
                  {DamageKind::kElongation, 0, 0.006, 1, 1}};
  expect_refused([&] { Rig made(spec); }, "elongation: size");
}

void test_a_sensor_frame_for_debugging() {
  RawFrame raw;
  raw.tick = 12;
  raw.link_force_N = {5, 9};
  raw.edges = 1;
  raw.edge[0] = {77, EdgeKind::kIndex};
  const signal::SensorFrame frame = as_sensor_frame(raw);
  TEST_ASSERT_EQUAL_UINT32(12, frame.tick);
  TEST_ASSERT_TRUE(frame.link_force_N.value == 5.0F && frame.link_force_N.sequence == 9);
  TEST_ASSERT_TRUE(frame.link_force_N.quality == signal::Quality::kGood);
  TEST_ASSERT_TRUE(frame.edges == 1 && frame.edge[0].moment == 77);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_seed_repeats_to_the_bit_and_another_differs);
  RUN_TEST(test_ideal_readings_are_the_truth);
  RUN_TEST(test_edges_lie_on_the_true_angle);
  RUN_TEST(test_the_true_motion_is_one_motion);
  RUN_TEST(test_the_tighteners_acceleration_is_that_of_its_position);
  RUN_TEST(test_a_prescribed_motion_is_that_of_synthetic);
  RUN_TEST(test_the_chain_acts_on_the_crank);
  RUN_TEST(test_a_fault_leaves_all_else_alone);
  RUN_TEST(test_measured_again_with_a_fault_it_is_the_rig_with_that_fault);
  RUN_TEST(test_faults_and_speed_by_command);
  RUN_TEST(test_one_fault_of_several_ends);
  RUN_TEST(test_orders_by_command);
  RUN_TEST(test_another_link_is_tagged);
  RUN_TEST(test_making_constants_anew_changes_nothing);
  RUN_TEST(test_elongation_on_the_run);
  RUN_TEST(test_a_cracked_link_by_command);
  RUN_TEST(test_what_cannot_be_is_refused);
  RUN_TEST(test_a_sensor_frame_for_debugging);
  return UNITY_END();
}
