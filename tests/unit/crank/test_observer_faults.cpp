// The crank observer when edges, samples or frames are wrong: what it says, what it counts, and how
// far off it is meanwhile. Rows and bounds as in test_observer.cpp.
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "unity.h"

#include "tests/unit/crank/observer_cases.h"

namespace {

using namespace taut;
using namespace taut::crank_test;

// -- Edges that are wrong

void remove_first_edge(SensorFrame& frame) {
  for (std::size_t i = 1; i < frame.edges; ++i) {
    frame.edge[i - 1] = frame.edge[i];
  }
  --frame.edges;
}

// Every 17th tooth gives no edge, the first and the last of a turn too at times.
void test_missing_teeth() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  std::uint32_t edges = 0;
  std::uint32_t removed = 0;
  settle_and_measure("every 17th tooth missing", kUsualBounds, [&](SensorFrame& frame) {
    if (frame.edges != 0 && ++edges % 17 == 0) {
      remove_first_edge(frame);
      ++removed;
    }
  });
  TEST_ASSERT_UINT32_WITHIN(1, removed, sensed.observer.counts.missed_edges);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.stray_edges);
}

// Every 101 ms. Most are strays; one within a fifth of a pitch (1.2 degrees) before a tooth passes
// for it and moves the angle by a third of that, the filter's share of a single edge.
void test_extra_edges() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  std::uint32_t added = 0;
  settle_and_measure(
      "a noise pulse every 101 ms", {0.8, 0.12, 0.1, 0.016}, [&](SensorFrame& frame) {
        if (frame.tick % 202 == 0) {
          detail::add_edge(
              frame, {static_cast<std::uint16_t>(frame.tick * 977U), signal::EdgeKind::kTooth});
          ++added;
        }
      });
  // Where the pulse passes for the tooth, the tooth is the stray.
  TEST_ASSERT_UINT32_WITHIN(1, added, sensed.observer.counts.stray_edges);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.missed_edges);
}

// One tooth too many on the wheel, half way between two others: a stray in every turn. Where it is
// there from the start no turn has the right number of teeth, and no place is told.
void test_a_burr_on_the_wheel() {
  const auto turns = [] { return static_cast<std::int64_t>(sensed.turned_rad / kTurn_rad - 0.1); };
  std::int64_t before = 0;
  std::uint32_t added = 0;
  const auto burr = [&](SensorFrame& frame) {
    if (turns() != before) {
      before = turns();
      detail::add_edge(frame, {0x8000, signal::EdgeKind::kTooth});
      ++added;
    }
  };
  start(sensed, swinging(76), usual_observer({.pitches = 60, .missing = 2, .first_tooth_rad = 1}),
        kUsual);
  run(sensed, 2 * kSettling_s, burr);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.errors.ticks);
  check_sync(Sync::kSearching);
  start(sensed, swinging(76), usual_observer(), kUsual);
  settle();
  before = turns();
  added = 0;
  run(sensed, kMeasured_s, burr);
  check_sync(Sync::kSynced);
  check_errors("a tooth too many on the wheel", kUsualBounds);
  TEST_ASSERT_EQUAL_UINT32(added, sensed.observer.counts.stray_edges);
  TEST_ASSERT_TRUE(added > 3);
}

// On 36-1 a tooth that gives no edge looks like the gap. Dropped at random while searching it must
// not make a wrong place.
void test_false_gap_does_not_sync() {
  start(sensed, steady(), usual_observer({.pitches = 36, .missing = 1}), kUsual);
  std::uint32_t edges = 0;
  run(sensed, 4, [&](SensorFrame& frame) {
    if (frame.edges != 0 && ++edges % 23 == 0) {
      remove_first_edge(frame);
    }
  });
  TEST_ASSERT_EQUAL_UINT32(0, sensed.errors.ticks);
  run(sensed, kSettling_s);
  check_sync(Sync::kSynced);
  TEST_ASSERT_DOUBLE_WITHIN(0.2 * kDegree_rad, 0, sensed.errors.worst_rad);
}

// A pick-up that answers twice: 25 us later nothing can have come, and the count of teeth is right.
void test_double_edges_while_searching() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  run(sensed, kSettling_s, [](SensorFrame& frame) {
    if (frame.edges == 1 && frame.edge[0].moment < 0xf000) {
      detail::add_edge(frame, {static_cast<std::uint16_t>(frame.edge[0].moment + 0xccc),
                               signal::EdgeKind::kTooth});
    }
  });
  check_sync(Sync::kSynced);
  TEST_ASSERT_DOUBLE_WITHIN(0.2 * kDegree_rad, 0, sensed.errors.worst_rad);
}

