// What a wrap gives at both its ends under the pulls there, by its table. Beyond the table, and
// beyond what a wrap holds, it goes on straight: pulls are then out of the model's range, but no
// number is lost.
#pragma once

#include "sim_core/math/float_bits.h"
#include "sim_core/math/sqrt.h"
#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::reduced_chain {

[[nodiscard]] inline float held(float value, float least, float most) {
  const float raised = value > least ? value : least;  // a NaN becomes the least
  return raised < most ? raised : most;
}

// Within +-most, by bits: those of positive numbers have their order, and a NaN is beyond all.
[[nodiscard]] inline bool is_within(float value, float most) {
  return math::to_bits(math::magnitude(value)) <= math::to_bits(most);
}
[[nodiscard]] inline float held_within(float value, float most) {
  return is_within(value, most) ? value : math::flip_sign(most, math::sign_bit(value));
}

// [0, nodes - 1] into a node and the part of the way to the next.
inline void split(float place, std::uint32_t nodes, std::uint32_t& node, float& part) {
  const float last = static_cast<float>(nodes - 1);
  const float inside = held(place, 0, last);
  const auto whole = static_cast<std::uint32_t>(inside);
  node = whole < nodes - 1 ? whole : nodes - 2;
  part = inside - static_cast<float>(node);
}

[[nodiscard]] inline WrapPlace place_in(const WrapTable& table, float leaving_N, float arriving_N) {
  WrapPlace place;
  place.leaving_is_tight = leaving_N >= arriving_N;
  const float tight_N = place.leaving_is_tight ? leaving_N : arriving_N;
  const float slack_N = place.leaving_is_tight ? arriving_N : leaving_N;
  place.tight_N = held(tight_N, table.least_pull_N, table.most_pull_N);
  place.slack_N = held(slack_N, table.least_ratio * place.tight_N, place.tight_N);
  place.beyond_tight_N = tight_N - place.tight_N;
  place.beyond_slack_N = slack_N - place.slack_N;
  place.root = math::sqrt(place.tight_N);
  place.fourth_root = math::sqrt(place.root);
  place.z = math::sqrt(place.slack_N / place.tight_N);
  split((place.fourth_root - table.least_root) * table.nodes_a_root, kPullNodes, place.pull_node,
        place.pull_part);
  split((place.z - table.least_z) * table.nodes_a_z, kRatioNodes, place.ratio_node,
        place.ratio_part);
  return place;
}

// The four nodes about a place, two neighbours in the ratio at two pulls, and their weights.
template <typename Node>
struct Corners {
  const Node* low;  // and the one after it
  const Node* high;
  float low_weight, low_next_weight, high_weight, high_next_weight;

  template <typename Member>
  [[nodiscard]] float mean(Member member) const {
    return low_weight * member(low[0]) + low_next_weight * member(low[1]) +
           high_weight * member(high[0]) + high_next_weight * member(high[1]);
  }
};

template <typename Node, std::size_t kRatios, std::size_t kPulls>
[[nodiscard]] Corners<Node> corners_at(const etl::array<etl::array<Node, kRatios>, kPulls>& rows,
                                       std::uint32_t pull_node, float pull_part,
                                       std::uint32_t ratio_node, float ratio_part) {
  const float both = pull_part * ratio_part;
  return {&rows[pull_node][ratio_node],
          &rows[pull_node + 1][ratio_node],
          1 - pull_part - (ratio_part - both),
          ratio_part - both,
          pull_part - both,
          both};
}

[[nodiscard]] inline Corners<WrapNode> corners_at(const WrapTable& table, const WrapPlace& place) {
  return corners_at(table.node, place.pull_node, place.pull_part, place.ratio_node,
                    place.ratio_part);
}

[[nodiscard]] inline float mean(const Corners<WrapNode>& at, float WrapNode::*member) {
  return at.mean([=](const WrapNode& node) { return node.*member; });
}

// Straight between four nodes, and the slopes per node.
struct Between {
  float value, by_pull, by_ratio;
};

