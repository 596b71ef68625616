#include "sim_core/roller_chain/statics.h"

#include <algorithm>
#include <cmath>

#include "sim_core/roller_chain/forces.h"
#include "sim_core/roller_chain/potential.h"

namespace taut::roller_chain {
namespace {

// Scales that make coordinates comparable: metres on the pitch line.
Eigen::VectorXd lever_arms(const RollerModel<double>& model, const Coordinates& coordinates) {
  Eigen::VectorXd arms = Eigen::VectorXd::Ones(coordinates.count());
  for (std::size_t s = 1; s < model.sprockets; ++s) {
    arms[coordinates.sprocket(s)] = model.sprocket[s].pitch_radius_m;
  }
  if (coordinates.arm() >= 0) {
    arms[coordinates.arm()] = std::hypot(model.arm.axle_x_m, model.arm.axle_y_m);
  }
  return arms;
}

// Everything that forces and their reports need of a configuration at rest.
struct Evaluated {
  Forces<double> forces;
  Engagements<double, double> engaged;
  RollerScratch<double> scratch;
};

Evaluated evaluated(const RollerModel<double>& model, const Configuration<double>& at) {
  Evaluated found{};
  const Rates<double> still{};
  compute_forces(model, at, still, found.engaged, found.scratch, found.forces);
  return found;
}

class Settling {
 public:
  Settling(const RollerModel<double>& model, Configuration<double>& at)
      : model_(model), coordinates_(model), at_(at), arms_(lever_arms(model, coordinates_)) {
    energy_J_ = potential_J(model_, at_);
    update_forces();
  }

  [[nodiscard]] double residual_N() const { return residual_N_; }

  // Round-off of K (|l| - P) at coordinates of a few metres, several times over.
  [[nodiscard]] double reachable_N() const {
    double largest_m = 1;
    double largest_link_N = 0;
    double stiffest_N_m = 0;
    for (std::size_t i = 0; i < model_.links; ++i) {
      largest_m = std::max({largest_m, std::abs(at_.x_m[i]), std::abs(at_.y_m[i])});
      largest_link_N = std::max(largest_link_N, std::abs(tension_N(i)));
      stiffest_N_m = std::max(stiffest_N_m, model_.link_stiffness_N_m[i]);
    }
    constexpr double kUlp = 2.3e-16;
    return std::max(1e-9 * largest_link_N, 8 * kUlp * largest_m * stiffest_N_m);
  }

  // One accepted step. False: no step lowers the energy any more.
  bool step() {
    const Eigen::SparseMatrix<double> stiff = stiffness(model_, at_);
    for (int tries = 0; tries < 40; ++tries) {
      if (try_step(stiff)) {
        damping_N_m_ = damping_N_m_ > 1 ? damping_N_m_ / 10 : 0;
        return true;
      }
      damping_N_m_ = std::max(10 * damping_N_m_, 1e2);
    }
    return false;
  }

 private:
  [[nodiscard]] double tension_N(std::size_t link) const {
    return elastic_tension_N(model_, link,
                             link_span(at_, roller_before(model_, link), link).length_m);
  }

  bool try_step(const Eigen::SparseMatrix<double>& stiff) {
    Eigen::SparseMatrix<double> damped = stiff;
    for (int i = 0; i < coordinates_.count(); ++i) {
      damped.coeffRef(i, i) += damping_N_m_ * arms_[i] * arms_[i];
    }
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(damped);
    if (solver.info() != Eigen::Success || solver.vectorD().minCoeff() <= 0) {
      return false;
    }
    const Eigen::VectorXd move = limited(solver.solve(forces_));
    Configuration<double> next = at_;
    coordinates_.add(move, next);
    const double energy_J = potential_J(model_, next);
    // Close to rest the energy's own round-off hides what a step gains.
    const double noise_J = 1e-13 * std::abs(energy_J_);
    if (!(energy_J <= energy_J_ + noise_J)) {
      return false;
    }
    at_ = next;
    energy_J_ = energy_J;
    update_forces();
    return true;
  }

  // No coordinate moves by more than a part of a pitch: contacts stay in their gaps.
  [[nodiscard]] Eigen::VectorXd limited(const Eigen::VectorXd& move) const {
    const double largest_m = move.cwiseProduct(arms_).cwiseAbs().maxCoeff();
    const double allowed_m = 0.1 * model_.pitch_m;
    return largest_m > allowed_m ? Eigen::VectorXd(move * (allowed_m / largest_m)) : move;
  }

  void update_forces() {
    forces_ = coordinates_.gather(forces_at_rest(model_, at_));
    residual_N_ = forces_.cwiseQuotient(arms_).cwiseAbs().maxCoeff();
  }

  const RollerModel<double>& model_;
  Coordinates coordinates_;
  Configuration<double>& at_;
  Eigen::VectorXd arms_;
  Eigen::VectorXd forces_;
  double energy_J_ = 0;
  double residual_N_ = 0;
  double damping_N_m_ = 0;
};

}  // namespace

Forces<double> forces_at_rest(const RollerModel<double>& model, const Configuration<double>& at) {
  return evaluated(model, at).forces;
}

Equilibrium find_equilibrium(const drive::DriveModel& drive, const StaticsOptions& options) {
  Equilibrium rest{};
  make_roller_model(drive, {}, rest.model);
  place_rollers(drive, options.tooth_phase, rest.at);
  // At rest oil has had its time to flow.
  RollerModel<double> slow = rest.model;
  slow.unit = tightener::with_time_to_flow(rest.model.unit);
  Settling settling(slow, rest.at);
  while (rest.steps < options.most_steps && settling.residual_N() > settling.reachable_N()) {
    ++rest.steps;
    if (!settling.step()) {
      break;
    }
  }
  rest.residual_N = settling.residual_N();
  rest.found = rest.residual_N <= settling.reachable_N();
  if (rest.model.has_hydraulic_unit) {
    const double length_m = tightener::pose(rest.model.arm, rest.at.arm_angle_rad).length_m;
    tightener::fill(rest.model.unit, tightener::travel_m(rest.model.unit, length_m), rest.at.unit);
  }
  return rest;
}

StaticsReport report(const drive::DriveModel& drive, const Equilibrium& rest) {
  StaticsReport result{};
  const RollerModel<double>& model = rest.model;
  const Evaluated found = evaluated(model, rest.at);
  result.largest_seat_force_N = largest_force_N(found.scratch.teeth);
  for (std::size_t i = 0; i < model.links; ++i) {
    result.seat_force_N[i] = force_of_N(found.scratch.teeth, i);
    result.link_force_N[i] = found.scratch.tension_N[i];
    for (std::size_t s = 0; s < model.sprockets; ++s) {
      result.seated[s] += found.engaged.teeth[s].inverse_first_touch_speed_s_m[i] > 0 ? 1 : 0;
      if (is_inside(model, rest.at, s, i)) {
        result.strand_mean_N[s] += result.link_force_N[i];
        ++result.strand_links[s];
      }
    }
  }
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    if (result.strand_links[s] > 0) {
      result.strand_mean_N[s] /= result.strand_links[s];
    }
  }
  const int tightener = drive.spec.tightener.sprocket;
  if (drive.spec.tightener.kind != drive::TightenerKind::kNone) {
    const auto centre_m = centre(model, rest.at, static_cast<std::size_t>(tightener) - 1);
    result.centre_x_m = centre_m.x();
    result.centre_y_m = centre_m.y();
  }
  result.arm_angle_rad = rest.at.arm_angle_rad;
  return result;
}

}  // namespace taut::roller_chain
