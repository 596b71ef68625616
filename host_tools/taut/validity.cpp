#include "host_tools/taut/validity.h"

#include <algorithm>
#include <cmath>

#include "host_tools/taut/text.h"
#include "sim_core/math/constants.h"
#include "sim_core/reduced_chain/reduce.h"

namespace taut::tool {
namespace {

using reduced_chain::ReducedModel;

std::string strand(std::size_t s) {
  return "strand " + std::to_string(s + 1);
}

double strand_N(const RestingDrive& resting, std::size_t s) {
  return resting.report.strand_mean_N[s];
}

// Where a strand bears little more than its own weight, its tension is no longer about the same all
// along: of 6S90MC-C with a worn chain, 2.5 % off at rest at 1.6 times the weight, 14 % at 1.26.
std::string too_slack(const RestingDrive& resting, const ReducedModel& model) {
  constexpr double kLeastOfWeight = 1.5;
  const double gravity_m_s2 =
      std::hypot(resting.model.spec.gravity.x_m_s2, resting.model.spec.gravity.y_m_s2);
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const double weight_N = static_cast<double>(model.mass_per_length_kg_m) * gravity_m_s2 *
                            resting.model.geometry.strand[s].length_m;
    if (!(strand_N(resting, s) >= kLeastOfWeight * weight_N)) {
      return "pre-tension is too low: " + strand(s) + " bears " + rough(strand_N(resting, s)) +
             " N at rest, allowed are " + rough(kLeastOfWeight) + " times its own weight, " +
             rough(kLeastOfWeight * weight_N) + " N, and more. Tighten the chain (taut retighten)";
    }
  }
  return {};
}

// Wraps hold so much of a difference between the strands at their ends, and no more.
std::string too_uneven(const RestingDrive& resting, const ReducedModel& model) {
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const std::size_t before = s > 0 ? s - 1 : model.sprockets - 1;
    const std::size_t tight = strand_N(resting, s) > strand_N(resting, before) ? s : before;
    const std::size_t slack = tight == s ? before : s;
    const double ratio = strand_N(resting, slack) / strand_N(resting, tight);
    const auto least = static_cast<double>(model.sprocket[s].wrap.least_ratio);
    if (!(ratio >= least)) {
      return "sprocket " + std::to_string(s + 1) + ": its wrap of " +
             rough(static_cast<double>(model.sprocket[s].wrap_pitches)) + " pitches holds " +
             rough(strand_N(resting, tight)) + " N in " + strand(tight) + " where " +
             strand(slack) + " bears at least " + rough(100 * least) +
             " % of that; at rest it is " + rough(100 * ratio) + " %, " +
             rough(strand_N(resting, slack)) +
             " N. Tighten the chain, or put more of it on the sprocket";
    }
  }
  return {};
}

// One step must be short beside every vibration: at 2 of step times angular frequency the method
// breaks down, and seats stiffen as tension grows.
std::string too_fast(const RestingDrive& resting, const ReducedModel& model) {
  constexpr double kMostAngle = 1;
  const auto step_s = static_cast<double>(reduced_chain::kStep_s);
  reduced_chain::ReducedState state{};
  state.elongation = model.elongation;
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    state.tension_N[s] = static_cast<float>(strand_N(resting, s)) - model.strand[s].middle_weight_N;
  }
  const double fastest_Hz = reduced_chain::torsional_Hz(model, state).back();
  const double most_Hz = kMostAngle / (math::kTwoPi<double> * step_s);
  if (fastest_Hz <= most_Hz) {
    return {};
  }
  return "its sprockets vibrate against the chain at up to " + rough(fastest_Hz) +
         " Hz; allowed is " + rough(most_Hz) + " Hz for steps of " + rough(step_s * 1e3) +
         " ms. The drive is too small and too stiff; use --model roller";
}

}  // namespace

std::string outside_validity(const RestingDrive& resting, const ReducedModel& model) {
  for (const auto& check : {too_slack, too_uneven, too_fast}) {
    std::string why = check(resting, model);
    if (!why.empty()) {
      return why;
    }
  }
  return {};
}

// Measured on 6L60MC, at 22 %, 49 % and 88 %: mean tension 0.3 %, 4 % and 7 to 10 % low.
std::vector<std::string> near_validity(const RestingDrive& resting, const ReducedModel& model) {
  constexpr double kMostOfRest = 0.4;
  const double speed_m_s = resting.model.spec.crank.speed_rpm * math::kTwoPi<double> / 60 *
                           static_cast<double>(model.sprocket[0].pitch_line_radius_m);
  const double turning_N = static_cast<double>(model.mass_per_length_kg_m) * speed_m_s * speed_m_s;
  double least_N = strand_N(resting, 0);
  for (std::size_t s = 1; s < model.sprockets; ++s) {
    least_N = std::min(least_N, strand_N(resting, s));
  }
  if (turning_N <= kMostOfRest * least_N) {
    return {};
  }
  return {"pre-tension is low: the least of " + rough(least_N) + " N at rest against m V^2 = " +
          rough(turning_N) + " N at " + general(resting.model.spec.crank.speed_rpm) + " rpm, " +
          rough(100 * turning_N / least_N) + " %; beyond " + rough(100 * kMostOfRest) +
          " % what teeth shake sets the tension, which comes out up to 10 % low, and strand "
          "frequencies up to 6 %"};
}

}  // namespace taut::tool
