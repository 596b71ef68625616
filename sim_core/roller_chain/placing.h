// Rollers into the frames of the gaps and bars that they are near, as the list of contacts wants
// them: where they are there and how they move. What they do there: contacts.h. Loops as in
// contacts.h; only what compares places is in Real.
#pragma once

#include "sim_core/roller_chain/contact_list.h"
#include "sim_core/roller_chain/engagement.h"

namespace taut::roller_chain {

// A sprocket at one moment.
template <typename Real>
struct Wheel {
  Real x_m, y_m;  // centre
  Real x_m_s, y_m_s;
  Real cos, sin;  // of its angle
  Real speed_rad_s;
};

template <typename Real, typename Force>
[[nodiscard]] Wheel<Real> wheel_at(const Configuration<Real>& at, const Rates<Real, Force>& rate,
                                   std::size_t s, const RollerScratch<Real, Force>& scratch) {
  const auto turn = math::sincos(at.angle_rad[s]);
  return {.x_m = scratch.centre_x_m[s],
          .y_m = scratch.centre_y_m[s],
          .x_m_s = scratch.centre_x_m_s[s],
          .y_m_s = scratch.centre_y_m_s[s],
          .cos = turn.cos,
          .sin = turn.sin,
          .speed_rad_s = rate.angle_rad_s[s]};
}

// A roller from the seat of its gap. Only the difference of the two needs Real.
template <typename Force>
struct InGap {
  Force from_centre_x_m, from_centre_y_m;
  Force axis_x, axis_y;  // radially out, unit
  Force x_m, y_m;        // in the frame of the gap
};

template <typename Real, typename Force>
[[nodiscard]] inline InGap<Force> in_gap(const Wheel<Real>& wheel, Force inverse_radius_1_m,
                                         const Configuration<Real>& at,
                                         const ToothEngagement<Real, Force>& run, std::size_t i) {
  const Real real_seat_x_m = wheel.cos * run.seat_x_m[i] - wheel.sin * run.seat_y_m[i];
  const Real real_seat_y_m = wheel.sin * run.seat_x_m[i] + wheel.cos * run.seat_y_m[i];
  const auto off_x_m = static_cast<Force>(at.x_m[i] - wheel.x_m - real_seat_x_m);
  const auto off_y_m = static_cast<Force>(at.y_m[i] - wheel.y_m - real_seat_y_m);
  const auto seat_x_m = static_cast<Force>(real_seat_x_m);
  const auto seat_y_m = static_cast<Force>(real_seat_y_m);
  const Force axis_x = seat_x_m * inverse_radius_1_m;
  const Force axis_y = seat_y_m * inverse_radius_1_m;
  return {.from_centre_x_m = seat_x_m + off_x_m,
          .from_centre_y_m = seat_y_m + off_y_m,
          .axis_x = axis_x,
          .axis_y = axis_y,
          .x_m = axis_x * off_y_m - axis_y * off_x_m,
          .y_m = axis_x * off_x_m + axis_y * off_y_m};
}

// Rollers in their gaps, and how they move against the sprocket.
template <typename Real, typename Force>
void place_in_gaps(const Wheel<Real>& given, const SprocketConstants<Real, Force>& sprocket,
                   const Configuration<Real>& at, const Rates<Real, Force>& rate,
                   const ToothEngagement<Real, Force>& run, const ContactSection& section,
                   Contacts<Force>& contacts) {
  const Wheel<Real> wheel = given;
  const Force inverse_radius_1_m = sprocket.pitch_radius_inverse_1_m;
  const auto wheel_x_m_s = static_cast<Force>(wheel.x_m_s);
  const auto wheel_y_m_s = static_cast<Force>(wheel.y_m_s);
  const auto wheel_rad_s = static_cast<Force>(wheel.speed_rad_s);
  for_each_block(section, contacts, [&](ContactBlock<Force>& block) {
    const std::size_t first = block.first_roller;
    TAUT_EACH_LANE(lane) {
      const std::size_t i = first + lane;
      const InGap<Force> roller = in_gap(wheel, inverse_radius_1_m, at, run, i);
      block.x_m[lane] = roller.from_centre_x_m;
      block.y_m[lane] = roller.from_centre_y_m;
      block.slip_x_m_s[lane] = rate.x_m_s[i] - wheel_x_m_s + wheel_rad_s * roller.from_centre_y_m;
      block.slip_y_m_s[lane] = rate.y_m_s[i] - wheel_y_m_s - wheel_rad_s * roller.from_centre_x_m;
      block.axis_x[lane] = roller.axis_x;
      block.axis_y[lane] = roller.axis_y;
      block.in_frame_x_m[lane] = roller.x_m;
      block.in_frame_y_m[lane] = roller.y_m;
      block.inverse_first_touch_speed_s_m[lane] = run.inverse_first_touch_speed_s_m[i];
    }
    clear_lanes_behind(block);
  });
}

// Which rollers at the ends of a run are above all teeth.
template <typename Real, typename Force>
void skip_clear_ends(const Wheel<Real>& wheel, const SprocketConstants<Real, Force>& sprocket,
                     const Configuration<Real>& at, std::size_t links,
                     ToothEngagement<Real, Force>& run) {
  const auto is_clear = [&](std::size_t place) {
    const std::size_t i = roller_at(run, place, links);
    const InGap<Force> roller = in_gap(wheel, sprocket.pitch_radius_inverse_1_m, at, run, i);
    return roller.y_m > sprocket.clear_height_m + 2 * math::magnitude(roller.x_m);
  };
  std::size_t begin = 0;
  std::size_t end = run.count;
  while (begin < end && is_clear(begin)) {
    leave(run, roller_at(run, begin, links));
    ++begin;
  }
  while (begin < end && is_clear(end - 1)) {
    --end;
    leave(run, roller_at(run, end, links));
  }
  run.clear_at_begin = static_cast<std::uint16_t>(begin);
  run.clear_at_end = static_cast<std::uint16_t>(run.count - end);
}

// Is any roller by now nearer to the next gap? Hardly ever.
template <typename Real, typename Force>
[[nodiscard]] bool any_strayed(const RollerModel<Real, Force>& model,
                               const Contacts<Force>& contacts) {
  etl::array<std::uint32_t, math::kLanes> strayed{};
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const auto radius_m = static_cast<Force>(model.sprocket[s].pitch_radius_m);
    const Force half_gap = model.sprocket[s].half_gap;
    for_each_block(contacts.section[s], contacts, [&](const ContactBlock<Force>& block) {
      TAUT_EACH_LANE(lane) {
        const Force off_m = math::magnitude(block.in_frame_x_m[lane]);
        strayed[lane] |= off_m > (block.in_frame_y_m[lane] + radius_m) * half_gap ? 1U : 0U;
      }
    });
  }
  std::uint32_t any = 0;
  for (const std::uint32_t lane : strayed) {
    any |= lane;
  }
  return any != 0;
}