// A pitch in 65 546 ticks: moments have wrapped, and the ten ticks that are left are not its time.
void test_edges_half_a_minute_apart() {
  start(sensed, steady(0), usual_observer(), {});
  for (std::uint32_t tick = 1; tick < 66'000; ++tick) {
    SensorFrame& frame = sensed.frame;
    frame.tick = tick;
    frame.edges = tick == 100 || tick == 65'646 ? 1 : 0;
    frame.edge[0] = {0, signal::EdgeKind::kTooth};
    frame.crank_acceleration_rad_s2 = {0, 0, tick, signal::Quality::kGood};
    observe(sensed);
    TEST_ASSERT_TRUE(sensed.observer.motion.speed_rad_s < 0.01F);
  }
}

// A place that is wrong by whole teeth is told by gap or index within 2.25 turns, and found anew.
void wrong_place_is_found_out(const crank::WheelSpec& wheel) {
  const double slip_rad = kTurn_rad / wheel.pitches;
  for (const double teeth : {1.0, -1.0, 7.0}) {
    start(sensed, swinging(76), usual_observer(wheel), kUsual);
    settle();
    sensed.observer.angle += crank::to_turns(static_cast<float>(teeth * slip_rad));
    const std::uint32_t losses = sensed.observer.counts.losses;
    run(sensed, 2.4 * kTurn_rad / kSpeed_rad_s);
    TEST_ASSERT_EQUAL_UINT32(losses + 1, sensed.observer.counts.losses);
    run(sensed, kSettling_s);
    check_sync(Sync::kSynced);
    TEST_ASSERT_DOUBLE_WITHIN(0.2 * kDegree_rad, 0, math::magnitude(angle_error_rad(sensed)));
  }
}

void test_wrong_place_is_found_out() {
  wrong_place_is_found_out(kWheel);
  wrong_place_is_found_out({.pitches = 36, .missing = 1});
  wrong_place_is_found_out({.pitches = 120, .missing = 0, .index_rad = 1});
}

// Coasting as soon as one edge is overdue, which over the gap is after 3.2 pitches (42 ms), lost
// half a second later. The sensor's bias being known to 0.1 rad/s^2, the angle is good to 0.1
// 0.5^2/2 = 0.013 rad all the time. Then edges come back.
void test_no_edges() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  settle();
  const auto no_edges = [](SensorFrame& frame) { frame.edges = 0; };
  run(sensed, 0.1, no_edges);
  check_sync(Sync::kCoasting);
  run(sensed, 0.3, no_edges);
  check_sync(Sync::kCoasting);
  run(sensed, 0.2, no_edges);
  check_sync(Sync::kLost);
  check_errors("no edges, coasting for 0.5 s", {0.6, 0.3, 0.03, 0.015});
  TEST_ASSERT_EQUAL_UINT32(1, sensed.observer.counts.losses);
  run(sensed, 5, no_edges);
  check_sync(Sync::kLost);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.errors.ticks);
  run(sensed, kSettling_s);
  check_sync(Sync::kSynced);
  TEST_ASSERT_EQUAL_UINT32(1, sensed.observer.counts.losses);
  check_errors("edges back, from sync on", {0.2, 0.04, 0.15, 0.02});
  // A shorter break: found again on its way.
  run(sensed, 0.3, no_edges);
  check_sync(Sync::kCoasting);
  run(sensed, 0.1);
  check_sync(Sync::kSynced);
  TEST_ASSERT_EQUAL_UINT32(1, sensed.observer.counts.losses);
}

// The other two limits: a turn, and 0.1 s without the acceleration.
void test_coasting_ends() {
  crank::ObserverSpec spec = usual_observer();
  spec.coast_s = 20;
  start(sensed, steady(), spec, kUsual);
  settle();
  run(sensed, 0.8, [](SensorFrame& frame) { frame.edges = 0; });
  check_sync(Sync::kCoasting);
  run(sensed, 0.06, [](SensorFrame& frame) { frame.edges = 0; });
  check_sync(Sync::kLost);

  start(sensed, swinging(76), usual_observer(), kUsual);
  settle();
  const auto no_sensor = [](SensorFrame& frame) {
    frame.edges = 0;
    frame.crank_acceleration_rad_s2.quality = signal::Quality::kHeld;
  };
  run(sensed, 0.1, no_sensor);
  check_sync(Sync::kCoasting);
  // As the orders have it that were learned.
  TEST_ASSERT_DOUBLE_WITHIN(4, sensed.crank.motion.acceleration_rad_s2,
                            static_cast<double>(sensed.observer.motion.acceleration_rad_s2));
  run(sensed, 0.06, no_sensor);
  check_sync(Sync::kLost);
}

