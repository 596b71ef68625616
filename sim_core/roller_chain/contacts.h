// Rollers on teeth and guide-bars (Pedersen 3.5, 3.8.2): gathered into plain arrays, one loop
// for each part of the contact, and spread again. The loops have no branches and their arrays
// do not overlap: so compilers make vector code of them.
#pragma once

#include "sim_core/contact/friction.h"
#include "sim_core/contact/normal_law.h"
#include "sim_core/math/sum.h"
#include "sim_core/roller_chain/engagement.h"

namespace taut::roller_chain {

// Far from any surface: what fills the lanes behind the last roller touches nothing.
template <typename Real>
inline constexpr Real kAway_m = Real(1e3);

template <typename Real, typename Force>
void gather(const RollerModel<Real, Force>& model, const Configuration<Real>& __restrict at,
            const Rates<Real>& __restrict rate, const math::Vector2<Real>& centre_m,
            const math::Vector2<Real>& centre_m_s, const Engagement<Force>& __restrict run,
            Contacts<Real, Force>& __restrict contacts) {
  const Real centre_x_m = centre_m.x();
  const Real centre_y_m = centre_m.y();
  const Real centre_x_m_s = centre_m_s.x();
  const Real centre_y_m_s = centre_m_s.y();
  for_each_stretch(run, model.links, [&](std::size_t i, std::size_t j, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      contacts.x_m[j + k] = at.x_m[i + k] - centre_x_m;
      contacts.y_m[j + k] = at.y_m[i + k] - centre_y_m;
      contacts.x_m_s[j + k] = rate.x_m_s[i + k] - centre_x_m_s;
      contacts.y_m_s[j + k] = rate.y_m_s[i + k] - centre_y_m_s;
      contacts.inverse_first_touch_speed_s_m[j + k] = run.inverse_first_touch_speed_s_m[i + k];
    }
  });
  for (std::size_t j = run.count; j < math::padded(run.count); ++j) {
    contacts.x_m[j] = kAway_m<Real>;
    contacts.y_m[j] = kAway_m<Real>;
    contacts.x_m_s[j] = 0;
    contacts.y_m_s[j] = 0;
    contacts.radial_x[j] = 0;
    contacts.radial_y[j] = 1;
    contacts.inverse_first_touch_speed_s_m[j] = 0;
  }
}

// Directions of the gaps as the sprocket stands now.
template <typename Real, typename Force>
void turn_gaps(Real angle_rad, std::size_t links,
               const ToothEngagement<Real, Force>& __restrict run,
               Contacts<Real, Force>& __restrict contacts) {
  const auto turn = math::sincos(angle_rad);
  for_each_stretch(run, links, [&](std::size_t i, std::size_t j, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      contacts.radial_x[j + k] = turn.cos * run.gap_cos[i + k] - turn.sin * run.gap_sin[i + k];
      contacts.radial_y[j + k] = turn.sin * run.gap_cos[i + k] + turn.cos * run.gap_sin[i + k];
    }
  });
}

// From here on loops run over whole lanes.
template <typename Real, typename Force>
void place_in_gaps(const SprocketConstants<Real, Force>& sprocket, std::size_t count,
                   Contacts<Real, Force>& __restrict contacts) {
  const Real radius_m = sprocket.pitch_radius_m;
  for (std::size_t j = 0; j < math::padded(count); ++j) {
    contacts.in_gap_x_m[j] =
        contacts.radial_x[j] * contacts.y_m[j] - contacts.radial_y[j] * contacts.x_m[j];
    contacts.in_gap_y_m[j] =
        contacts.radial_x[j] * contacts.x_m[j] + contacts.radial_y[j] * contacts.y_m[j] - radius_m;
  }
}

// How many are by now nearer to the next gap: hardly ever any.
template <typename Real, typename Force>
[[nodiscard]] std::size_t count_strayed(const SprocketConstants<Real, Force>& sprocket,
                                        std::size_t count, const Contacts<Real, Force>& contacts) {
  const Real radius_m = sprocket.pitch_radius_m;
  const Real half_gap = sprocket.half_gap;
  std::size_t strayed = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const Real off_m = math::magnitude(contacts.in_gap_x_m[j]);
    strayed += off_m > (contacts.in_gap_y_m[j] + radius_m) * half_gap ? 1U : 0U;
  }
  return strayed;
}