// Rollers in the frame of a bar: its axis is the normal. It stands still.
template <typename Real, typename Force>
void place_at_bar(const contact::GuideBar<Real>& given, const Configuration<Real>& at,
                  const Rates<Real, Force>& rate, const Engagement<Force>& run,
                  const ContactSection& section, Contacts<Force>& contacts) {
  const contact::GuideBar<Real> bar = given;
  for_each_block(section, contacts, [&](ContactBlock<Force>& block) {
    const std::size_t first = block.first_roller;
    TAUT_EACH_LANE(lane) {
      const std::size_t i = first + lane;
      const Real x_m = at.x_m[i] - bar.middle_x_m;
      const Real y_m = at.y_m[i] - bar.middle_y_m;
      block.slip_x_m_s[lane] = rate.x_m_s[i];
      block.slip_y_m_s[lane] = rate.y_m_s[i];
      block.axis_x[lane] = static_cast<Force>(bar.normal_x);
      block.axis_y[lane] = static_cast<Force>(bar.normal_y);
      block.in_frame_x_m[lane] = static_cast<Force>(bar.normal_x * y_m - bar.normal_y * x_m);
      block.in_frame_y_m[lane] = static_cast<Force>(bar.normal_x * x_m + bar.normal_y * y_m);
      block.inverse_first_touch_speed_s_m[lane] = run.inverse_first_touch_speed_s_m[i];
    }
    clear_lanes_behind(block);
  });
}

template <typename Real, typename Force>
void place_on_sprocket(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                       const Rates<Real, Force>& rate, std::size_t s,
                       ToothEngagement<Real, Force>& run, RollerScratch<Real, Force>& scratch) {
  const SprocketConstants<Real, Force>& sprocket = model.sprocket[s];
  const Wheel<Real> wheel = wheel_at(at, rate, s, scratch);
  Contacts<Force>& contacts = scratch.teeth;
  if (is_turn<Force>(s, run)) {
    update_teeth(model, at, s, {wheel.x_m, wheel.y_m}, run);
    skip_clear_ends(wheel, sprocket, at, model.links, run);
  }
  const std::size_t first = roller_at(run, run.clear_at_begin, model.links);
  const std::size_t clear = std::size_t{run.clear_at_begin} + run.clear_at_end;
  contacts.section[s] = append(first, run.count - clear, model.links, contacts);
  place_in_gaps(wheel, sprocket, at, rate, run, contacts.section[s], contacts);
}

// All rollers of a run into the gaps that they are nearest to by now.
template <typename Real, typename Force>
void settle_again(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                  const Rates<Real, Force>& rate, std::size_t s, ToothEngagement<Real, Force>& run,
                  RollerScratch<Real, Force>& scratch) {
  const SprocketConstants<Real, Force>& sprocket = model.sprocket[s];
  const Wheel<Real> wheel = wheel_at(at, rate, s, scratch);
  for (std::size_t place = 0; place < run.count; ++place) {
    const std::size_t i = roller_at(run, place, model.links);
    const math::Vector2<Real> from_centre_m(at.x_m[i] - wheel.x_m, at.y_m[i] - wheel.y_m);
    settle_in_gap(sprocket, at.angle_rad[s], from_centre_m, i, run);
  }
  place_in_gaps(wheel, sprocket, at, rate, run, scratch.teeth.section[s], scratch.teeth);
}

template <typename Real, typename Force>
void place_on_teeth(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                    const Rates<Real, Force>& rate, Engagements<Real, Force>& engaged,
                    RollerScratch<Real, Force>& scratch) {
  scratch.teeth.all = {};
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    place_on_sprocket(model, at, rate, s, engaged.teeth[s], scratch);
  }
  if (any_strayed(model, scratch.teeth)) {
    for (std::size_t s = 0; s < model.sprockets; ++s) {
      settle_again(model, at, rate, s, engaged.teeth[s], scratch);
    }
  }
}

}  // namespace taut::roller_chain