// -- Acceleration that is wrong

// Teeth out of place by 0.03 degrees RMS, the same every turn, are taken for orders of the crank.
constexpr Bounds kBlindBounds = {0.2, 0.06, 0.2, 0.08};

void test_edges_alone() {
  start(sensed, swinging(60), usual_observer(), kUsual);
  run(sensed, kSettling_s, no_number);
  check_sync(Sync::kSynced);
  sensed.errors = {};
  run(sensed, 4, no_number);
  check_errors("edges alone, 6th order, 60 rpm", kBlindBounds);
  start(sensed, swinging(90), usual_observer(), kUsual);
  settle();
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.blind_ticks);
  const float bias_rad_s2 = sensed.observer.bias_rad_s2;
  run(sensed, 4, no_number);
  check_sync(Sync::kSynced);
  TEST_ASSERT_TRUE(sensed.observer.blind_ticks > 0);
  TEST_ASSERT_EQUAL_UINT32(8'000, sensed.observer.counts.bad_accelerations);
  TEST_ASSERT_TRUE(sensed.observer.bias_rad_s2 == bias_rad_s2);
  check_errors("edges alone, 6th order, 90 rpm", kBlindBounds);
  // A missing sensor is no bad value.
  run(sensed, 1, [](SensorFrame& frame) {
    frame.crank_acceleration_rad_s2 = {0, 0, 0, signal::Quality::kMissing};
  });
  TEST_ASSERT_TRUE(sensed.observer.blind_ticks > 0);
  TEST_ASSERT_EQUAL_UINT32(8'000, sensed.observer.counts.bad_accelerations);
  check_errors("sensor missing, 6th order, 90 rpm", kBlindBounds);
  run(sensed, 1);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.blind_ticks);
  sensed.errors = {};
  run(sensed, 4);
  check_errors("sensor back for 1 s", kUsualBounds);
}

// A sensor that looks well and is not this crank's: doubted within so long, edges alone are used
// meanwhile, and it is believed again half a second after it is.
template <typename Disturb>
void check_doubted(const char* name, double within_s, Disturb disturb) {
  start(sensed, swinging(76), usual_observer(), kUsual);
  settle();
  TEST_ASSERT_FALSE(sensed.observer.trial.is_doubted);
  run(sensed, within_s, disturb);
  TEST_ASSERT_TRUE_MESSAGE(sensed.observer.trial.is_doubted, name);
  sensed.errors = {};
  run(sensed, 3, disturb);
  TEST_ASSERT_TRUE_MESSAGE(sensed.observer.trial.is_doubted, name);
  TEST_ASSERT_TRUE(sensed.observer.blind_ticks > 0);
  check_sync(Sync::kSynced);
  check_errors(name, kBlindBounds);
  run(sensed, 0.4);
  TEST_ASSERT_TRUE_MESSAGE(sensed.observer.trial.is_doubted, name);
  run(sensed, 2);
  TEST_ASSERT_FALSE_MESSAGE(sensed.observer.trial.is_doubted, name);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.blind_ticks);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.losses);
}

void test_a_sensor_that_edges_contradict() {
  for (const float offset_rad_s2 : {3.0F, -20.0F}) {
    check_doubted("offset", 0.3, [&](SensorFrame& frame) {
      frame.crank_acceleration_rad_s2.value += offset_rad_s2;
    });
  }
  check_doubted("stuck", 0.2,
                [](SensorFrame& frame) { frame.crank_acceleration_rad_s2.value = 2; });
  etl::array<float, 40> past{};
  check_doubted("late by 20 ms", 0.2, [&](SensorFrame& frame) {
    float& oldest = past[frame.tick % past.size()];
    const float now = frame.crank_acceleration_rad_s2.value;
    frame.crank_acceleration_rad_s2.value = oldest;
    oldest = now;
  });
  std::uint32_t seed = 1;
  check_doubted("noise in its place", 0.2, [&](SensorFrame& frame) {
    frame.crank_acceleration_rad_s2.value = static_cast<float>(3 * noise(seed));
  });
}