// The form as a constant: a loop that asks for it each time is no vector loop.
template <contact::ToothForm kForm, typename Real, typename Force>
void touch_teeth(const contact::ToothGap<Real>& given, Real speed_rad_s, std::size_t count,
                 Contacts<Real, Force>& __restrict contacts) {
  contact::ToothGap<Real> gap = given;
  gap.form = kForm;
  for (std::size_t j = 0; j < math::padded(count); ++j) {
    const contact::Touch<Real> touch =
        contact::touch(gap, contacts.in_gap_x_m[j], contacts.in_gap_y_m[j]);
    const Real radial_x = contacts.radial_x[j];
    const Real radial_y = contacts.radial_y[j];
    const Real normal_x = touch.normal_y * radial_x - touch.normal_x * radial_y;
    const Real normal_y = touch.normal_y * radial_y + touch.normal_x * radial_x;
    const Real slip_x_m_s = contacts.x_m_s[j] + speed_rad_s * contacts.y_m[j];
    const Real slip_y_m_s = contacts.y_m_s[j] - speed_rad_s * contacts.x_m[j];
    contacts.indentation_m[j] = static_cast<Force>(touch.indentation_m);
    contacts.normal_x[j] = static_cast<Force>(normal_x);
    contacts.normal_y[j] = static_cast<Force>(normal_y);
    contacts.approach_m_s[j] = static_cast<Force>(-(normal_x * slip_x_m_s + normal_y * slip_y_m_s));
    contacts.sliding_m_s[j] = static_cast<Force>(normal_x * slip_y_m_s - normal_y * slip_x_m_s);
  }
}

template <typename Real, typename Force>
void touch_bar(const contact::GuideBar<Real>& given, std::size_t count,
               Contacts<Real, Force>& __restrict contacts) {
  const contact::GuideBar<Real> bar = given;
  for (std::size_t j = 0; j < math::padded(count); ++j) {
    const contact::Touch<Real> touch = contact::touch(bar, contacts.x_m[j], contacts.y_m[j]);
    const Real x_m_s = contacts.x_m_s[j];
    const Real y_m_s = contacts.y_m_s[j];
    contacts.indentation_m[j] = static_cast<Force>(touch.indentation_m);
    contacts.normal_x[j] = static_cast<Force>(touch.normal_x);
    contacts.normal_y[j] = static_cast<Force>(touch.normal_y);
    contacts.approach_m_s[j] =
        static_cast<Force>(-(touch.normal_x * x_m_s + touch.normal_y * y_m_s));
    contacts.sliding_m_s[j] = static_cast<Force>(touch.normal_x * y_m_s - touch.normal_y * x_m_s);
  }
}

// Pedersen 3.47, with the speed of first touch kept for as long as the roller touches.
template <typename Real, typename Force>
void press(const contact::NormalLaw<Force>& given, std::size_t count,
           Contacts<Real, Force>& __restrict contacts) {
  const contact::NormalLaw<Force> law = given;
  for (std::size_t j = 0; j < math::padded(count); ++j) {
    const Force indentation_m = contacts.indentation_m[j];
    const Force approach_m_s = contacts.approach_m_s[j];
    const Force before_s_m = contacts.inverse_first_touch_speed_s_m[j];
    const Force fresh_s_m = contact::inverse_first_touch_speed_s_m(approach_m_s);
    const Force kept_s_m = before_s_m > 0 ? before_s_m : fresh_s_m;
    const Force normal_N = contact::force_N(law, indentation_m, approach_m_s, kept_s_m);
    const Force damping_N = normal_N - contact::elastic_force_N(law, indentation_m);
    contacts.inverse_first_touch_speed_s_m[j] = indentation_m > 0 ? kept_s_m : Force(0);
    contacts.normal_N[j] = normal_N;
    contacts.damping_W[j] = damping_N * approach_m_s;
  }
}

template <contact::FrictionForm kForm, typename Real, typename Force>
void rub_as(const contact::Friction<Force>& given, std::size_t count,
            Contacts<Real, Force>& __restrict contacts) {
  contact::Friction<Force> friction = given;
  friction.form = kForm;
  for (std::size_t j = 0; j < math::padded(count); ++j) {
    contacts.friction_N[j] =
        contact::friction_force_N(friction, contacts.normal_N[j], contacts.sliding_m_s[j]);
  }
}

template <typename Real, typename Force>
void rub(const contact::Friction<Force>& friction, std::size_t count,
         Contacts<Real, Force>& contacts) {
  using contact::FrictionForm;
  if (friction.coefficient == Force(0)) {
    for (std::size_t j = 0; j < math::padded(count); ++j) {
      contacts.friction_N[j] = 0;
    }
    return;
  }
  switch (friction.form) {
    case FrictionForm::kCubic:
      return rub_as<FrictionForm::kCubic>(friction, count, contacts);
    case FrictionForm::kTanh:
      return rub_as<FrictionForm::kTanh>(friction, count, contacts);
    case FrictionForm::kArctan:
      return rub_as<FrictionForm::kArctan>(friction, count, contacts);
    case FrictionForm::kLogistic:
      return rub_as<FrictionForm::kLogistic>(friction, count, contacts);
  }
}

// Along the axes, and about the centre. The sprocket feels minus the roller's force at the
// roller's centre (Pedersen 3.61-3.68).
template <typename Real, typename Force>
void resolve(std::size_t count, Contacts<Real, Force>& __restrict contacts) {
  for (std::size_t j = 0; j < math::padded(count); ++j) {
    const Force x_N =
        contacts.normal_N[j] * contacts.normal_x[j] - contacts.friction_N[j] * contacts.normal_y[j];
    const Force y_N =
        contacts.normal_N[j] * contacts.normal_y[j] + contacts.friction_N[j] * contacts.normal_x[j];
    contacts.x_N[j] = x_N;
    contacts.y_N[j] = y_N;
    contacts.torque_N_m[j] =
        static_cast<Force>(contacts.y_m[j]) * x_N - static_cast<Force>(contacts.x_m[j]) * y_N;
    contacts.rubbing_W[j] = -(contacts.friction_N[j] * contacts.sliding_m_s[j]);
  }
}

