#include "sim_core/roller_chain/retighten.h"

#include <cmath>

#include "sim_core/roller_chain/statics.h"

namespace taut::roller_chain {
namespace {

constexpr double kFirstStep = 1e-5;  // m or rad; with its doublings the search reaches 0.16
constexpr int kDoublings = 14;

drive::DriveSpec with_spring_moved(const drive::DriveSpec& spec, double away_m) {
  drive::DriveSpec moved = spec;
  drive::TightenerSpec& tightener = moved.tightener;
  const double x_m = tightener.spring_on_ground_x_m - tightener.spring_on_arm_x_m;
  const double y_m = tightener.spring_on_ground_y_m - tightener.spring_on_arm_y_m;
  const double length_m = std::hypot(x_m, y_m);
  tightener.spring_on_ground_x_m += away_m * x_m / length_m;
  tightener.spring_on_ground_y_m += away_m * y_m / length_m;
  return moved;
}

drive::DriveSpec with_tightener_moved(const drive::DriveSpec& spec, double by) {
  return drive::has_arm(spec.tightener.kind) ? with_spring_moved(spec, by)
                                             : with_tightener_turned(spec, by);
}

}  // namespace

double mean_tension_N(const drive::DriveSpec& spec) {
  drive::DriveModel model;
  if (!make_drive_model(spec, model)) {
    return 0;
  }
  const Equilibrium rest = find_equilibrium(model);
  if (!rest.found) {
    return 0;
  }
  const StaticsReport found = report(model, rest);
  double sum_N = 0;
  for (std::size_t s = 0; s < model.geometry.sprockets; ++s) {
    sum_N += found.strand_mean_N[s];
  }
  return sum_N / static_cast<double>(model.geometry.sprockets);
}

Retightened retighten(const drive::DriveSpec& spec, double wanted_N) {
  const auto tension_N = [&spec](double by) {
    return mean_tension_N(with_tightener_moved(spec, by));
  };
  // Outwards from where it is, in growing steps, on the side that brings the tension
  // nearer: far away the chain is slack or overstretched and rest means little.
  double near = 0;
  double near_N = tension_N(0);
  Retightened result{false, spec, 0, near_N, near_N, near_N};
  const bool rises = tension_N(kFirstStep) > near_N;
  double far = (near_N < wanted_N) == rises ? kFirstStep : -kFirstStep;
  for (int doublings = 0; doublings <= kDoublings; ++doublings) {
    const double far_N = tension_N(far);
    result.lowest_N = std::min(result.lowest_N, far_N);
    result.highest_N = std::max(result.highest_N, far_N);
    if ((far_N - wanted_N) * (near_N - wanted_N) > 0) {
      near = far;
      near_N = far_N;
      far *= 2;
      continue;
    }
    for (int i = 0; i < 60 && std::abs(far - near) > 1e-10; ++i) {
      const double middle = (near + far) / 2;
      const double middle_N = tension_N(middle);
      ((middle_N - wanted_N) * (near_N - wanted_N) > 0 ? near : far) = middle;
    }
    result.moved = (near + far) / 2;
    result.spec = with_tightener_moved(spec, result.moved);
    result.tension_N = tension_N(result.moved);
    // A jump instead of a crossing: a strand that lifts off, or no rest.
    result.found = std::abs(result.tension_N - wanted_N) <= 1e-3 * std::abs(wanted_N);
    return result;
  }
  return result;
}

}  // namespace taut::roller_chain
