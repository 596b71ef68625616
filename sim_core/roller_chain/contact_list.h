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

// Rollers in a row, not over the end of the arrays, into the next blocks. Those that the list has
// no room for get no contact: a chain that still lies on its sprockets never fills it.
template <typename Force>
inline void append_row(std::size_t first, std::size_t end, Contacts<Force>& contacts) {
  std::size_t b = contacts.all.end;
  for (; first < end && b < kMaxContactBlocks; first += math::kLanes) {
    const std::size_t left = end - first;
    contacts.block[b].first_roller = static_cast<std::uint32_t>(first);
    contacts.block[b].rollers =
        static_cast<std::uint32_t>(left < math::kLanes ? left : math::kLanes);
    ++b;
  }
  contacts.all.end = b;
}

// So many rollers from `first` on become the next section.
template <typename Force>
inline ContactSection append(std::size_t first, std::size_t count, std::size_t links,
                             Contacts<Force>& contacts) {
  const std::size_t begin = contacts.all.end;
  const std::size_t end = first + count;
  append_row(first, end < links ? end : links, contacts);
  append_row(0, end < links ? 0 : end - links, contacts);
  return {begin, contacts.all.end};
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

// All contacts of a section together, added up in the order of math::sum.
template <typename Force>
struct ContactSums {
  Force x_N, y_N, torque_N_m;  // on the sprocket: minus forces on rollers; no torque on a bar
  Force damping_W, rubbing_W;
};

template <typename Force>
[[nodiscard]] ContactSums<Force> sums_of(const ContactSection& section,
                                         const Contacts<Force>& contacts) {
  math::PartialSums<Force> x_N, y_N, torque_N_m, damping_W, rubbing_W;
  for_each_block(section, contacts, [&](const ContactBlock<Force>& block) {
    x_N.add(block.x_N.data());
    y_N.add(block.y_N.data());
    torque_N_m.add(block.torque_N_m.data());
    damping_W.add(block.damping_W.data());
    rubbing_W.add(block.rubbing_W.data());
  });
  return {-x_N.total(), -y_N.total(), torque_N_m.total(), damping_W.total(), rubbing_W.total()};
}

// Normal forces of rollers on teeth, as the last step left them.
template <typename Force>
[[nodiscard]] Force largest_force_N(const Contacts<Force>& teeth) {
  etl::array<Force, math::kLanes> largest_N{};
  for_each_block(teeth.all, teeth, [&](const ContactBlock<Force>& block) {
    TAUT_EACH_LANE(lane) {
      const Force force_N = block.normal_N[lane];
      largest_N[lane] = force_N > largest_N[lane] ? force_N : largest_N[lane];
    }
  });
  Force all_N = 0;
  for (const Force lane_N : largest_N) {
    all_N = lane_N > all_N ? lane_N : all_N;
  }
  return all_N;
}

// A roller that no tooth is near has none.
template <typename Force>
[[nodiscard]] Force force_of_N(const Contacts<Force>& teeth, std::size_t roller) {
  Force sum_N = 0;
  for_each_block(teeth.all, teeth, [&](const ContactBlock<Force>& block) {
    const std::size_t lane = roller - block.first_roller;  // huge for rollers before
    sum_N += lane < block.rollers ? block.normal_N[lane] : Force(0);
  });
  return sum_N;
}

}  // namespace taut::roller_chain
