#include "sim_core/reduced_chain/wrap_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim_core/math/constants.h"
#include "sim_core/math/dynamic_linear_algebra.h"

namespace taut::reduced_chain {
namespace {

constexpr int kPhases = 12;
constexpr double kStrain = 2e-4;     // for differences by the links' length: that of worn chains
constexpr double kPhaseStep = 1e-4;  // for differences by travel
constexpr double kFadingValuesAPitch = 4;  // at most: between them forces are nearly straight

double phase_of(int i) {
  return (i + 0.5) / kPhases;
}

// The chain would leave its pockets: a seated roller is half a pitch from its seat, or none rests.
bool holds(const WrapSpec& spec, const WrapAnswer& answer) {
  return answer.found && std::abs(answer.leaving_give_m) < spec.pitch_m / 4 &&
         std::abs(answer.arriving_give_m) < spec.pitch_m / 4;
}

// Least pull at the slack end, as a part of that at the tight one, at which all phases hold.
double least_ratio(const WrapSpec& spec, double pull_N) {
  constexpr double kLeast = 0.01;
  constexpr double kFiner = 0.85;
  double least = kLeast;
  for (int i = 0; i < kPhases; ++i) {
    WrapState state = ideal_wrap(spec, phase_of(i));
    double held_ratio = 1;
    double ratio = 1;
    while (ratio > kLeast) {
      const WrapAnswer answer = rest_of_wrap(spec, phase_of(i), pull_N, ratio * pull_N, state);
      if (!holds(spec, answer)) {
        break;
      }
      held_ratio = ratio;
      state = answer.state;
      ratio *= kFiner;
    }
    least = std::max(least, held_ratio > kLeast / kFiner ? held_ratio : kLeast);
  }
  return least;
}

// A roller as the chain travels by a pitch.
struct Slid {
  double by_m, pressed_N;
};

// Sums over phases at one node, the leaving end being the tight one.
struct NodeSums {
  double tight_m = 0, slack_m = 0;
  double tight_per_strain_m = 0, slack_per_strain_m = 0;
  double tight_damping = 0, cross_damping = 0, slack_damping = 0;
  struct Group {
    double pressed_N = 0, by_tight = 0, by_slack = 0;
    std::vector<Slid> by_travel;
  };
  std::array<Group, kRubbingGroups> group;
  Eigen::Matrix2d slopes_m_N = Eigen::Matrix2d::Zero();  // of gives by pulls, tight end first
};

std::size_t group_of(double from_tight_pitches, double from_slack_pitches) {
  return from_tight_pitches < 1                    ? 0U
         : from_slack_pitches < 1                  ? 3U
         : from_tight_pitches < from_slack_pitches ? 1U
                                                   : 2U;
}

// Of a roller with travel, a pitch of it: the tangents move on against the seats where the chain
// moves back.
double slides_by_travel_m(const WrapAnswer& here, const WrapAnswer& further, std::size_t roller) {
  return -here.rollers[roller].tangent.dot(further.state.at_m[roller] - here.state.at_m[roller]) /
         kPhaseStep;
}

void add_rollers(const WrapSpec& spec, double phase, const WrapAnswer& here,
                 const WrapAnswer& further, NodeSums& sums) {
  for (std::size_t j = 0; j < here.rollers.size(); ++j) {
    const WrapRoller& roller = here.rollers[j];
    if (!(roller.force_N > 0)) {
      continue;
    }
    const double pressed_N = roller.force_N / kPhases;
    const double damped_N = spec.law.damping * pressed_N;
    sums.tight_damping += damped_N * roller.sinks_own_m_N * roller.sinks_own_m_N;
    sums.cross_damping += damped_N * roller.sinks_own_m_N * roller.sinks_other_m_N;
    sums.slack_damping += damped_N * roller.sinks_other_m_N * roller.sinks_other_m_N;
    const double gap = here.state.first + static_cast<double>(j);
    NodeSums::Group& group = sums.group[group_of(phase + spec.wrap_pitches - gap, gap - phase)];
    const double by_travel_m = slides_by_travel_m(here, further, j);
    group.pressed_N += pressed_N;
    group.by_tight += pressed_N * roller.slides_own_m_N;
    group.by_slack += pressed_N * roller.slides_other_m_N;
    group.by_travel.push_back({by_travel_m, pressed_N});
  }
}

// False where no rest is found. `states`: one a phase, from a neighbouring node.
bool sum_node(const WrapSpec& spec, double tight_N, double slack_N, std::vector<WrapState>& states,
              NodeSums& sums) {
  WrapSpec longer = spec;
  longer.link_length_m = spec.link_length_m * (1 + kStrain);
  for (int i = 0; i < kPhases; ++i) {
    const double phase = phase_of(i);
    WrapState& state = states[static_cast<std::size_t>(i)];
    const WrapAnswer here = rest_of_wrap(spec, phase, tight_N, slack_N, state);
    if (!holds(spec, here)) {
      return false;
    }
    const WrapAnswer strained = rest_of_wrap(longer, phase, tight_N, slack_N, here.state);
    const WrapAnswer further = rest_of_wrap(spec, phase + kPhaseStep, tight_N, slack_N, here.state);
    if (!strained.found || !further.found) {
      return false;
    }
    state = here.state;
    sums.tight_m += here.leaving_give_m / kPhases;
    sums.slack_m += here.arriving_give_m / kPhases;
    sums.tight_per_strain_m += (strained.leaving_give_m - here.leaving_give_m) / kStrain / kPhases;
    sums.slack_per_strain_m +=
        (strained.arriving_give_m - here.arriving_give_m) / kStrain / kPhases;
    add_rollers(spec, phase, here, further, sums);
    Eigen::Matrix2d slopes_m_N;
    slopes_m_N << here.leaving_by_leaving_m_N, here.leaving_by_arriving_m_N,
        here.leaving_by_arriving_m_N, here.arriving_by_arriving_m_N;
    sums.slopes_m_N += slopes_m_N / kPhases;
  }
  return true;
}

WrapNode node_of(const NodeSums& sums, double least_give_m, double tight_N) {
  const double root = std::sqrt(tight_N);
  return {.tight_give = static_cast<float>((sums.tight_m - least_give_m) / root),
          .slack_give = static_cast<float>((sums.slack_m - least_give_m) / root),
          .tight_give_per_strain_m = static_cast<float>(sums.tight_per_strain_m),
          .slack_give_per_strain_m = static_cast<float>(sums.slack_per_strain_m),
          .tight_damping_m_N_m_s = static_cast<float>(sums.tight_damping),
          .cross_damping_m_N_m_s = static_cast<float>(sums.cross_damping),
          .slack_damping_m_N_m_s = static_cast<float>(sums.slack_damping)};
}

// Half the force presses on rollers that slide less than this, half on those that slide more, in a
// straight line from one to the next: where a wrap's ends move it back as fast, the group's
// friction turns round. The mean is twice that at the ends, where rollers slide far as they come
// and go.
double median_of(std::vector<Slid> slid, double pressed_N) {
  std::sort(slid.begin(), slid.end(), [](const Slid& a, const Slid& b) { return a.by_m < b.by_m; });
  double below_N = 0;  // of all before, and half of the last one
  double last_m = slid.empty() ? 0 : slid.front().by_m;
  double last_N = 0;
  for (const Slid& roller : slid) {
    const double next_N = below_N + (last_N + roller.pressed_N) / 2;
    if (next_N >= pressed_N / 2) {
      const double part = (pressed_N / 2 - below_N) / (next_N - below_N);
      return last_m + part * (roller.by_m - last_m);
    }
    below_N = next_N;
    last_m = roller.by_m;
    last_N = roller.pressed_N;
  }
  return last_m;
}

RubbingNode rubbing_of(const NodeSums& sums, double tight_N) {
  RubbingNode node{};
  // Sliding by motion of the ends: much smoother than by pulls.
  const Eigen::Matrix2d pulls_N_m = sums.slopes_m_N.inverse();
  for (std::size_t g = 0; g < kRubbingGroups; ++g) {
    const NodeSums::Group& group = sums.group[g];
    const double inverse = group.pressed_N > 0 ? 1 / group.pressed_N : 0;
    const Eigen::RowVector2d by_ends =
        Eigen::RowVector2d(group.by_tight, group.by_slack) * inverse * pulls_N_m;
    node.group[g] = {
        .pressed = static_cast<float>(group.pressed_N / tight_N),
        .by_tight = static_cast<float>(by_ends[0]),
        .by_slack = static_cast<float>(by_ends[1]),
        .by_travel_m = static_cast<float>(median_of(group.by_travel, group.pressed_N))};
  }
  return node;
}

// Node by node, from equal pulls on; false, with the pulls, where the chain does not hold.
struct Unheld {
  double tight_N, ratio;
};

bool fill(const WrapSpec& spec, double least_ratio, WrapTable& table, Unheld& unheld) {
  constexpr int kPulls = kPullNodes - 1;
  constexpr int kRatios = kRatioNodes - 1;
  const double least_root = std::pow(static_cast<double>(table.least_pull_N), 0.25);
  const double most_root = std::pow(static_cast<double>(table.most_pull_N), 0.25);
  const double least_z = std::sqrt(least_ratio);
  table.least_root = static_cast<float>(least_root);
  table.nodes_a_root = static_cast<float>(kPulls / (most_root - least_root));
  table.least_ratio = static_cast<float>(least_ratio);
  table.least_z = static_cast<float>(least_z);
  table.nodes_a_z = static_cast<float>(kRatios / (1 - least_z));
  for (std::uint32_t i = 0; i < kPullNodes; ++i) {
    const double root = least_root + (most_root - least_root) * i / kPulls;
    const double tight_N = root * root * root * root;
    std::vector<WrapState> states;
    states.reserve(kPhases);
    for (int phase = 0; phase < kPhases; ++phase) {
      states.push_back(ideal_wrap(spec, phase_of(phase)));
    }
    for (std::uint32_t k = kRatioNodes; k-- > 0;) {
      const double z = least_z + (1 - least_z) * k / kRatios;
      NodeSums sums;
      if (!sum_node(spec, tight_N, z * z * tight_N, states, sums)) {
        unheld = {tight_N, z * z};
        return false;
      }
      if (i == 0 && k + 1 == kRatioNodes) {
        table.least_give_m = static_cast<float>(sums.tight_m);
      }
      table.node[i][k] = node_of(sums, static_cast<double>(table.least_give_m), tight_N);
      if (i % 2 == 0 && k % 2 == 0) {
        table.rubbing[i / 2][k / 2] = rubbing_of(sums, tight_N);
      }
    }
  }
  return true;
}

// Friction on every roller as the chain travels at speed: found in turns with where it lets rollers
// rest, for that changes little.
WrapAnswer travelling_wrap(const WrapSpec& spec, const WrapTravel& travel, double phase,
                           double leaving_N, double arriving_N) {
  constexpr int kTurns = 12;
  WrapAnswer here = rest_of_wrap(spec, phase, leaving_N, arriving_N, ideal_wrap(spec, phase));
  std::vector<Vector> rubbing_N(here.rollers.size(), Vector::Zero());
  for (int i = 0; i < kTurns && here.found; ++i) {
    const WrapAnswer further =
        rest_of_wrap(spec, phase + kPhaseStep, leaving_N, arriving_N, here.state, rubbing_N);
    for (std::size_t j = 0; j < here.rollers.size(); ++j) {
      const WrapRoller& roller = here.rollers[j];
      const double sliding_m_s = slides_by_travel_m(here, further, j) * travel.pitches_1_s;
      rubbing_N[j] =
          (rubbing_N[j] + contact::friction_force_N(travel.friction, roller.force_N, sliding_m_s) *
                              roller.tangent) /
          2;
    }
    here = rest_of_wrap(spec, phase, leaving_N, arriving_N, here.state, rubbing_N);
  }
  return here;
}

// Values at places from the arriving end, in pitches, in their order.
using Samples = std::vector<std::pair<double, double>>;

double value_at(const Samples& samples, double place) {
  const auto above = std::lower_bound(samples.begin(), samples.end(), std::pair(place, 0.0));
  if (above == samples.begin() || above == samples.end()) {
    return above == samples.end() ? samples.back().second : samples.front().second;
  }
  const auto& [from, low] = *(above - 1);
  const auto& [to, high] = *above;
  return low + (place - from) / (to - from) * (high - low);
}

struct Inside {
  Samples link_N, tooth_N;
};

Inside inside_of(const WrapSpec& spec, const WrapTravel& travel, double leaving_N,
                 double arriving_N) {
  Inside inside;
  for (int i = 0; i < kPhases; ++i) {
    const WrapAnswer answer = travelling_wrap(spec, travel, phase_of(i), leaving_N, arriving_N);
    for (std::size_t j = 0; j < answer.rollers.size(); ++j) {
      const double place = answer.state.first + static_cast<double>(j) - phase_of(i);
      inside.tooth_N.emplace_back(place, answer.rollers[j].force_N);
      if (j > 0) {
        inside.link_N.emplace_back(place - 0.5, answer.rollers[j].link_N);
      }
    }
  }
  std::sort(inside.link_N.begin(), inside.link_N.end());
  std::sort(inside.tooth_N.begin(), inside.tooth_N.end());
  return inside;
}

}  // namespace

bool make_wrap_table(const WrapSpec& spec, double most_pull_N, WrapTable& table,
                     std::string& problem) {
  constexpr double kLeastPull = 4000;  // of the most
  constexpr double kMostLeastRatio = 0.5;
  table = {};
  table.least_pull_N = static_cast<float>(most_pull_N / kLeastPull);
  table.most_pull_N = static_cast<float>(most_pull_N);
  double least =
      std::max(least_ratio(spec, most_pull_N / kLeastPull), least_ratio(spec, most_pull_N));
  Unheld unheld{};
  while (!fill(spec, least, table, unheld)) {
    least = 1.1 * std::max(least, unheld.ratio);
    if (least > kMostLeastRatio) {
      problem = "a wrap of " + std::to_string(spec.wrap_pitches) + " pitches does not hold " +
                std::to_string(unheld.tight_N / 1e3) + " kN at one end and " +
                std::to_string(unheld.ratio * unheld.tight_N / 1e3) + " kN at the other";
      return false;
    }
  }
  return true;
}

Fading fading_of(const WrapSpec& spec, const WrapTravel& travel, double pull_N) {
  constexpr double kMore = 0.1;  // of a pull, to tell both ends' parts
  const auto outside = static_cast<double>(kFadingOutside_pitches);
  Fading fading{};
  const double values_a_pitch =
      std::min(kFadingValuesAPitch, (kFadingValues - 1) / (spec.wrap_pitches + 2 * outside));
  fading.values_a_pitch = static_cast<float>(values_a_pitch);
  const Inside equal = inside_of(spec, travel, pull_N, pull_N);
  const Inside leaving = inside_of(spec, travel, (1 + kMore) * pull_N, pull_N);
  const Inside arriving = inside_of(spec, travel, pull_N, (1 + kMore) * pull_N);
  // What both parts leave of the force is small, and shared.
  const auto part = [&](double place, Samples Inside::*which, float& by_arriving,
                        float& by_leaving) {
    const double both = value_at(equal.*which, place);
    const double more_arriving = (value_at(arriving.*which, place) - both) / kMore;
    const double more_leaving = (value_at(leaving.*which, place) - both) / kMore;
    const double rest = both - more_arriving - more_leaving;
    by_arriving = static_cast<float>((more_arriving + rest / 2) / pull_N);
    by_leaving = static_cast<float>((more_leaving + rest / 2) / pull_N);
  };
  for (std::uint32_t i = 0; i < kFadingValues; ++i) {
    const double place = i / values_a_pitch - outside;
    FadingValue& value = fading.value[i];
    part(place, &Inside::link_N, value.link_by_arriving, value.link_by_leaving);
    part(place, &Inside::tooth_N, value.tooth_by_arriving, value.tooth_by_leaving);
    const std::size_t half = place < spec.wrap_pitches / 2 ? 0 : 1;
    const FadingValue& most = fading.value[fading.most_pressed[half]];
    if (value.tooth_by_arriving + value.tooth_by_leaving >
        most.tooth_by_arriving + most.tooth_by_leaving) {
      fading.most_pressed[half] = i;
    }
  }
  return fading;
}

WrapDetails details_of(const WrapSpec& spec, double pull_N) {
  WrapDetails details{};
  double aside_m[2] = {};
  for (int i = 0; i < kPhases; ++i) {
    const double phase = phase_of(i);
    const WrapAnswer answer = rest_of_wrap(spec, phase, pull_N, pull_N, ideal_wrap(spec, phase));
    for (int harmonic = 1; harmonic <= 2; ++harmonic) {
      const double angle_rad = harmonic * math::kTwoPi<double> * phase;
      details.leaving_m[harmonic - 1][0] +=
          2 * answer.leaving_give_m * std::cos(angle_rad) / kPhases;
      details.leaving_m[harmonic - 1][1] +=
          2 * answer.leaving_give_m * std::sin(angle_rad) / kPhases;
      details.arriving_m[harmonic - 1][0] +=
          2 * answer.arriving_give_m * std::cos(angle_rad) / kPhases;
      details.arriving_m[harmonic - 1][1] +=
          2 * answer.arriving_give_m * std::sin(angle_rad) / kPhases;
    }
    aside_m[0] += 2 * answer.leaving_aside_m * std::cos(math::kTwoPi<double> * phase) / kPhases;
    aside_m[1] += 2 * answer.leaving_aside_m * std::sin(math::kTwoPi<double> * phase) / kPhases;
    for (const WrapRoller& roller : answer.rollers) {
      details.largest_seat_J = std::max(details.largest_seat_J,
                                        contact::elastic_energy_J(spec.law, roller.indentation_m));
    }
  }
  details.leaving_aside_m = std::hypot(aside_m[0], aside_m[1]);
  return details;
}

}  // namespace taut::reduced_chain