[[nodiscard]] inline Between between(const Corners<WrapNode>& at, const WrapPlace& place,
                                     float WrapNode::*member) {
  const float by_ratio_low = at.low[1].*member - at.low[0].*member;
  const float by_ratio_high = at.high[1].*member - at.high[0].*member;
  const float low = at.low[0].*member + place.ratio_part * by_ratio_low;
  const float high = at.high[0].*member + place.ratio_part * by_ratio_high;
  const float by_pull = high - low;
  return {low + place.pull_part * by_pull, by_pull,
          by_ratio_low + place.pull_part * (by_ratio_high - by_ratio_low)};
}

// Gives at both ends and their slopes, kept such that the matrix they make is positive definite.
inline void look_up(const WrapTable& table, const WrapPlace& place, float strain,
                    float least_slope_m_N, WrapLook& look) {
  constexpr float kMostCoupling = 0.95F;
  const Corners<WrapNode> at = corners_at(table, place);
  const Between tight = between(at, place, &WrapNode::tight_give);
  const Between slack = between(at, place, &WrapNode::slack_give);
  const float strained_tight_m = strain * mean(at, &WrapNode::tight_give_per_strain_m);
  const float strained_slack_m = strain * mean(at, &WrapNode::slack_give_per_strain_m);
  const float inverse_root = 1.0F / place.root;
  const float inverse_z = 1.0F / place.z;
  const float by_fourth_root = 0.25F * table.nodes_a_root / place.fourth_root;
  const float by_z = 0.5F * table.nodes_a_z * inverse_root;
  // d/d(tight): of the root, the fourth root, and z = sqrt(slack / tight); d/d(slack): of z.
  const float tight_slope = 0.5F * tight.value * inverse_root + tight.by_pull * by_fourth_root -
                            tight.by_ratio * by_z * place.z;
  const float slack_slope = slack.by_ratio * by_z * inverse_z;
  const float cross_slope =
      0.5F * (tight.by_ratio * by_z * inverse_z + 0.5F * slack.value * inverse_root +
              slack.by_pull * by_fourth_root - slack.by_ratio * by_z * place.z);
  const float tt = tight_slope > least_slope_m_N ? tight_slope : least_slope_m_N;
  const float ss = slack_slope > least_slope_m_N ? slack_slope : least_slope_m_N;
  const float most = kMostCoupling * math::sqrt(tt * ss);
  const float ts = held(cross_slope, -most, most);
  const float tight_m = table.least_give_m + place.root * tight.value + strained_tight_m +
                        tt * place.beyond_tight_N + ts * place.beyond_slack_N;
  const float slack_m = table.least_give_m + place.root * slack.value + strained_slack_m +
                        ts * place.beyond_tight_N + ss * place.beyond_slack_N;
  const bool leaving = place.leaving_is_tight;
  look.leaving_m = leaving ? tight_m : slack_m;
  look.arriving_m = leaving ? slack_m : tight_m;
  look.leaving_by_leaving_m_N = leaving ? tt : ss;
  look.leaving_by_arriving_m_N = ts;
  look.arriving_by_arriving_m_N = leaving ? ss : tt;
}

// Damping of seats by both ends' pulls, as WrapLook orders its slopes.
struct WrapDamping {
  float leaving, cross, arriving;
};

[[nodiscard]] inline WrapDamping damping_at(const WrapTable& table, const WrapPlace& place) {
  const Corners<WrapNode> at = corners_at(table, place);
  const float tight = mean(at, &WrapNode::tight_damping_m_N_m_s);
  const float slack = mean(at, &WrapNode::slack_damping_m_N_m_s);
  const float cross = mean(at, &WrapNode::cross_damping_m_N_m_s);
  return place.leaving_is_tight ? WrapDamping{tight, cross, slack}
                                : WrapDamping{slack, cross, tight};
}

// Friction of sliding rollers as gives at both ends (virtual work): each group rubs against the way
// it slides, and drags the chain by what it slides a pitch of travel.
struct WrapRubbing {
  float leaving_m, arriving_m;
  float drag_N_m;  // work a pitch
};

