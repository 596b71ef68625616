// Which rollers are near which teeth and bars. Chains move less than a pitch in a step, so a
// run of rollers changes at its ends only, and a roller keeps its gap until it is nearer to the
// next one. Where a run is empty, all rollers are looked at.
#pragma once

#include "sim_core/roller_chain/touches.h"

namespace taut::roller_chain {

template <typename Force>
[[nodiscard]] std::size_t roller_at(const Engagement<Force>& run, std::size_t place,
                                    std::size_t links) {
  const std::size_t roller = run.first + place;
  return roller < links ? roller : roller - links;
}

// The ends of runs are looked at in turns: what comes near is seen in time, for a chain moves but a
// few per cent of a pitch in so many steps (kClearance and kBesideEnd).
inline constexpr std::uint16_t kStepsBetweenLooks = 4;

// `number`: of the sprocket or bar, so that they take different turns.
template <typename Force>
[[nodiscard]] bool is_turn(std::size_t number, Engagement<Force>& run) {
  const bool due = run.count == 0 || run.steps_to_look == 0;
  if (run.count == 0) {
    run.steps_to_look = static_cast<std::uint16_t>(number % kStepsBetweenLooks);
  } else {
    run.steps_to_look =
        static_cast<std::uint16_t>(due ? kStepsBetweenLooks - 1 : run.steps_to_look - 1);
  }
  return due;
}

template <typename Force>
void leave(Engagement<Force>& run, std::size_t roller) {
  run.inverse_first_touch_speed_s_m[roller] = 0;
}

// near(roller): belongs to the run. A run of the whole loop has no ends and stays as it is.
template <typename Force, typename Near>
void find_run(std::size_t links, Near near, Engagement<Force>& run) {
  for (std::size_t i = 0; i < links; ++i) {
    const std::size_t before = i == 0 ? links - 1 : i - 1;
    if (near(i) && !near(before)) {
      run.first = static_cast<std::uint16_t>(i);
      while (run.count < links && near(roller_at(run, run.count, links))) {
        ++run.count;
      }
      return;
    }
  }
}

// enter(roller): what to set for a new one. At most two a step come or go at each end.
template <typename Force, typename Near, typename Enter>
void update_run(std::size_t links, Near near, Enter enter, Engagement<Force>& run) {
  constexpr int kMost = 2;
  if (run.count == 0) {
    find_run(links, near, run);
    for (std::size_t place = 0; place < run.count; ++place) {
      enter(roller_at(run, place, links));
    }
    return;
  }
  for (int i = 0; i < kMost && run.count > 0 && !near(run.first); ++i) {
    leave(run, run.first);
    run.first = static_cast<std::uint16_t>(roller_at(run, 1, links));
    --run.count;
  }
  for (int i = 0; i < kMost && run.count > 0; ++i) {
    const std::size_t last = roller_at(run, run.count - 1U, links);
    if (near(last)) {
      break;
    }
    leave(run, last);
    --run.count;
  }
  for (int i = 0; i < kMost && run.count < links; ++i) {
    const std::size_t before = run.first == 0 ? links - 1 : run.first - 1U;
    if (!near(before)) {
      break;
    }
    run.first = static_cast<std::uint16_t>(before);
    ++run.count;
    enter(before);
  }
  for (int i = 0; i < kMost && run.count < links; ++i) {
    const std::size_t after = roller_at(run, run.count, links);
    if (!near(after)) {
      break;
    }
    ++run.count;
    enter(after);
  }
}

template <typename Real, typename Force>
void settle_in_gap(const SprocketConstants<Real, Force>& sprocket, Real angle_rad,
                   const math::Vector2<Real>& from_centre_m, std::size_t roller,
                   ToothEngagement<Real, Force>& run) {
  const std::size_t gap = nearest_gap(sprocket, angle_rad, from_centre_m);
  run.seat_x_m[roller] = sprocket.seat_x_m[gap];
  run.seat_y_m[roller] = sprocket.seat_y_m[gap];
}

// Rollers within reach of the teeth.
template <typename Real, typename Force>
void update_teeth(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                  std::size_t s, const math::Vector2<Real>& centre_m,
                  ToothEngagement<Real, Force>& run) {
  const SprocketConstants<Real, Force>& sprocket = model.sprocket[s];
  const auto from_centre_m = [&](std::size_t roller) -> math::Vector2<Real> {
    return position(at, roller) - centre_m;
  };
  const auto near = [&](std::size_t roller) { return in_reach(sprocket, from_centre_m(roller)); };
  const auto enter = [&](std::size_t roller) {
    settle_in_gap(sprocket, at.angle_rad[s], from_centre_m(roller), roller, run);
  };
  update_run<Force>(model.links, near, enter, run);
}

// Beyond the ends of a bar, in pitches: what comes in before the next look.
inline constexpr double kBesideEnd = 0.1;

// Rollers beside the bar, as long as it is; how far off does not count, but for finding the
// strand that it belongs to.
template <typename Real, typename Force>
void update_bar(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                std::size_t bar, Engagement<Force>& run) {
  const contact::GuideBar<Real>& shape = model.guide_bar[bar].bar;
  if (!is_turn(bar, run)) {
    return;
  }
  const bool lost = run.count == 0;
  const Real reach_m = shape.half_length_m + static_cast<Real>(kBesideEnd) * model.pitch_m;
  const auto beside = [&](std::size_t roller) {
    const Real x_m = at.x_m[roller] - shape.middle_x_m;
    const Real y_m = at.y_m[roller] - shape.middle_y_m;
    const Real along_m = shape.along_x * x_m + shape.along_y * y_m;
    const Real height_m = shape.normal_x * x_m + shape.normal_y * y_m;
    const bool near = math::magnitude(height_m) < Real(2) * model.pitch_m;
    return math::magnitude(along_m) <= reach_m && (near || !lost);
  };
  update_run(
      model.links, beside, [](std::size_t) {}, run);
}

}  // namespace taut::roller_chain
