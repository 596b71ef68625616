#include "sim_core/reduced_chain/strand_modes.h"

#include <algorithm>
#include <cmath>

#include "sim_core/math/constants.h"
#include "sim_core/math/dynamic_linear_algebra.h"

namespace taut::reduced_chain {
namespace {

using drive::DriveModel;
using drive::Point;

// The coupling of a moving string's modes, 2 V B with B = 4 n m / (L (n^2 - m^2)) for odd n + m,
// joins odd modes to even ones only: by its singular vectors it turns one of each into one another.
void add_gyroscopic_pairs(std::size_t modes, double length_m, ReducedStrand& strand) {
  const auto pairs = static_cast<int>(modes / 2);
  Eigen::MatrixXd coupling(pairs, pairs);
  for (int i = 0; i < pairs; ++i) {
    for (int j = 0; j < pairs; ++j) {
      const double n = 2 * i + 1;
      const double m = 2 * j + 2;
      coupling(i, j) = 4 * n * m / (length_m * (n * n - m * m));
    }
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(coupling, Eigen::ComputeFullU | Eigen::ComputeFullV);
  for (int i = 0; i < pairs; ++i) {
    const auto row = static_cast<std::size_t>(i);
    strand.gyroscopic_1_m[row] = to_float(svd.singularValues()[i]);
    for (int j = 0; j < pairs; ++j) {
      const auto column = static_cast<std::size_t>(j);
      strand.turns_odd[row][column] = to_float(svd.matrixU()(j, i));
      strand.turns_even[row][column] = to_float(svd.matrixV()(j, i));
    }
  }
}

void add_strand(const DriveModel& drive, std::size_t s, std::size_t modes, ReducedStrand& strand) {
  constexpr double kPi = math::kPi<double>;
  const drive::ChainSpec& chain = drive.spec.chain;
  const drive::Strand& line = drive.geometry.strand[s];
  const double mass_kg_m = chain.roller_mass_kg / chain.pitch_m;
  const double length_m = line.length_m;
  const Point left = math::hat(line.direction);
  const double gravity_m_s2 = left.dot(Point(drive.spec.gravity.x_m_s2, drive.spec.gravity.y_m_s2));
  strand.modes = static_cast<std::uint32_t>(modes);
  strand.length_m = to_float(length_m);
  strand.mode_mass_inverse_1_kg = to_float(2 / (mass_kg_m * length_m));
  for (std::size_t i = 0; i < modes; ++i) {
    const double n = static_cast<double>(i) + 1;
    const double k_1_m = n * kPi / length_m;
    const double odd = i % 2 == 0 ? 2 : 0;
    strand.wave_number2_1_m2[i] = to_float(k_1_m * k_1_m);
    strand.gravity_m_s2[i] = to_float(2 * gravity_m_s2 * odd / (n * kPi));
    strand.damping_1_s[i] =
        to_float(chain.joint_damping_N_m_s * chain.pitch_m * std::pow(k_1_m, 4) / mass_kg_m);
    strand.middle[i] = to_float(std::sin(n * kPi / 2));
  }
  add_gyroscopic_pairs(modes, length_m, strand);
}

// Height of a bar's surface above its flat, for centres of rollers.
double height_m(const contact::GuideBar<double>& bar, double along_m) {
  const double beyond_m = std::max(std::abs(along_m) - bar.half_flat_m, 0.0);
  return std::sqrt(bar.end_radius_m * bar.end_radius_m - beyond_m * beyond_m) - bar.end_radius_m;
}

// How the line of a strand moves to its left where the arm turns, at its end on the arm.
double line_moves_m(const DriveModel& drive, const ReducedStrand& strand, const Point& left) {
  if (strand.path == 0) {
    return 0;
  }
  const tightener::WeightArm<double> arm = drive::arm_of<double>(drive.spec);
  return math::hat(Point(arm.axle_x_m, arm.axle_y_m)).dot(left);
}

void add_points(const DriveModel& drive, const contact::GuideBar<double>& bar, std::uint32_t points,
                ReducedBar& reduced, ReducedModel& model) {
  const drive::Strand& line = drive.geometry.strand[reduced.strand];
  const ReducedStrand& strand = model.strand[reduced.strand];
  const Point left = math::hat(line.direction);
  const Point along(bar.along_x, bar.along_y);
  const Point normal(bar.normal_x, bar.normal_y);
  const Point middle_m(bar.middle_x_m, bar.middle_y_m);
  const double spacing_m = 2 * bar.half_length_m / points;
  const double forward = along.dot(line.direction) > 0 ? 1 : -1;
  reduced.points = points;
  reduced.push = normal.dot(left) > 0 ? 1.0F : -1.0F;
  reduced.rollers_a_point = to_float(spacing_m / drive.spec.chain.pitch_m);
  reduced.inverse_spacing_1_m = to_float(1 / spacing_m);
  for (std::uint32_t j = 0; j < points; ++j) {
    const double x_m = forward * (-bar.half_length_m + (j + 0.5) * spacing_m);
    const Point place_m = middle_m + x_m * along + height_m(bar, x_m) * normal - line.begin_m;
    const double part = line.direction.dot(place_m) / line.length_m;
    BarPoint& point = model.bar_point[reduced.first_point + j];
    point.height_m = to_float(left.dot(place_m));
    point.height_per_angle_m =
        to_float(-line_moves_m(drive, strand, left) * (strand.path == 1 ? part : 1 - part));
    for (std::uint32_t n = 0; n < strand.modes; ++n) {
      point.sine[n] = to_float(std::sin((n + 1) * math::kPi<double> * part));
    }
  }
}

// Phase from roller to roller of the wave that teeth send down a chain moving at `ratio` of its
// wave speed: where a tooth passes a place, the rollers' own frequency is that of the teeth less
// what they move on by, (2 pi - theta) V / P = (2 c / P) sin(theta / 2).
double wave_phase_rad(double ratio) {
  double low_rad = 0;
  double high_rad = math::kPi<double>;
  for (int i = 0; i < 60; ++i) {
    const double middle_rad = (low_rad + high_rad) / 2;
    const bool beyond = 2 * std::sin(middle_rad / 2) > ratio * (math::kTwoPi<double> - middle_rad);
    (beyond ? high_rad : low_rad) = middle_rad;
  }
  return low_rad;
}

}  // namespace

// Their excess length is the mean of half the square of their slope; joints let them fade by
// C_d k^4 P / (2 m_l (c + V)) a metre. Waves back from the strand's end are left out: above a
// quarter of the wave speed a chain of links carries none.
void add_waves(const DriveModel& drive, std::size_t s, double aside_m, double tension_N,
               ReducedStrand& strand) {
  const drive::ChainSpec& chain = drive.spec.chain;
  const double mass_kg_m = chain.roller_mass_kg / chain.pitch_m;
  const double wave_m_s = std::sqrt(tension_N / mass_kg_m);
  const double length_m = drive.geometry.strand[s].length_m;
  strand.wave_share_1_s = to_float(wave_m_s / length_m);
  for (std::uint32_t i = 0; i < kWaveNodes; ++i) {
    const double ratio = static_cast<double>(kMostWaveRatio) * i / (kWaveNodes - 1);
    const double theta_rad = wave_phase_rad(ratio);
    const double k_1_m = theta_rad / chain.pitch_m;
    const double fading_1_m = chain.joint_damping_N_m_s * chain.pitch_m * std::pow(k_1_m, 4) /
                              (2 * mass_kg_m * wave_m_s * (1 + ratio));
    const double slope = 2 * std::sin(theta_rad / 2) / chain.pitch_m * aside_m;
    const double filled_m = fading_1_m * length_m > 1e-6
                                ? -std::expm1(-2 * fading_1_m * length_m) / (2 * fading_1_m)
                                : length_m;
    strand.wave_m[i] = to_float(slope * slope / 4 * filled_m);
  }
}

void add_strand_modes(const DriveModel& drive, ReducedModel& model,
                      std::vector<std::string>& warnings) {
  constexpr double kMetresAMode = 0.4;
  std::uint32_t first = 0;
  for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
    // An even number: they turn into one another in pairs.
    const double wanted =
        2 * std::max(1.0, std::round(drive.geometry.strand[s].length_m / (2 * kMetresAMode)));
    const std::size_t left = kAllModes - first - 2 * (drive.geometry.sprockets - s - 1);
    const std::size_t modes = std::min({static_cast<std::size_t>(wanted), kMaxModes, left / 2 * 2});
    if (static_cast<double>(modes) < wanted) {
      warnings.push_back("strand " + std::to_string(s + 1) + " has " + std::to_string(modes) +
                         " modes, fewer than one every 0.4 m");
    }
    model.strand[s].first_mode = first;
    add_strand(drive, s, modes, model.strand[s]);
    first += static_cast<std::uint32_t>(modes);
  }
}

void add_guide_bars(const DriveModel& drive, ReducedModel& model) {
  double length_m = 0;
  for (const drive::GuideBarSpec& bar : drive.spec.guide_bars) {
    length_m += bar.condition == drive::BarCondition::kMissing
                    ? 0
                    : bar.flat_length_m + 2 * bar.end_length_m;
  }
  const double room = static_cast<double>(kAllBarPoints - drive::kMaxGuideBars);
  // Every second roller stands for two: shorter waves than modes have are not pressed by bars.
  model.pitches_a_bar_point =
      to_float(std::max(2.0, std::ceil(length_m / (room * drive.spec.chain.pitch_m))));
  const double spacing_m =
      static_cast<double>(model.pitches_a_bar_point) * drive.spec.chain.pitch_m;
  std::uint32_t first = 0;
  for (std::size_t b = 0; b < drive.spec.guide_bars.size(); ++b) {
    const drive::GuideBarSpec& given = drive.spec.guide_bars[b];
    if (given.condition == drive::BarCondition::kMissing) {
      continue;
    }
    const contact::GuideBar<double> bar = drive::guide_bar_of<double>(drive, b);
    ReducedBar& reduced = model.bar[model.bars++];
    reduced.strand = static_cast<std::uint32_t>(given.strand) - 1;
    reduced.first_point = first;
    reduced.law = drive::bar_law_of<float>(drive.spec, b);
    const double points = std::max(1.0, std::round(2 * bar.half_length_m / spacing_m));
    add_points(drive, bar, static_cast<std::uint32_t>(points), reduced, model);
    first += reduced.points;
  }
}

}  // namespace taut::reduced_chain
