#include "sim_core/crank/make_observer.h"

#include <initializer_list>

#include "sim_core/assert.h"
#include "sim_core/crank/fading_memory.h"
#include "sim_core/crank/observer.h"
#include "sim_core/math/round.h"
#include "sim_core/math/sqrt.h"

namespace taut::crank {

namespace {

constexpr double kTurn_rad = math::kTwoPi<double>;

void check_positive(double value) {
  TAUT_ASSERT(value > 0 && math::is_finite(value), value);
}

// Between two edges while the place is known: slowly over gap and window, then coasting.
double longest_interval_s(const ObserverSpec& spec) {
  const double pitches = spec.wheel.pitches == 0 ? 1 : spec.wheel.pitches;
  const double overdue_rad = (1.0 + spec.wheel.missing + spec.window_pitches) * kTurn_rad / pitches;
  return overdue_rad / spec.slow_rad_s + spec.coast_s;
}

void check(const ObserverSpec& spec) {
  const WheelSpec& wheel = spec.wheel;
  TAUT_ASSERT(wheel.pitches == 0 || (wheel.pitches >= 3 && wheel.pitches <= kMaxPitches),
              wheel.pitches);
  // Two intervals are compared to find the gap, so that there must be three teeth at least.
  TAUT_ASSERT(
      wheel.missing == 0 || (wheel.missing < wheel.pitches && wheel.pitches - wheel.missing >= 3),
      wheel.missing);
  TAUT_ASSERT(math::magnitude(wheel.first_tooth_rad) <= kTurn_rad, wheel.first_tooth_rad);
  TAUT_ASSERT(math::magnitude(wheel.index_rad) <= kTurn_rad, wheel.index_rad);
  for (const double value :
       {signal::kTick_s, spec.nominal_speed_rad_s, spec.acceleration_noise_rad_s2,
        spec.max_acceleration_rad_s2, spec.edge_noise_rad, spec.coast_s, spec.blind_coast_s,
        spec.coast_turns, spec.max_turns_without_mark, spec.slow_rad_s}) {
    check_positive(value);
  }
  TAUT_ASSERT(spec.acceleration_delay_s >= 0 && spec.acceleration_delay_s <= 0.1,
              spec.acceleration_delay_s);
  TAUT_ASSERT(spec.max_bias_rad_s2 >= 0 && spec.max_bias_rad_s2 <= spec.max_acceleration_rad_s2,
              spec.max_bias_rad_s2);
  TAUT_ASSERT(spec.window_pitches > 0 && spec.window_pitches < 0.5, spec.window_pitches);
  // Angles between two frames are told apart to half a turn.
  TAUT_ASSERT(spec.max_speed_rad_s > spec.slow_rad_s &&
                  spec.max_speed_rad_s * signal::kTick_s * kMaxTicksApart < kTurn_rad / 4,
              spec.max_speed_rad_s);
  // Moments of edges wrap after 32 s of the default tick.
  TAUT_ASSERT(longest_interval_s(spec) < kLongestInterval_ticks * signal::kTick_s,
              longest_interval_s(spec));
}

// In fractions of a turn; the cast of a negative whole number wraps as angles do.
std::uint32_t to_fraction(double angle_rad) {
  return static_cast<std::uint32_t>(
      static_cast<std::int64_t>(math::round(angle_rad / kTurn_rad * 0x1p32)));
}

// Noise of density r on the angle and q on the acceleration: the steady Riccati equation of angle
// and speed gives p12 = sqrt(q r), p11 = sqrt(2 p12 r), and the Kalman-Bucy filter the poles of
// s^2 + p11/r s + p12/r: of size (q/r)^(1/4). One error of RMS e that lasts t has density e^2 t.
float memory_s(const ObserverSpec& spec, double edge_interval_s) {
  const double q =
      spec.acceleration_noise_rad_s2 * spec.acceleration_noise_rad_s2 * signal::kTick_s;
  const double r = spec.edge_noise_rad * spec.edge_noise_rad * edge_interval_s;
  return kMemory / static_cast<float>(math::sqrt(math::sqrt(q / r)));
}

Wheel make_wheel(const WheelSpec& spec) {
  Wheel wheel{};
  wheel.index_only = spec.pitches == 0;
  wheel.pitches = wheel.index_only ? 1 : spec.pitches;
  wheel.missing = spec.missing;
  wheel.index = to_fraction(spec.index_rad);
  wheel.first_tooth = wheel.index_only ? wheel.index : to_fraction(spec.first_tooth_rad);
  // 2^64 / N rounded down: no tooth is wrong by more than 2^-32 turns.
  wheel.pitch = wheel.index_only ? 0 : ~std::uint64_t{0} / wheel.pitches;
  return wheel;
}

}  // namespace

ObserverModel make_observer(const ObserverSpec& spec) {
  check(spec);
  const Wheel wheel = make_wheel(spec.wheel);
  const double pitch_rad = kTurn_rad / wheel.pitches;
  const double interval_s = pitch_rad / spec.nominal_speed_rad_s;
  const double gap_pitches = 1.0 + wheel.missing;
  const double window_rad = spec.window_pitches * pitch_rad;
  ObserverModel model{};
  model.wheel = wheel;
  model.tick_s = static_cast<float>(signal::kTick_s);
  model.moment_s = static_cast<float>(signal::kTick_s / kMomentsATick);
  // Smoothed so, a steady rise stays behind by just the delay.
  model.delay_smoothing =
      static_cast<float>(signal::kTick_s / (signal::kTick_s + spec.acceleration_delay_s));
  model.memory_s = memory_s(spec, interval_s);
  model.max_bias_rad_s2 = static_cast<float>(spec.max_bias_rad_s2);
  model.max_acceleration_rad_s2 = static_cast<float>(spec.max_acceleration_rad_s2);
  model.pitch_rad = static_cast<float>(pitch_rad);
  model.gap_pitches = static_cast<float>(gap_pitches);
  model.window_rad = static_cast<float>(window_rad);
  model.overdue_rad = static_cast<float>(gap_pitches * pitch_rad + window_rad);
  // Half way to a plain interval on the one side, twice the gap's on the other.
  model.gap_ratio_low = static_cast<float>((1 + gap_pitches) / 2);
  model.gap_ratio_high = static_cast<float>(2 * gap_pitches);
  model.shortest_interval_s = static_cast<float>(pitch_rad / spec.max_speed_rad_s);
  model.max_speed_rad_s = static_cast<float>(spec.max_speed_rad_s);
  model.slow_rad_s = static_cast<float>(spec.slow_rad_s);
  model.coast_s = static_cast<float>(spec.coast_s);
  model.blind_coast_s = static_cast<float>(spec.blind_coast_s);
  model.coast_rad = static_cast<float>(spec.coast_turns * kTurn_rad);
  model.max_rad_without_mark = static_cast<float>(spec.max_turns_without_mark * kTurn_rad);
  model.edges_a_turn = wheel.pitches - wheel.missing;
  // Half of what noise and place of the teeth leave is room enough.
  model.index_window_rad =
      has_gap(wheel) && spec.wheel.confirmed_by_index ? 0.5F * model.window_rad : 0.0F;
  const std::uint32_t told_apart = wheel.pitches / 4;  // half of what Nyquist allows
  model.track = {.orders = told_apart < kOrders ? told_apart : static_cast<std::uint32_t>(kOrders),
                 .memory_s = model.memory_s,
                 .most_rad = 2 * model.window_rad,
                 .max_speed_rad_s = model.max_speed_rad_s,
                 .max_acceleration_rad_s2 = model.max_acceleration_rad_s2};
  model.trial = {.noise_rad = static_cast<float>(spec.edge_noise_rad),
                 .most_rad = model.track.most_rad,
                 .max_bias_rad_s2 = model.max_bias_rad_s2,
                 .max_speed_rad_s = model.max_speed_rad_s};
  return model;
}

}  // namespace taut::crank
