#include "sim_core/analysis/modes.h"

#include <algorithm>
#include <cmath>

#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/potential.h"

namespace taut::analysis {
namespace {

using roller_chain::Coordinates;
using roller_chain::Equilibrium;

Eigen::MatrixXd mass_matrix(const Equilibrium& rest, const Coordinates& coordinates) {
  Eigen::VectorXd mass = Eigen::VectorXd::Constant(coordinates.count(), rest.model.roller_mass_kg);
  for (std::size_t s = 1; s < rest.model.sprockets; ++s) {
    mass[coordinates.sprocket(s)] = rest.model.sprocket[s].inertia_kg_m2;
  }
  for (std::size_t s = 0; s < rest.model.sprockets; ++s) {
    if (const int centre = coordinates.centre(s); centre >= 0) {
      mass.segment<2>(centre).setConstant(rest.model.sprocket[s].mass_kg);
    }
  }
  if (coordinates.arm() >= 0) {
    mass[coordinates.arm()] = rest.model.arm.inertia_kg_m2;
  }
  Eigen::MatrixXd matrix = mass.asDiagonal();
  // A sprocket out of balance that turns moves its support (forces.h).
  for (std::size_t s = 1; s < rest.model.sprockets; ++s) {
    if (const int centre = coordinates.centre(s); centre >= 0) {
      const auto& constants = rest.model.sprocket[s];
      const math::Vector2<double> across_kg_m = math::hat(tightener::rotated(
          constants.unbalance_x_kg_m, constants.unbalance_y_kg_m, rest.at.angle_rad[s]));
      matrix.block<2, 1>(centre, coordinates.sprocket(s)) = across_kg_m;
      matrix.block<1, 2>(coordinates.sprocket(s), centre) = across_kg_m.transpose();
    }
  }
  return matrix;
}

}  // namespace

std::vector<Mode> modes(const Equilibrium& rest) {
  const Coordinates coordinates(rest.model);
  const Eigen::LLT<Eigen::MatrixXd> mass(mass_matrix(rest, coordinates));
  const Eigen::MatrixXd stiffness = roller_chain::stiffness(rest.model, rest.at);
  const Eigen::MatrixXd half = mass.matrixL().solve(stiffness);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      mass.matrixL().solve(half.transpose()));
  std::vector<Mode> found;
  for (int i = 0; i < coordinates.count(); ++i) {
    // Columns are of unit length in coordinates weighted by mass: squares are energy shares.
    const Eigen::VectorXd energy = solver.eigenvectors().col(i).cwiseAbs2();
    Mode mode{std::sqrt(std::max(solver.eigenvalues()[i], 0.0)) / math::kTwoPi<double>, 0, 0, 0};
    for (std::size_t s = 1; s < rest.model.sprockets; ++s) {
      mode.sprocket_share += energy[coordinates.sprocket(s)];
    }
    if (coordinates.arm() >= 0) {
      mode.arm_share = energy[coordinates.arm()];
    }
    for (std::size_t s = 0; s < rest.model.sprockets; ++s) {
      if (const int centre = coordinates.centre(s); centre >= 0) {
        mode.centre_share += energy[centre] + energy[centre + 1];
      }
    }
    found.push_back(mode);
  }
  return found;
}

std::vector<double> torsional_Hz(const std::vector<Mode>& modes, std::size_t driven_sprockets) {
  std::vector<Mode> by_share = modes;
  std::sort(by_share.begin(), by_share.end(),
            [](const Mode& a, const Mode& b) { return a.sprocket_share > b.sprocket_share; });
  std::vector<double> result;
  for (std::size_t i = 0; i < std::min(driven_sprockets, by_share.size()); ++i) {
    result.push_back(by_share[i].frequency_Hz);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<double> pitch_line_compliance_m_N(const Equilibrium& rest) {
  const Coordinates coordinates(rest.model);
  const auto rollers = static_cast<int>(2 * rest.model.links);
  const Eigen::MatrixXd stiffness = roller_chain::stiffness(rest.model, rest.at);
  const Eigen::LDLT<Eigen::MatrixXd> of_rollers(stiffness.topLeftCorner(rollers, rollers));
  std::vector<double> result;
  for (std::size_t s = 1; s < rest.model.sprockets; ++s) {
    const int angle = coordinates.sprocket(s);
    const Eigen::VectorXd coupling = stiffness.col(angle).head(rollers);
    const double condensed_N_m_rad =
        stiffness(angle, angle) - coupling.dot(of_rollers.solve(coupling));
    const double radius_m = rest.model.sprocket[s].pitch_radius_m;
    result.push_back(radius_m * radius_m / condensed_N_m_rad);
  }
  return result;
}

}  // namespace taut::analysis
