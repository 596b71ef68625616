#include "tests/bench/cost_twin.h"

#include "tests/bench/measure.h"
#include "tests/unit/twin/repeating_engine.h"

namespace taut::bench {

// Reduced chain of 6S90MC-C with bars and tightener, 75 rpm, under the sixth order. Over a quarter
// of a turn with the gap in it; then with every sensor bad and as many edges as a frame holds.
bool measure_twin() {
  constexpr double kAmplitude_rad_s2 = 3;
  constexpr std::uint32_t kTicks = twin_test::kTurn_ticks / 4;
  constexpr std::uint32_t kSettling = 3 * twin_test::kTurn_ticks + twin::kSettlingTicks;
  static twin_test::SensedTwin sensed;
  static twin_test::RepeatingEngine engine;
  if (!twin_test::make(twin_test::observer_of_the_engine(), sensed)) {
    return false;
  }
  twin_test::start(kAmplitude_rad_s2, engine);
  twin_test::start(sensed);
  for (std::uint32_t i = 0; i < kSettling; ++i) {
    twin_test::tick(sensed, twin_test::advance(engine));
  }
  Tally channels("twin_channels/float");
  Tally ticks("twin_tick/float");
  const auto count = [&](const twin_test::CrankReadings& crank) {
    twin_test::measure(sensed, crank);
    channels.count([&] { twin_test::condition(sensed); });
    ticks.count([&] { twin_test::predict(sensed); });
  };
  bool is_valid = true;
  for (std::uint32_t i = 0; i < kTicks; ++i) {
    count(twin_test::advance(engine));
    is_valid = is_valid && signal::trust_of(sensed.prediction.health) == signal::Trust::kValid;
  }
  channels.print();
  ticks.print();
  Tally bad_channels("twin_channels_bad/float");
  Tally bad_ticks("twin_tick_bad/float");
  for (std::uint32_t i = 0; i < kTicks; ++i) {
    twin_test::CrankReadings crank = twin_test::advance(engine);
    crank.acceleration_rad_s2 = i % 3 == 0 ? 1e9F : -1e9F;
    crank.edges = signal::kMaxEdges;
    for (std::uint32_t k = 0; k < signal::kMaxEdges; ++k) {
      crank.edge[k] = {static_cast<std::uint16_t>(8000 * k), signal::EdgeKind::kTooth};
    }
    twin_test::measure(sensed, crank);
    sensed.readings.link_force.value = -1e9F;
    sensed.readings.tightener_position.sequence += 5;
    sensed.readings.tightener_acceleration.value = 1e3F;
    bad_channels.count([&] { twin_test::condition(sensed); });
    bad_ticks.count([&] { twin_test::predict(sensed); });
  }
  bad_channels.print();
  bad_ticks.print();
  print_bytes("twin_model", sizeof(sensed.model));
  print_bytes("twin_state", sizeof(sensed.state));
  print_bytes("twin_channel_models", sizeof(sensed.channels));
  print_bytes("twin_channel_states", sizeof(sensed.channel_states));
  print_bytes("twin_frames", sizeof(sensed.frame) + sizeof(sensed.prediction));
  return is_valid;
}

}  // namespace taut::bench
