// The constants of a synthetic crank motion from its parts: a run-up (Pedersen 4.3), a table
// against the crank angle (4.3.1), one order (4.5) and a recorded series. Set-up only; synthetic.h
// turns the crank. Not for four-stroke engines: everything periodic repeats with one turn.
#pragma once

#include <cstddef>
#include <limits>

#include <etl/span.h>

#include "sim_core/assert.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/float_bits.h"
#include "sim_core/math/periodic_spline.h"

namespace taut::crank {

// What is left as here adds nothing; with no part at all the speed is constant.
struct SyntheticSpec {
  double step_s = 0;  // must be given
  double speed_rad_s = 0;
  double run_up_s = 0;   // from standstill to that speed; 0: at that speed from the start
  double fade_in_s = 1;  // of order and table, beginning when the run-up ends
  int order = 1;         // periods a turn
  double order_amplitude_rad_s2 = 0;
  etl::span<const double> table_rad_s2{};  // equally spaced over one turn, the first at angle zero
  etl::span<const float> series_rad_s2{};  // equally spaced in time, the first at the start
  double series_period_s = 0;              // from one sample to the next
};

// So many a float can count.
inline constexpr std::size_t kMaxSeriesSamples = std::size_t{1} << 24;

template <typename Real, std::size_t kTableCapacity = math::kMaxSplineSamples>
struct SyntheticModel {
  Real step_s;
  Real half_step_s;
  Real sixth_step_s;
  Real start_speed_rad_s;
  Real run_up_s;
  Real run_up_rad_s4;  // 6 w/t_c^3
  Real fade_end_s;
  Real inverse_fade_1_s;
  Real order;
  Real order_amplitude_rad_s2;
  math::PeriodicSpline<Real, kTableCapacity> table_rad_s2;  // against the angle, without its mean
  double table_mean_rad_s2;                                 // that was removed, for reports
  bool has_table;
  etl::span<const float> series_rad_s2;  // not owned, must outlive the model
  Real series_size;                      // as a Real, so that a step converts nothing
  Real series_samples_a_half_step;
};

namespace detail {

// What is shorter than a step cannot be seen by it.
inline void check(const SyntheticSpec& spec) {
  const auto is_absent_or_seen = [&](double duration_s) {
    return duration_s == 0 || (duration_s >= spec.step_s && math::is_finite(duration_s));
  };
  TAUT_ASSERT(spec.step_s > 0 && math::is_finite(spec.step_s), spec.step_s);
  TAUT_ASSERT(spec.speed_rad_s >= 0 && spec.speed_rad_s * spec.step_s < math::kPi<double>,
              spec.speed_rad_s);
  TAUT_ASSERT(is_absent_or_seen(spec.run_up_s), spec.run_up_s);
  TAUT_ASSERT(is_absent_or_seen(spec.fade_in_s), spec.fade_in_s);
  TAUT_ASSERT(spec.order >= 1, spec.order);
  TAUT_ASSERT(math::is_finite(spec.order_amplitude_rad_s2), spec.order_amplitude_rad_s2);
  TAUT_ASSERT(spec.series_rad_s2.size() <= kMaxSeriesSamples, spec.series_rad_s2.size());
  TAUT_ASSERT(spec.series_rad_s2.empty() ||
                  (spec.series_period_s > 0 && math::is_finite(spec.series_period_s)),
              spec.series_period_s);
  for (const float sample_rad_s2 : spec.series_rad_s2) {
    TAUT_ASSERT(math::is_finite(sample_rad_s2), sample_rad_s2);
  }
}

}  // namespace detail

// Into the caller's storage: with its table the model is larger than a small target's stack.
template <typename Real, std::size_t kTableCapacity>
void make_synthetic(const SyntheticSpec& spec, SyntheticModel<Real, kTableCapacity>& model) {
  constexpr double kNoTable[math::kMinSplineSamples] = {};
  detail::check(spec);
  const double run_up_s = spec.run_up_s;
  const bool runs_up = run_up_s > 0;
  model.step_s = static_cast<Real>(spec.step_s);
  model.half_step_s = static_cast<Real>(spec.step_s / 2);
  model.sixth_step_s = static_cast<Real>(spec.step_s / 6);
  model.start_speed_rad_s = runs_up ? Real(0) : static_cast<Real>(spec.speed_rad_s);
  model.run_up_s = static_cast<Real>(run_up_s);
  model.run_up_rad_s4 =
      runs_up ? static_cast<Real>(6 * spec.speed_rad_s / (run_up_s * run_up_s * run_up_s))
              : Real(0);
  model.fade_end_s = static_cast<Real>(run_up_s + spec.fade_in_s);
  // Without a fade any time before its end is far before it.
  model.inverse_fade_1_s =
      spec.fade_in_s > 0 ? static_cast<Real>(1 / spec.fade_in_s) : std::numeric_limits<Real>::max();
  model.order = static_cast<Real>(spec.order);
  model.order_amplitude_rad_s2 = static_cast<Real>(spec.order_amplitude_rad_s2);

  model.has_table = !spec.table_rad_s2.empty();
  math::make_periodic_spline(
      model.has_table ? spec.table_rad_s2 : etl::span<const double>(kNoTable), math::kTwoPi<double>,
      model.table_rad_s2);
  // A mean would do the same work every turn, and the speed would drift away.
  model.table_mean_rad_s2 = math::remove_mean(model.table_rad_s2);

  model.series_rad_s2 = spec.series_rad_s2;
  model.series_size = static_cast<Real>(spec.series_rad_s2.size());
  model.series_samples_a_half_step =
      spec.series_rad_s2.empty() ? Real(0)
                                 : static_cast<Real>(spec.step_s / (2 * spec.series_period_s));
}

}  // namespace taut::crank
