#include "sim_core/roller_chain/retighten.h"

#include <algorithm>
#include <cmath>

#include "sim_core/drive/links.h"
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

bool has_arm(const drive::DriveSpec& spec) {
  return drive::has_arm(spec.tightener.kind);
}

// The arm and all that hangs on it, drawn elsewhere: the same machine, its arm's angle counted
// from there.
drive::DriveSpec with_arm_redrawn(const drive::DriveSpec& spec, double angle_rad) {
  drive::DriveSpec redrawn = with_tightener_turned(spec, angle_rad);
  drive::TightenerSpec& arm = redrawn.tightener;
  const auto turn = [&](double& x_m, double& y_m) {
    const auto from_hinge_m =
        tightener::rotated(x_m - arm.pivot_x_m, y_m - arm.pivot_y_m, angle_rad);
    x_m = arm.pivot_x_m + from_hinge_m.x();
    y_m = arm.pivot_y_m + from_hinge_m.y();
  };
  turn(arm.mass_centre_x_m, arm.mass_centre_y_m);
  turn(arm.spring_on_arm_x_m, arm.spring_on_arm_y_m);
  return redrawn;
}

// What is left of the loop with the tightener turned when the chain has the wanted tension, on
// seats that do not give way; far off zero where there is no loop.
double spare_m(const drive::DriveSpec& spec, double angle_rad, double wanted_N) {
  drive::Geometry loop;
  if (!make_worn_geometry(with_tightener_turned(spec, angle_rad), loop).possible) {
    return -chain_length_m(spec);
  }
  const double stretch_m = spec.chain.links * wanted_N / spec.chain.link_stiffness_N_m;
  return loop.loop_m - chain_length_m(spec) - stretch_m;
}

// +1 or -1: the sense in which the tightener sprocket must turn for a longer loop.
double tightening_sense(const drive::DriveSpec& spec) {
  constexpr double kLittle_rad = 1e-5;
  return spare_m(spec, kLittle_rad, 0) > spare_m(spec, -kLittle_rad, 0) ? 1 : -1;
}

// How far a slack chain needs the tightener turned to lie on its sprockets; 0 where it does.
double turn_for_slack_rad(const drive::DriveSpec& spec, double wanted_N) {
  constexpr double kStep_rad = 1e-3;
  constexpr int kMost = 1000;
  if (spare_m(spec, 0, 0) >= 0) {
    return 0;
  }
  const double step_rad = kStep_rad * tightening_sense(spec);
  for (int i = 1; i <= kMost; ++i) {
    if (spare_m(spec, i * step_rad, wanted_N) >= 0) {
      return i * step_rad;
    }
  }
  return 0;
}

// Where the tightener is before the search, and what a part of a metre or radian does to it.
class Tightener {
 public:
  Tightener(const drive::DriveSpec& spec, double turned_rad)
      : spec_(spec), turned_rad_(turned_rad) {
    sense_ = tightening_sense(spec);
    start_ = turned_rad_;
    if (!has_arm(spec)) {
      return;
    }
    // Pulls the arm's end towards G2, and must keep the spring as long as it was drawn.
    const drive::TightenerSpec& drawn = spec.tightener;
    const drive::TightenerSpec turned = with_arm_redrawn(spec, turned_rad_).tightener;
    const double x_m = drawn.spring_on_ground_x_m - drawn.spring_on_arm_x_m;
    const double y_m = drawn.spring_on_ground_y_m - drawn.spring_on_arm_y_m;
    const double length_m = std::hypot(x_m, y_m);
    const double end_x_m = turned.spring_on_arm_x_m - drawn.spring_on_arm_x_m;
    const double end_y_m = turned.spring_on_arm_y_m - drawn.spring_on_arm_y_m;
    const double along_m = (end_x_m * x_m + end_y_m * y_m) / length_m;
    const double beside_m = (end_x_m * y_m - end_y_m * x_m) / length_m;
    start_ = along_m + std::sqrt(length_m * length_m - beside_m * beside_m) - length_m;
    const double moment_m2 = (drawn.spring_on_arm_x_m - drawn.pivot_x_m) * y_m -
                             (drawn.spring_on_arm_y_m - drawn.pivot_y_m) * x_m;
    sense_ *= moment_m2 > 0 ? 1 : -1;
  }

  [[nodiscard]] const drive::DriveSpec& as_given() const { return spec_; }
  // +1 or -1: which way tightens.
  [[nodiscard]] double sense() const { return sense_; }
  // How far the fitter has moved it, [m] or [rad].
  [[nodiscard]] double moved(double from_start) const { return start_ + from_start; }
  [[nodiscard]] drive::DriveSpec at(double from_start) const {
    return has_arm(spec_)
               ? with_arm_redrawn(with_spring_moved(spec_, moved(from_start)), turned_rad_)
               : with_tightener_turned(spec_, moved(from_start));
  }

 private:
  const drive::DriveSpec& spec_;
  double turned_rad_;
  double sense_ = 1;
  double start_ = 0;
};

double arm_angle_at_rest_rad(const drive::DriveSpec& spec) {
  drive::DriveModel model;
  return make_drive_model(spec, model) ? find_equilibrium(model).at.arm_angle_rad : 0;
}

Retightened search(const Tightener& tightener, double wanted_N) {
  const auto tension_N = [&](double by) { return mean_tension_N(tightener.at(by)); };
  // Outwards from where it is, in growing steps, on the side that brings the tension
  // nearer: far away the chain is slack or overstretched and rest means little.
  double near = 0;
  double near_N = tension_N(0);
  Retightened result{false, tightener.as_given(), 0, near_N, near_N, near_N};
  double far = (near_N < wanted_N ? kFirstStep : -kFirstStep) * tightener.sense();
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
    const double found = (near + far) / 2;
    result.moved = tightener.moved(found);
    result.spec = tightener.at(found);
    result.tension_N = tension_N(found);
    // A jump instead of a crossing: a strand that lifts off, or no rest.
    result.found = std::abs(result.tension_N - wanted_N) <= 1e-3 * std::abs(wanted_N);
    return result;
  }
  return result;
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

drive::DriveSpec as_new(const drive::DriveSpec& spec) {
  drive::DriveSpec unworn = spec;
  unworn.chain.elongation = 0;
  for (drive::LinkSpec& link : unworn.special_links) {
    link.elongation = 0;
  }
  return unworn;
}

Retightened retighten(const drive::DriveSpec& spec, double wanted_N) {
  const double turned_rad = turn_for_slack_rad(spec, wanted_N);
  Retightened result = search(Tightener(spec, turned_rad), wanted_N);
  if (result.found && has_arm(spec) && turned_rad != 0) {
    // Seats and bars give way: an arm that is drawn anew is drawn where it really stands.
    const double stands_rad = turned_rad + arm_angle_at_rest_rad(result.spec);
    result = search(Tightener(spec, stands_rad), wanted_N);
  }
  return result;
}

}  // namespace taut::roller_chain
