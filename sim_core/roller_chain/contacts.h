// Rollers on teeth and guide-bars (Pedersen 3.5, 3.8.2): gathered into one list of contacts, one
// loop for each part of the contact, and spread again. The loops have no branches, their arrays
// do not overlap, and they run in whole lanes: so compilers make vector code of them. Only what
// compares places is in Real; from the frame of a gap or bar on, numbers are small.
#pragma once

#include "sim_core/contact/friction.h"
#include "sim_core/contact/normal_law.h"
#include "sim_core/roller_chain/placing.h"

namespace taut::roller_chain {

// surface(x, y): how a roller at this place of the frame touches. Then its direction in the
// plane, and the speed along and across it.
template <typename Force, typename Surface>
void touch_surface(Surface surface, const ContactSection& section, Contacts<Force>& contacts) {
  for_each_block(section, contacts, [&](ContactBlock<Force>& block) {
    TAUT_EACH_LANE(lane) {
      const contact::Touch<Force> touch =
          surface(block.in_frame_x_m[lane], block.in_frame_y_m[lane]);
      const Force axis_x = block.axis_x[lane];
      const Force axis_y = block.axis_y[lane];
      const Force normal_x = touch.normal_y * axis_x - touch.normal_x * axis_y;
      const Force normal_y = touch.normal_y * axis_y + touch.normal_x * axis_x;
      const Force slip_x_m_s = block.slip_x_m_s[lane];
      const Force slip_y_m_s = block.slip_y_m_s[lane];
      block.indentation_m[lane] = touch.indentation_m;
      block.normal_x[lane] = normal_x;
      block.normal_y[lane] = normal_y;
      block.approach_m_s[lane] = -(normal_x * slip_x_m_s + normal_y * slip_y_m_s);
      block.sliding_m_s[lane] = normal_x * slip_y_m_s - normal_y * slip_x_m_s;
    }
  });
}

// The form as a constant: a loop that asks for it each time is no vector loop.
template <contact::ToothForm kForm, typename Force>
void touch_teeth_of(const contact::ToothGap<Force>& given, const ContactSection& section,
                    Contacts<Force>& contacts) {
  contact::ToothGap<Force> gap = given;
  gap.form = kForm;
  touch_surface([gap](Force x_m, Force y_m) { return contact::touch(gap, x_m, y_m); }, section,
                contacts);
}

template <typename Force>
void touch_teeth(const contact::ToothGap<Force>& gap, const ContactSection& section,
                 Contacts<Force>& contacts) {
  if (gap.form == contact::ToothForm::kReal) {
    touch_teeth_of<contact::ToothForm::kReal>(gap, section, contacts);
  } else {
    touch_teeth_of<contact::ToothForm::kCircular>(gap, section, contacts);
  }
}

template <typename Force>
void touch_bar(const contact::GuideProfile<Force>& bar, const ContactSection& section,
               Contacts<Force>& contacts) {
  touch_surface([bar](Force x_m, Force y_m) { return contact::touch_in_frame(bar, x_m, y_m); },
                section, contacts);
}

// Pedersen 3.47, with the speed of first touch kept for as long as the roller touches.
template <typename Force>
void press(const contact::NormalLaw<Force>& given, const ContactSection& section,
           Contacts<Force>& contacts) {
  const contact::NormalLaw<Force> law = given;
  for_each_block(section, contacts, [&](ContactBlock<Force>& block) {
    TAUT_EACH_LANE(lane) {
      const Force indentation_m = block.indentation_m[lane];
      const Force approach_m_s = block.approach_m_s[lane];
      const Force before_s_m = block.inverse_first_touch_speed_s_m[lane];
      const Force fresh_s_m = contact::inverse_first_touch_speed_s_m(approach_m_s);
      const Force kept_s_m = before_s_m > 0 ? before_s_m : fresh_s_m;
      const Force normal_N = contact::force_N(law, indentation_m, approach_m_s, kept_s_m);
      const Force damping_N = normal_N - contact::elastic_force_N(law, indentation_m);
      block.inverse_first_touch_speed_s_m[lane] = indentation_m > 0 ? kept_s_m : Force(0);
      block.normal_N[lane] = normal_N;
      block.damping_W[lane] = damping_N * approach_m_s;
    }
  });
}

// Friction, and the contact's force along the axes and about the centre. The sprocket feels minus
// the roller's force at the roller's centre (Pedersen 3.61-3.68). The form as a constant, as for
// the teeth.
template <contact::FrictionForm kForm, typename Force>
void rub_as(const contact::Friction<Force>& given, Contacts<Force>& contacts) {
  contact::Friction<Force> friction = given;
  friction.form = kForm;
  for_each_block(contacts.all, contacts, [&](ContactBlock<Force>& block) {
    TAUT_EACH_LANE(lane) {
      const Force normal_N = block.normal_N[lane];
      const Force sliding_m_s = block.sliding_m_s[lane];
      const Force friction_N = contact::friction_force_N(friction, normal_N, sliding_m_s);
      const Force x_N = normal_N * block.normal_x[lane] - friction_N * block.normal_y[lane];
      const Force y_N = normal_N * block.normal_y[lane] + friction_N * block.normal_x[lane];
      block.x_N[lane] = x_N;
      block.y_N[lane] = y_N;
      block.torque_N_m[lane] = block.y_m[lane] * x_N - block.x_m[lane] * y_N;
      block.rubbing_W[lane] = -(friction_N * sliding_m_s);
    }
  });
}

template <typename Force>
void rub(const contact::Friction<Force>& friction, Contacts<Force>& contacts) {
  using contact::FrictionForm;
  switch (friction.form) {
    case FrictionForm::kCubic:
      return rub_as<FrictionForm::kCubic>(friction, contacts);
    case FrictionForm::kTanh:
      return rub_as<FrictionForm::kTanh>(friction, contacts);
    case FrictionForm::kArctan:
      return rub_as<FrictionForm::kArctan>(friction, contacts);
    case FrictionForm::kLogistic:
      return rub_as<FrictionForm::kLogistic>(friction, contacts);
  }
}

template <typename Force>
void book(const ContactSums<Force>& sums, Powers<Force>& powers) {
  powers.contact_W += sums.damping_W;
  powers.friction_W += sums.rubbing_W;
}

template <typename Real, typename Force>
void add_tooth_contacts(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                        const Rates<Real, Force>& rate, Engagements<Real, Force>& engaged,
                        RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  Contacts<Force>& contacts = scratch.teeth;
  place_on_teeth(model, at, rate, engaged, scratch);
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    touch_teeth(model.sprocket[s].gap, contacts.section[s], contacts);
  }
  press(model.tooth_law, contacts.all, contacts);
  rub(model.friction, contacts);
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const ContactSection& section = contacts.section[s];
    spread<Force>(section, contacts, engaged.teeth[s], forces);
    const ContactSums<Force> sums = sums_of(section, contacts);
    book(sums, scratch.powers);
    forces.torque_N_m[s] += sums.torque_N_m;
    scratch.on_centre_x_N[s] = sums.x_N;
    scratch.on_centre_y_N[s] = sums.y_N;
  }
}

template <typename Real, typename Force>
void add_bar_contacts(const RollerModel<Real, Force>& model, const Configuration<Real>& at,
                      const Rates<Real, Force>& rate, Engagements<Real, Force>& engaged,
                      RollerScratch<Real, Force>& scratch, Forces<Force>& forces) {
  Contacts<Force>& contacts = scratch.bars;
  contacts.all = {};
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    const BarConstants<Real, Force>& bar = model.guide_bar[b];
    update_bar(model, at, b, engaged.bars[b]);
    const ContactSection section =
        append(engaged.bars[b].first, engaged.bars[b].count, model.links, contacts);
    contacts.section[b] = section;
    place_at_bar(bar.bar, at, rate, engaged.bars[b], section, contacts);
    touch_bar(contact::profile_of<Force>(bar.bar), section, contacts);
    press(bar.law, section, contacts);
  }
  rub(model.friction, contacts);
  book(sums_of(contacts.all, contacts), scratch.powers);
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    spread(contacts.section[b], contacts, engaged.bars[b], forces);
  }
}

}  // namespace taut::roller_chain