// The load changes at once, and with it how the crank swings: it is the sensor that is right.
void test_a_change_of_load_is_no_fault() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  settle();
  for (const double amplitude_rad_s2 : {1.0, 7.0}) {
    sensed.crank_model.order_amplitude_rad_s2 = amplitude_rad_s2;
    for (int i = 0; i < 100; ++i) {
      run(sensed, 0.04);
      TEST_ASSERT_FALSE(sensed.observer.trial.is_doubted);
    }
  }
  check_errors("load changes", kUsualBounds);
}

// Every 10th sample is no number: held, hardly worse than none of them.
void test_some_samples_bad() {
  start(sensed, swinging(76), usual_observer(), kUsual);
  settle_and_measure("every 10th sample no number", kUsualBounds, [](SensorFrame& frame) {
    if (frame.tick % 10 == 0) {
      no_number(frame);
    }
  });
}

// -- Frames that are wrong

// A frame that comes twice, one that is missing, a count that begins anew: all counted, none loses
// the place. A tick of 0.5 ms too much or too little is 0.23 degrees until edges correct it.
void test_frames_out_of_order() {
  start(sensed, steady(), usual_observer(), kUsual);
  settle();
  observe(sensed);  // the same again
  TEST_ASSERT_EQUAL_UINT32(1, sensed.observer.counts.stale_frames);
  TEST_ASSERT_TRUE(sensed.observer.blind_ticks > 0);
  run(sensed, 1);
  sense(sensed);  // not observed
  run(sensed, kTick_s);
  TEST_ASSERT_DOUBLE_WITHIN(0.1 * kDegree_rad, 0, angle_error_rad(sensed));
  run(sensed, 1);
  TEST_ASSERT_EQUAL_UINT32(2, sensed.observer.counts.stale_frames);
  sensed.frame.tick = 5;
  run(sensed, 1);
  TEST_ASSERT_EQUAL_UINT32(3, sensed.observer.counts.stale_frames);
  check_sync(Sync::kSynced);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.counts.losses);
  TEST_ASSERT_EQUAL_UINT32(0, sensed.observer.blind_ticks);
  check_errors("three frames out of order", {0.4, 0.06, 0.06, 0.015});
  // The same frame for ever is no free run.
  for (int i = 0; i < 500; ++i) {
    observe(sensed);
  }
  check_sync(Sync::kLost);
}

void test_edges_out_of_order() {
  start(sensed, steady(), usual_observer(), kUsual);
  settle();
  const auto stray_edges = [](SensorFrame& frame, std::uint8_t edges) {
    for (std::size_t i = 0; i < signal::kMaxEdges; ++i) {
      frame.edge[i] = {static_cast<std::uint16_t>(60'000 - 7'000 * i), signal::EdgeKind::kTooth};
    }
    frame.edges = edges;
  };
  // In the gap nothing is expected: the first is a stray by its place, the others by their order.
  while (sensed.observer.edge_rad < 1.5F * sensed.model.pitch_rad) {
    run(sensed, kTick_s);
  }
  sensed.observer.counts = {};
  run(sensed, kTick_s, [&](SensorFrame& frame) { stray_edges(frame, 200); });
  TEST_ASSERT_EQUAL_UINT32(200, sensed.observer.counts.stray_edges);
  run(sensed, 1);
  check_sync(Sync::kSynced);
  TEST_ASSERT_DOUBLE_WITHIN(0.1 * kDegree_rad, 0, sensed.errors.worst_rad);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_missing_teeth);
  RUN_TEST(test_extra_edges);
  RUN_TEST(test_a_burr_on_the_wheel);
  RUN_TEST(test_false_gap_does_not_sync);
  RUN_TEST(test_double_edges_while_searching);
  RUN_TEST(test_edges_half_a_minute_apart);
  RUN_TEST(test_wrong_place_is_found_out);
  RUN_TEST(test_no_edges);
  RUN_TEST(test_coasting_ends);
  RUN_TEST(test_edges_alone);
  RUN_TEST(test_a_sensor_that_edges_contradict);
  RUN_TEST(test_a_change_of_load_is_no_fault);
  RUN_TEST(test_some_samples_bad);
  RUN_TEST(test_frames_out_of_order);
  RUN_TEST(test_edges_out_of_order);
  return UNITY_END();
}