// Back to the rollers; each is in a run once.
template <typename Real, typename Force>
void spread(std::size_t links, const Contacts<Real, Force>& __restrict contacts,
            Engagement<Force>& __restrict run, Forces<Force>& __restrict forces) {
  for_each_stretch(run, links, [&](std::size_t i, std::size_t j, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      forces.x_N[i + k] += contacts.x_N[j + k];
      forces.y_N[i + k] += contacts.y_N[j + k];
      run.inverse_first_touch_speed_s_m[i + k] = contacts.inverse_first_touch_speed_s_m[j + k];
    }
  });
}

template <typename Real, typename Force>
void book(std::size_t count, const Contacts<Real, Force>& contacts, Powers<Force>& powers) {
  powers.contact_W += math::sum(contacts.damping_W.data(), count);
  powers.friction_W += math::sum(contacts.rubbing_W.data(), count);
}

template <typename Real, typename Force>
void compute_seats(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                   const Rates<Real>& rate, std::size_t s, const math::Vector2<Real>& centre_m,
                   const math::Vector2<Real>& centre_m_s, ToothEngagement<Real, Force>& run,
                   Contacts<Real, Force>& contacts) {
  const SprocketConstants<Real, Force>& sprocket = model.sprocket[s];
  gather<Real, Force>(model, at, rate, centre_m, centre_m_s, run, contacts);
  turn_gaps(at.angle_rad[s], model.links, run, contacts);
  place_in_gaps(sprocket, run.count, contacts);
  if (count_strayed(sprocket, run.count, contacts) > 0) {
    for (std::size_t j = 0; j < run.count; ++j) {
      const math::Vector2<Real> from_centre_m(contacts.x_m[j], contacts.y_m[j]);
      settle_in_gap(sprocket, at.angle_rad[s], from_centre_m, roller_at(run, j, model.links), run);
    }
    turn_gaps(at.angle_rad[s], model.links, run, contacts);
    place_in_gaps(sprocket, run.count, contacts);
  }
  if (sprocket.gap.form == contact::ToothForm::kReal) {
    touch_teeth<contact::ToothForm::kReal>(sprocket.gap, rate.angle_rad_s[s], run.count, contacts);
  } else {
    touch_teeth<contact::ToothForm::kCircular>(sprocket.gap, rate.angle_rad_s[s], run.count,
                                               contacts);
  }
}

template <typename Real, typename Force>
void add_tooth_contacts(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                        const Rates<Real>& rate, Engagements<Real, Force>& engaged,
                        RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  Contacts<Real, Force>& contacts = scratch.contacts;
  for (std::size_t i = 0; i < model.links; ++i) {
    scratch.tooth_force_N[i] = 0;
  }
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    ToothEngagement<Real, Force>& run = engaged.teeth[s];
    const math::Vector2<Real> centre_m(scratch.centre_x_m[s], scratch.centre_y_m[s]);
    const math::Vector2<Real> centre_m_s(scratch.centre_x_m_s[s], scratch.centre_y_m_s[s]);
    update_teeth(model, at, s, centre_m, run);
    compute_seats(model, at, rate, s, centre_m, centre_m_s, run, contacts);
    press(model.tooth_law, run.count, contacts);
    rub(model.friction, run.count, contacts);
    resolve(run.count, contacts);
    spread<Real, Force>(model.links, contacts, run, forces);
    book(run.count, contacts, scratch.powers);
    for_each_stretch(run, model.links, [&](std::size_t i, std::size_t j, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) {
        scratch.tooth_force_N[i + k] += contacts.normal_N[j + k];
      }
    });
    forces.torque_N_m[s] += math::sum(contacts.torque_N_m.data(), run.count);
    scratch.on_centre_x_N[s] = -math::sum(contacts.x_N.data(), run.count);
    scratch.on_centre_y_N[s] = -math::sum(contacts.y_N.data(), run.count);
  }
}

template <typename Real, typename Force>
void add_bar_contacts(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                      const Rates<Real>& rate, Engagements<Real, Force>& engaged,
                      RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  const math::Vector2<Real> ground(0, 0);
  Contacts<Real, Force>& contacts = scratch.contacts;
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    Engagement<Force>& run = engaged.bars[b];
    update_bar(model, at, b, run);
    gather<Real, Force>(model, at, rate, ground, ground, run, contacts);
    touch_bar(model.guide_bar[b].bar, run.count, contacts);
    press(model.guide_bar[b].law, run.count, contacts);
    rub(model.friction, run.count, contacts);
    resolve(run.count, contacts);
    spread<Real, Force>(model.links, contacts, run, forces);
    book(run.count, contacts, scratch.powers);
  }
}

}  // namespace taut::roller_chain
