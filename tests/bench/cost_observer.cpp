#include "tests/bench/cost_observer.h"

#include "tests/bench/measure.h"
#include "tests/unit/crank/sensed_crank.h"

namespace taut::bench {

namespace {

constexpr std::uint32_t kTicks = 256;

// Frames are recorded first: only the observer is counted.
bool measure_wheel(const Name& name, const crank::WheelSpec& wheel, double speed_rad_s,
                   double settling_s) {
  static crank_test::SensedCrank sensed;
  static etl::array<signal::SensorFrame, kTicks> frames;
  crank::ObserverSpec spec;
  spec.wheel = wheel;
  crank_test::start(sensed, {.speed_rad_s = speed_rad_s}, spec, {});
  crank_test::run(sensed, settling_s);
  for (signal::SensorFrame& frame : frames) {
    crank_test::sense(sensed);
    frame = sensed.frame;
  }
  measure(name, kTicks,
          [](std::uint32_t i) { crank::observe(sensed.model, sensed.observer, frames[i]); });
  return sensed.observer.sync == crank::Sync::kSynced && sensed.observer.counts.stray_edges == 0;
}

}  // namespace

// An edge in 26 ticks, and seven a tick.
bool measure_observer() {
  const bool seldom = measure_wheel("observer_60_2/float", {.pitches = 60, .missing = 2}, 8, 2);
  const bool often = measure_wheel("observer_3600/float", {.pitches = 3600, .missing = 0}, 25, 0.6);
  return seldom && often;
}

}  // namespace taut::bench
