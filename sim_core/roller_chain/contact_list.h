// The list of contacts: engagements into blocks of eight lanes, and what was found back to the
// rollers. Knows nothing of what happens in a contact: contacts.h does.
#pragma once

#include "sim_core/math/sum.h"
#include "sim_core/roller_chain/roller_state.h"

namespace taut::roller_chain {

// visit(block) for the blocks of a section.
template <typename Contacts, typename Visit>
inline void for_each_block(const ContactSection& section, Contacts& contacts, Visit visit) {
  for (std::size_t b = section.begin; b < section.end; ++b) {
    visit(contacts.block[b]);
  }
}

// An engagement becomes the next section, in whole blocks. No block crosses the end of the
// arrays. Rollers that the list has no room for get no contact: a chain that still lies on its
// sprockets never fills it.
template <typename Force>
inline ContactSection append(const Engagement<Force>& run, std::size_t links,
                             Contacts<Force>& contacts) {
  const std::size_t begin = contacts.all.end;
  std::size_t end = begin;
  std::size_t first = run.first;
  std::size_t left = run.count;
  while (left > 0 && end < kMaxContactBlocks) {
    const std::size_t straight = links - first < left ? links - first : left;
    const std::size_t rollers = straight < math::kLanes ? straight : math::kLanes;
    contacts.block[end].first_roller = static_cast<std::uint32_t>(first);
    contacts.block[end].rollers = static_cast<std::uint32_t>(rollers);
    ++end;
    left -= rollers;
    first = first + rollers < links ? first + rollers : 0;
  }
  contacts.all.end = end;
  return {begin, end};
}

// Lanes behind the last roller of a block have been placed as those that come after it. Now they
// are far from any surface.
template <typename Force>
inline void clear_lanes_behind(ContactBlock<Force>& block) {
  constexpr Force kAway_m = Force(1e3);
  const std::uint32_t rollers = block.rollers;
  TAUT_EACH_LANE(lane) {
    const bool behind = static_cast<std::uint32_t>(lane) >= rollers;
    block.in_frame_x_m[lane] = behind ? Force(0) : block.in_frame_x_m[lane];
    block.in_frame_y_m[lane] = behind ? kAway_m : block.in_frame_y_m[lane];
  }
}

// Back to the rollers. Lanes behind the last one are zero: they add nothing to rollers that are
// not in the run, nor do these remember a touch. From the last block to the first: behind a run of
// nearly the whole loop come its own first rollers, and what they remember must stay.
template <typename Force>
void spread(const ContactSection& section, const Contacts<Force>& contacts, Engagement<Force>& run,
            Forces<Force>& forces) {
  for (std::size_t b = section.end; b > section.begin; --b) {
    const ContactBlock<Force>& block = contacts.block[b - 1];
    const std::size_t first = block.first_roller;
    TAUT_EACH_LANE(lane) {
      forces.x_N[first + lane] += block.x_N[lane];
      forces.y_N[first + lane] += block.y_N[lane];
      run.inverse_first_touch_speed_s_m[first + lane] = block.inverse_first_touch_speed_s_m[lane];
    }
  }
}

// A member of all contacts of a section, added up in the order of math::sum.
template <typename Force>
[[nodiscard]] Force sum_of(typename ContactBlock<Force>::Lanes ContactBlock<Force>::*member,
                           const ContactSection& section, const Contacts<Force>& contacts) {
  math::PartialSums<Force> sums;
  for (std::size_t b = section.begin; b < section.end; ++b) {
    sums.add((contacts.block[b].*member).data());
  }
  return sums.total();
}

// Normal forces of the teeth, roller for roller, as the last step left them: for whoever measures
// them.
template <typename Force>
void collect_tooth_forces(const Contacts<Force>& teeth, PerLink<Force>& tooth_force_N) {
  tooth_force_N.fill(0);
  for_each_block(teeth.all, teeth, [&](const ContactBlock<Force>& block) {
    TAUT_EACH_LANE(lane) {
      tooth_force_N[block.first_roller + lane] += block.normal_N[lane];
    }
  });
}

}  // namespace taut::roller_chain
