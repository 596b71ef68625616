#include "sim_core/analysis/closed_forms.h"

#include <cmath>

#include "sim_core/math/constants.h"
#include "sim_core/math/dynamic_linear_algebra.h"

namespace taut::analysis {
namespace {

constexpr double kDegree = math::kPi<double> / 180;

std::vector<double> frequencies_Hz(const Eigen::MatrixXd& stiffness, const Eigen::VectorXd& mass) {
  const Eigen::VectorXd scale = mass.cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      scale.asDiagonal() * stiffness * scale.asDiagonal(), Eigen::EigenvaluesOnly);
  std::vector<double> result;
  for (const double value : solver.eigenvalues()) {
    result.push_back(std::sqrt(std::max(value, 0.0)) / math::kTwoPi<double>);
  }
  return result;
}

double wrapped_mass_kg(const drive::DriveModel& drive, std::size_t s) {
  const drive::Wrap& wrap = drive.geometry.wrap[s];
  return drive.spec.chain.roller_mass_kg * wrap.angle_rad / wrap.pitch_angle_rad;
}

}  // namespace

double string_frequency_Hz(const StringSpec& string, int mode, double speed_m_s) {
  const double speed2 = speed_m_s * speed_m_s;
  const double tension_N =
      string.tension_at_rest_N + string.centrifugal_share * string.mass_per_length_kg_m * speed2;
  const double wave_m_s = std::sqrt(tension_N / string.mass_per_length_kg_m);
  return mode * (wave_m_s * wave_m_s - speed2) / (2 * string.length_m * wave_m_s);
}

double tooth_frequency_Hz(double speed_m_s, double pitch_m) {
  return speed_m_s / pitch_m;
}

double chain_speed_m_s(const drive::DriveModel& drive, double speed_rpm) {
  return speed_rpm / 60 * drive.spec.sprockets[0].teeth * drive.spec.chain.pitch_m;
}

double resonance_speed_rpm(const drive::DriveModel& drive, const StringSpec& string, double order,
                           double multiple) {
  const auto excess_Hz = [&](double rpm) {
    return order * rpm / 60 -
           multiple * string_frequency_Hz(string, 1, chain_speed_m_s(drive, rpm));
  };
  double below = 0;
  double above = 1;
  while (excess_Hz(above) < 0) {
    above *= 2;
  }
  for (int i = 0; i < 80; ++i) {
    const double middle = (below + above) / 2;
    (excess_Hz(middle) < 0 ? below : above) = middle;
  }
  return above;
}

double pressure_angle_rad(int teeth) {
  return (35 - 120.0 / teeth) * kDegree;
}

double binder_ratio(int teeth) {
  const double zeta = pressure_angle_rad(teeth);
  return std::sin(zeta) / std::sin(zeta + math::kTwoPi<double> / teeth);
}

WrapForces binder_wrap(int teeth, int rollers, double tight_N, double slack_N,
                       double centrifugal_N) {
  const double alpha = math::kTwoPi<double> / teeth;
  const double g = binder_ratio(teeth);
  const double contact_share = std::sin(alpha) / std::sin(pressure_angle_rad(teeth) + alpha);
  const double tight = tight_N - centrifugal_N;
  const double slack = slack_N - centrifugal_N;
  WrapForces forces;
  for (int i = 1; i <= rollers; ++i) {
    forces.link_N.push_back(tight * std::pow(g, i) + slack * std::pow(g, rollers - i + 1) +
                            centrifugal_N);
    forces.contact_N.push_back(contact_share *
                               (tight * std::pow(g, i - 1) + slack * std::pow(g, rollers - i)));
  }
  return forces;
}

int free_rollers(const drive::DriveModel& drive, std::size_t strand) {
  return static_cast<int>(drive.geometry.strand[strand].length_m / drive.spec.chain.pitch_m);
}

std::vector<double> torsional_chain_only_Hz(const drive::DriveModel& drive) {
  const auto sprockets = static_cast<int>(drive.geometry.sprockets);
  const auto radius = [&](int s) {
    return drive.geometry.wrap[static_cast<std::size_t>(s)].pitch_radius_m;
  };
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(sprockets, sprockets);
  Eigen::VectorXd inertia(sprockets);
  for (int s = 0; s < sprockets; ++s) {
    const auto index = static_cast<std::size_t>(s);
    const int next = (s + 1) % sprockets;
    const double strand_N_m =
        drive.spec.chain.link_stiffness_N_m / (free_rollers(drive, index) + 1);
    // Along travel: whether a sprocket turns one way or the other does not matter.
    stiffness(s, s) += strand_N_m * radius(s) * radius(s);
    stiffness(next, next) += strand_N_m * radius(next) * radius(next);
    stiffness(s, next) -= strand_N_m * radius(s) * radius(next);
    stiffness(next, s) -= strand_N_m * radius(s) * radius(next);
    inertia[s] = drive.spec.sprockets[index].inertia_kg_m2 +
                 wrapped_mass_kg(drive, index) * radius(s) * radius(s);
  }
  const int driven = sprockets - 1;
  return frequencies_Hz(stiffness.bottomRightCorner(driven, driven), inertia.tail(driven));
}

std::vector<double> longitudinal_Hz(const drive::DriveModel& drive) {
  // Around the loop: the free rollers of strand 1, sprocket 2, those of strand 2, ...
  std::vector<double> mass;
  std::vector<double> lever;  // metres along the chain per coordinate
  for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
    for (int i = 0; i < free_rollers(drive, s); ++i) {
      mass.push_back(drive.spec.chain.roller_mass_kg);
      lever.push_back(1);
    }
    if (const std::size_t next = s + 1; next < drive.geometry.sprockets) {
      mass.push_back(drive.spec.sprockets[next].inertia_kg_m2);
      lever.push_back(drive.geometry.wrap[next].pitch_radius_m);
    }
  }
  const auto count = static_cast<int>(mass.size());
  const double k = drive.spec.chain.link_stiffness_N_m;
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(count, count);
  for (int i = 0; i < count; ++i) {
    const double own = lever[static_cast<std::size_t>(i)];
    stiffness(i, i) = 2 * k * own * own;
    if (i + 1 < count) {
      const double coupling = -k * own * lever[static_cast<std::size_t>(i) + 1];
      stiffness(i, i + 1) = coupling;
      stiffness(i + 1, i) = coupling;
    }
  }
  return frequencies_Hz(stiffness, Eigen::Map<const Eigen::VectorXd>(mass.data(), count));
}

}  // namespace taut::analysis