// What the strands at both ends do to a wrap: how their elastic tensions grow, and how much one
// newton of friction at that end would slow it down within a step.
struct Rubbed {
  float leaving_N_s, arriving_N_s;
  float leaving_stops_m_s_N, arriving_stops_m_s_N;
  float travel_1_s;  // pitches a second
};

// A group that one step of its friction would stop rubs only as much as stops it: without that,
// friction on a light strand would turn round from step to step.
[[nodiscard]] inline WrapRubbing rubbing_at(const WrapTable& table, const WrapPlace& place,
                                            const WrapLook& look,
                                            const contact::Friction<float>& friction,
                                            const Rubbed& rubbed) {
  const std::uint32_t pull = place.pull_node / 2;
  const std::uint32_t ratio = place.ratio_node / 2;
  const float pull_part = 0.5F * (static_cast<float>(place.pull_node % 2) + place.pull_part);
  const float ratio_part = 0.5F * (static_cast<float>(place.ratio_node % 2) + place.ratio_part);
  const Corners<RubbingNode> at = corners_at(table.rubbing, pull, pull_part, ratio, ratio_part);
  const float leaving_m_s = look.leaving_by_leaving_m_N * rubbed.leaving_N_s +
                            look.leaving_by_arriving_m_N * rubbed.arriving_N_s;
  const float arriving_m_s = look.leaving_by_arriving_m_N * rubbed.leaving_N_s +
                             look.arriving_by_arriving_m_N * rubbed.arriving_N_s;
  const bool leaving_is_tight = place.leaving_is_tight;
  const float tight_m_s = leaving_is_tight ? leaving_m_s : arriving_m_s;
  const float slack_m_s = leaving_is_tight ? arriving_m_s : leaving_m_s;
  const float tight_stops =
      leaving_is_tight ? rubbed.leaving_stops_m_s_N : rubbed.arriving_stops_m_s_N;
  const float slack_stops =
      leaving_is_tight ? rubbed.arriving_stops_m_s_N : rubbed.leaving_stops_m_s_N;
  const float to_tight_1_s = leaving_is_tight ? rubbed.travel_1_s : -rubbed.travel_1_s;
  const float coefficient_N = friction.coefficient * place.tight_N;
  float tight_N = 0;
  float slack_N = 0;
  float drag_N_m = 0;
  for (std::size_t g = 0; g < kRubbingGroups; ++g) {
    const auto mean = [&](float RubbingGroup::*member) {
      return at.mean([=](const RubbingNode& node) { return node.group[g].*member; });
    };
    const float by_tight = mean(&RubbingGroup::by_tight);
    const float by_slack = mean(&RubbingGroup::by_slack);
    const float by_travel_m = mean(&RubbingGroup::by_travel_m);
    const float sliding_m_s =
        by_tight * tight_m_s + by_slack * slack_m_s + by_travel_m * to_tight_1_s;
    const float most_N = coefficient_N * mean(&RubbingGroup::pressed);
    const float stopped_m_s =
        most_N * (by_tight * by_tight * tight_stops + by_slack * by_slack * slack_stops);
    const float wider = 1 + friction.inverse_speed_s_m * stopped_m_s;
    const float rubbing_N = most_N * contact::smooth_sign(friction, sliding_m_s / wider);
    tight_N += rubbing_N * by_tight;
    slack_N += rubbing_N * by_slack;
    drag_N_m += rubbing_N * by_travel_m;
  }
  const float leaving_N = leaving_is_tight ? tight_N : slack_N;
  const float arriving_N = leaving_is_tight ? slack_N : tight_N;
  return {look.leaving_by_leaving_m_N * leaving_N + look.leaving_by_arriving_m_N * arriving_N,
          look.leaving_by_arriving_m_N * leaving_N + look.arriving_by_arriving_m_N * arriving_N,
          leaving_is_tight ? drag_N_m : -drag_N_m};
}

}  // namespace taut::reduced_chain
