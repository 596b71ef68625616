#include "sim_core/reduced_chain/reduce.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim_core/drive/links.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/dynamic_linear_algebra.h"
#include "sim_core/reduced_chain/arm_polynomial.h"
#include "sim_core/reduced_chain/calibrate.h"
#include "sim_core/reduced_chain/step.h"
#include "sim_core/reduced_chain/strand_modes.h"
#include "sim_core/reduced_chain/tensions.h"
#include "sim_core/reduced_chain/wrap_tables.h"

namespace taut::reduced_chain {
namespace {

using drive::DriveModel;
using drive::Point;

std::size_t before(const DriveModel& drive, std::size_t s) {
  return s > 0 ? s - 1 : drive.geometry.sprockets - 1;
}
std::size_t after(const DriveModel& drive, std::size_t s) {
  return s + 1 < drive.geometry.sprockets ? s + 1 : 0;
}

double mass_per_length_kg_m(const DriveModel& drive) {
  return drive.spec.chain.roller_mass_kg / drive.spec.chain.pitch_m;
}

Point gravity_m_s2(const DriveModel& drive) {
  return {drive.spec.gravity.x_m_s2, drive.spec.gravity.y_m_s2};
}

// A chain at rest on smooth sprockets carries more tension the higher it is, by its own weight;
// what strands are solved for is the rest. Counted from the middle of all strands' middles.
double weight_N(const DriveModel& drive, const Point& place_m) {
  Point middle_m = Point::Zero();
  for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
    const drive::Strand& strand = drive.geometry.strand[s];
    middle_m +=
        (strand.begin_m + strand.end_m) / (2 * static_cast<double>(drive.geometry.sprockets));
  }
  return -mass_per_length_kg_m(drive) * gravity_m_s2(drive).dot(place_m - middle_m);
}

double wrap_pitches(const DriveModel& drive, std::size_t s) {
  return drive.geometry.wrap[s].angle_rad / drive.geometry.wrap[s].pitch_angle_rad;
}

void add_sprocket(const DriveModel& drive, std::size_t s, ReducedModel& model) {
  const drive::SprocketSpec& given = drive.spec.sprockets[s];
  const drive::Wrap& wrap = drive.geometry.wrap[s];
  const drive::ChainSpec& chain = drive.spec.chain;
  ReducedSprocket& sprocket = model.sprocket[s];
  const double radius_m = wrap.pitch_line_radius_m;
  sprocket.turn = to_float(wrap.turn);
  sprocket.pitch_angle_rad = to_float(wrap.pitch_angle_rad);
  sprocket.pitch_line_radius_m = to_float(radius_m);
  sprocket.leaving_weight_N = to_float(weight_N(drive, drive.geometry.strand[s].begin_m));
  sprocket.arriving_weight_N =
      to_float(weight_N(drive, drive.geometry.strand[before(drive, s)].end_m));
  // A link swings onto its seat at up to V alpha; the full model's rollers meet theirs with a third
  // of that on average (contact force as weight; 6S90MC-C at 40 to 90 rpm).
  sprocket.first_touch = to_float(wrap.pitch_angle_rad / 3);
  // Each joint turns by the pitch angle where it arrives and where it leaves, within a pitch each.
  const double joint_N_s_m = 2 * chain.joint_damping_N_m_s * wrap.pitch_angle_rad *
                             wrap.pitch_angle_rad / (chain.pitch_m * chain.pitch_m);
  sprocket.joint_N_s_m = to_float(joint_N_s_m);
  sprocket.bearing_N_s_m = to_float(given.bearing_damping_N_m_s / (radius_m * radius_m));
  sprocket.load_N = to_float(given.load_torque_N_m / radius_m);
  sprocket.wrap_pitches = to_float(wrap_pitches(drive, s));
  const Point leaving = drive.geometry.strand[s].direction;
  const Point arriving = drive.geometry.strand[before(drive, s)].direction;
  const double carried_kg = given.mass_kg + given.counterweight_mass_kg +
                            mass_per_length_kg_m(drive) * wrap.angle_rad * radius_m;
  sprocket.leaving_x = to_float(leaving.x());
  sprocket.leaving_y = to_float(leaving.y());
  sprocket.arriving_x = to_float(arriving.x());
  sprocket.arriving_y = to_float(arriving.y());
  sprocket.weight_x_N = to_float(carried_kg * gravity_m_s2(drive).x());
  sprocket.weight_y_N = to_float(carried_kg * gravity_m_s2(drive).y());
}

// Where wraps begin and end along the loop, in pitches from where the chain leaves the crank.
void add_places(const DriveModel& drive, ReducedModel& model) {
  const double pitches_a_metre = drive.spec.chain.links / drive.geometry.loop_m;
  double place = 0;
  for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
    const std::size_t next = after(drive, s);
    const drive::Wrap& wrap = drive.geometry.wrap[next];
    place += drive.geometry.strand[s].length_m * pitches_a_metre;
    model.sprocket[next].arrives_pitches = to_float(place);
    place += wrap.angle_rad * wrap.pitch_line_radius_m * pitches_a_metre;
    model.sprocket[next].leaves_pitches = to_float(place);
  }
}

// Rows: driven sprockets' pitch lines, then the arm's angle, then the crank's pitch line. The chain
// moves with the sprockets on wraps, and in strands evenly from one end's motion to the other's.
class Masses {
 public:
  explicit Masses(const DriveModel& drive)
      : drive_(drive),
        sprockets_(static_cast<int>(drive.geometry.sprockets)),
        matrix_(Eigen::MatrixXd::Zero(sprockets_ + 1, sprockets_ + 1)) {
    if (drive::has_arm(drive.spec.tightener.kind)) {
      const tightener::WeightArm<double> arm = drive::arm_of<double>(drive.spec);
      arm_sprocket_ = static_cast<std::size_t>(drive.spec.tightener.sprocket) - 1;
      axle_moves_m_ = math::hat(Point(arm.axle_x_m, arm.axle_y_m));
      matrix_(arm_row(), arm_row()) = arm.inertia_kg_m2;
    } else {
      matrix_(arm_row(), arm_row()) = 1;  // no arm: nothing acts on this row
    }
    for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
      add_sprocket(s);
      add_strand(s);
    }
  }

  [[nodiscard]] int arm_row() const { return sprockets_ - 1; }
  [[nodiscard]] int crank_row() const { return sprockets_; }
  [[nodiscard]] const Eigen::MatrixXd& matrix() const { return matrix_; }

 private:
  [[nodiscard]] int row(std::size_t s) const {
    return s == 0 ? crank_row() : static_cast<int>(s) - 1;
  }
  [[nodiscard]] bool on_arm(std::size_t s) const { return s == arm_sprocket_; }

  void add_sprocket(std::size_t s) {
    const drive::SprocketSpec& given = drive_.spec.sprockets[s];
    const drive::Wrap& wrap = drive_.geometry.wrap[s];
    const double radius_m = wrap.pitch_line_radius_m;
    const double inertia_kg_m2 = given.inertia_kg_m2 + given.counterweight_mass_kg *
                                                           given.counterweight_radius_m *
                                                           given.counterweight_radius_m;
    const double wrapped_kg = mass_per_length_kg_m(drive_) * wrap.angle_rad * radius_m;
    const double turning_kg = s == 0 ? 0 : inertia_kg_m2 / (radius_m * radius_m);
    matrix_(row(s), row(s)) += turning_kg + wrapped_kg;
    if (on_arm(s)) {
      const Point chord_m =
          drive_.geometry.strand[s].begin_m - drive_.geometry.strand[before(drive_, s)].end_m;
      const double coupling = mass_per_length_kg_m(drive_) * chord_m.dot(axle_moves_m_);
      matrix_(arm_row(), arm_row()) += wrapped_kg * axle_moves_m_.squaredNorm();
      matrix_(arm_row(), row(s)) += coupling;
      matrix_(row(s), arm_row()) += coupling;
    }
  }

  void add_strand(std::size_t s) {
    const drive::Strand& strand = drive_.geometry.strand[s];
    const std::size_t next = after(drive_, s);
    Eigen::MatrixXd begin = Eigen::MatrixXd::Zero(2, sprockets_ + 1);
    Eigen::MatrixXd end = begin;
    begin.col(row(s)) = strand.direction;
    end.col(row(next)) = strand.direction;
    if (on_arm(s)) {
      begin.col(arm_row()) = axle_moves_m_;
    }
    if (on_arm(next)) {
      end.col(arm_row()) = axle_moves_m_;
    }
    const double sixth_kg = mass_per_length_kg_m(drive_) * strand.length_m / 6;
    matrix_ += sixth_kg * (2 * begin.transpose() * begin + 2 * end.transpose() * end +
                           begin.transpose() * end + end.transpose() * begin);
  }

  const DriveModel& drive_;
  int sprockets_;
  Eigen::MatrixXd matrix_;
  std::size_t arm_sprocket_ = kNoArm;
  Point axle_moves_m_ = Point::Zero();
};

void add_masses(const DriveModel& drive, ReducedModel& model) {
  const Masses masses(drive);
  const int count = masses.crank_row();
  const Eigen::MatrixXd mobility = masses.matrix().topLeftCorner(count, count).inverse();
  // Places are counted from the crank's: all pitch lines follow it.
  Eigen::VectorXd dragged_kg = masses.matrix().col(masses.crank_row()).head(count);
  for (int j = 0; j < masses.arm_row(); ++j) {
    dragged_kg += masses.matrix().col(j).head(count);
  }
  const Eigen::VectorXd follows = mobility * dragged_kg;
  for (int i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (int j = 0; j < count; ++j) {
      model.mobility[row][static_cast<std::size_t>(j)] = to_float(mobility(i, j));
    }
    model.follows_crank[row] = to_float(follows[i]);
    model.on_crank_kg[row] = to_float(masses.matrix()(masses.crank_row(), i));
  }
  double crank_kg = masses.matrix()(masses.crank_row(), masses.crank_row());
  for (int j = 0; j < masses.arm_row(); ++j) {
    crank_kg += masses.matrix()(masses.crank_row(), j);
  }
  model.crank_mass_kg = to_float(crank_kg);
  for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
    Eigen::VectorXd stretch = Eigen::VectorXd::Zero(count);
    if (s > 0) {
      stretch[static_cast<int>(s) - 1] = -1;
    }
    if (after(drive, s) > 0) {
      stretch[static_cast<int>(after(drive, s)) - 1] = 1;
    }
    if (model.strand[s].path > 0) {
      stretch[masses.arm_row()] =
          static_cast<double>(model.arm.path_m[model.strand[s].path - 1][1]);
    }
    model.strand[s].lightness_1_kg = to_float(stretch.dot(mobility * stretch));
  }
}

// Powers through samples over the arm's range, by least squares.
template <typename Function>
ArmPolynomial fitted(double range_rad, Function function) {
  constexpr int kSamples = 41;
  const auto powers = static_cast<int>(kArmPowers);
  Eigen::MatrixXd terms(kSamples, powers);
  Eigen::VectorXd values(kSamples);
  for (int i = 0; i < kSamples; ++i) {
    const double part = -1 + 2.0 * i / (kSamples - 1);
    values[i] = function(part * range_rad);
    for (int j = 0; j < powers; ++j) {
      terms(i, j) = std::pow(part, j);
    }
  }
  const Eigen::VectorXd found = terms.colPivHouseholderQr().solve(values);
  ArmPolynomial polynomial;
  for (int j = 0; j < powers; ++j) {
    polynomial[static_cast<std::size_t>(j)] = to_float(found[j] / std::pow(range_rad, j));
  }
  return polynomial;
}

double small_angle(double angle_rad) {
  return std::remainder(angle_rad, math::kTwoPi<double>);
}

// Path of a strand's chain from a tooth to a tooth, beyond that as drawn, with the arm turned.
double path_m(const DriveModel& drive, std::size_t s, double arm_rad) {
  DriveModel turned;
  if (!make_drive_model(drive::with_tightener_turned(drive.spec, arm_rad), turned)) {
    return NAN;
  }
  const drive::Strand& was = drive.geometry.strand[s];
  const drive::Strand& is = turned.geometry.strand[s];
  const drive::Wrap& from = drive.geometry.wrap[s];
  const drive::Wrap& to = drive.geometry.wrap[after(drive, s)];
  return is.length_m - was.length_m +
         from.turn * from.pitch_radius_m * small_angle(is.begin_angle_rad - was.begin_angle_rad) -
         to.turn * to.pitch_radius_m * small_angle(is.end_angle_rad - was.end_angle_rad);
}

// What strands weigh across themselves hangs on their ends, half on each: moment of that on the
// arm.
double strand_weight_N_m(const DriveModel& drive, std::size_t s, const Point& axle_moves_m) {
  double sum_N_m = 0;
  for (const std::size_t i : {before(drive, s), s}) {
    const drive::Strand& strand = drive.geometry.strand[i];
    const Point left = math::hat(strand.direction);
    const double half_kg = mass_per_length_kg_m(drive) * strand.length_m / 2;
    sum_N_m += half_kg * gravity_m_s2(drive).dot(left) * left.dot(axle_moves_m);
  }
  return sum_N_m;
}

void add_arm(const DriveModel& drive, ReducedModel& model) {
  model.arm_sprocket = kNoArm;
  if (!drive::has_arm(drive.spec.tightener.kind)) {
    return;
  }
  const auto s = static_cast<std::size_t>(drive.spec.tightener.sprocket) - 1;
  const tightener::WeightArm<double> arm = drive::arm_of<double>(drive.spec);
  const tightener::ArmPose<double> drawn = tightener::pose(arm, 0.0);
  const drive::Wrap& wrap = drive.geometry.wrap[s];
  const double wrapped_kg = mass_per_length_kg_m(drive) * wrap.angle_rad * wrap.pitch_line_radius_m;
  ReducedArm& reduced = model.arm;
  model.arm_sprocket = static_cast<std::uint32_t>(s);
  double range_rad = 0.25;
  const auto possible = [&](double angle_rad) {
    return std::isfinite(path_m(drive, before(drive, s), angle_rad)) &&
           std::isfinite(path_m(drive, s, angle_rad));
  };
  while (range_rad > 1e-3 && !(possible(range_rad) && possible(-range_rad))) {
    range_rad /= 2;
  }
  reduced.range_rad = to_float(range_rad);
  reduced.path_m[0] = fitted(
      range_rad, [&](double angle_rad) { return path_m(drive, before(drive, s), angle_rad); });
  reduced.path_m[1] =
      fitted(range_rad, [&](double angle_rad) { return path_m(drive, s, angle_rad); });
  reduced.spring_m = fitted(range_rad, [&](double angle_rad) {
    return tightener::pose(arm, angle_rad).length_m - drawn.length_m;
  });
  reduced.weight_N_m = fitted(range_rad, [&](double angle_rad) {
    const tightener::ArmPose<double> pose = tightener::pose(arm, angle_rad);
    const Point moment_kg_m(pose.weight_moment_x_kg_m + wrapped_kg * pose.axle_x_m,
                            pose.weight_moment_y_kg_m + wrapped_kg * pose.axle_y_m);
    return gravity_m_s2(drive).dot(math::hat(moment_kg_m)) +
           strand_weight_N_m(drive, s, math::hat(Point(pose.axle_x_m, pose.axle_y_m)));
  });
  const auto turned = [](double x_m, double y_m) {
    return [x_m, y_m](double angle_rad) { return tightener::rotated(x_m, y_m, angle_rad); };
  };
  const auto axle_m = turned(arm.axle_x_m, arm.axle_y_m);
  const auto mass_centre_m = turned(arm.mass_centre_x_m, arm.mass_centre_y_m);
  reduced.axle_x_m =
      fitted(range_rad, [&](double angle_rad) { return arm.hinge_x_m + axle_m(angle_rad).x(); });
  reduced.axle_y_m =
      fitted(range_rad, [&](double angle_rad) { return arm.hinge_y_m + axle_m(angle_rad).y(); });
  reduced.mass_centre_x_m = fitted(
      range_rad, [&](double angle_rad) { return arm.hinge_x_m + mass_centre_m(angle_rad).x(); });
  reduced.mass_centre_y_m = fitted(
      range_rad, [&](double angle_rad) { return arm.hinge_y_m + mass_centre_m(angle_rad).y(); });
  reduced.spring_stiffness_N_m = to_float(arm.spring_stiffness_N_m);
  reduced.spring_drawn_N = to_float(tightener::spring_tension_N(arm, drawn));
  reduced.spring_damping_N_s_m = to_float(arm.spring_damping_N_s_m);
  reduced.has_hydraulic_unit = drive.spec.tightener.kind == drive::TightenerKind::kHydraulic;
  if (reduced.has_hydraulic_unit) {
    reduced.unit = drive::hydraulic_unit_of<float>(drive.spec, static_cast<double>(kStep_s));
    reduced.unit.drawn_length_m = 0;  // lengths are counted from there
  }
  model.strand[before(drive, s)].path = 1;
  model.strand[s].path = 2;
}

void add_chain(const DriveModel& drive, ReducedModel& model) {
  const drive::ChainSpec& chain = drive.spec.chain;
  const auto teeth = drive.spec.sprockets[0].teeth;
  const double pull_N = chain.link_stiffness_N_m * chain.pitch_m;
  model.sprockets = static_cast<std::uint32_t>(drive.geometry.sprockets);
  model.links = static_cast<std::uint32_t>(chain.links);
  model.loop_turns = static_cast<std::uint32_t>(chain.links / std::gcd(chain.links, teeth));
  model.crank_teeth = to_float(teeth);
  model.pitch_m = to_float(chain.pitch_m);
  model.inverse_pitch_1_m = to_float(1 / chain.pitch_m);
  model.link_stiffness_N_m = to_float(chain.link_stiffness_N_m);
  model.mass_per_length_kg_m = to_float(mass_per_length_kg_m(drive));
  model.elongation = to_float(drive::mean_elongation(drive.spec));
  model.pitch_strain_1_N = to_float(1 / pull_N);
  model.most_tension_N = to_float(2 * pull_N / kMostPull);
  model.most_first_step_N = to_float(pull_N / kMostPull / 256);
  // Chains run at a few ten metres a second; beyond, nothing here has been looked at.
  model.most_speed_m_s = 100;
  model.friction = drive::friction_of<float>(drive.spec);
  model.seat_damping = drive::tooth_law_of<float>(drive.spec).damping;
}

// Chain in the strands, by their lengths: sprockets find their places when the drive settles.
void share_chain(const DriveModel& drive, ReducedModel& model) {
  double pitches = drive.spec.chain.links;
  double length_m = 0;
  for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
    pitches -= wrap_pitches(drive, s);
    length_m += drive.geometry.strand[s].length_m;
  }
  const double link_m = drive.spec.chain.pitch_m * (1 + drive::mean_elongation(drive.spec));
  for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
    ReducedStrand& strand = model.strand[s];
    const double here = pitches * drive.geometry.strand[s].length_m / length_m;
    const double stiffness_N_m = drive.spec.chain.link_stiffness_N_m;
    strand.pitches = to_float(here);
    strand.stretch_at_rest_m = to_float(drive.geometry.strand[s].length_m - here * link_m);
    strand.flexibility_m_N = to_float(here / stiffness_N_m);
    strand.link_damping_m_s_N =
        to_float(here * drive.spec.chain.link_damping_N_s_m / (stiffness_N_m * stiffness_N_m));
    const drive::Strand& line = drive.geometry.strand[s];
    strand.middle_weight_N = to_float(weight_N(drive, Point((line.begin_m + line.end_m) / 2)));
  }
}

// Steps without friction and ripple, slowed down like in treacle, until nothing moves.
void settle(const ReducedModel& model, ReducedState& state) {
  constexpr int kSteps = 12000;
  constexpr float kKept = 0.97F;  // of speeds, a step
  ReducedModel smooth = model;
  smooth.friction.coefficient = 0;
  for (ReducedSprocket& sprocket : smooth.sprocket) {
    sprocket.leaving_ripple = {};
    sprocket.arriving_ripple = {};
  }
  smooth.arm.unit = tightener::with_time_to_flow(model.arm.unit);
  smooth.rest.tension_N.fill(model.most_first_step_N);
  smooth.rest.elongation = model.elongation;
  ReducedScratch scratch{};
  init(smooth, 0, state, scratch);
  for (int i = 0; i < kSteps; ++i) {
    step(smooth, {0, 0, 0}, state, scratch);
    for (float& speed : state.ahead_m_s) {
      speed *= kKept;
    }
    for (float& speed : state.mode_m_s) {
      speed *= kKept;
    }
    state.arm_speed_rad_s *= kKept;
  }
  state.ahead_m_s.fill(0);
  state.mode_m_s.fill(0);
  state.arm_speed_rad_s = 0;
  state.steps = 0;
  state.health = 0;
  state.bad_commands = 0;
  if (model.arm.has_hydraulic_unit) {
    const float length_m = value_at(model.arm.spring_m, state.arm_angle_rad).value;
    tightener::fill(model.arm.unit, tightener::travel_m(model.arm.unit, length_m), state.unit);
  }
}

// Against the phase as given, against travel as wanted: phase = arrives - travel.
Ripple against_travel(const double (&by_phase_m)[2][2], double arrives_pitches) {
  double cos_m[2];
  double sin_m[2];
  for (int i = 0; i < 2; ++i) {
    const double angle_rad = (i + 1) * math::kTwoPi<double> * arrives_pitches;
    cos_m[i] = by_phase_m[i][0] * std::cos(angle_rad) + by_phase_m[i][1] * std::sin(angle_rad);
    sin_m[i] = by_phase_m[i][0] * std::sin(angle_rad) - by_phase_m[i][1] * std::cos(angle_rad);
  }
  return {to_float(cos_m[0]), to_float(sin_m[0]), to_float(cos_m[1]), to_float(sin_m[1])};
}

// At the drive's own speed; rollers slide so fast at any that friction hardly differs.
WrapTravel nominal_travel(const DriveModel& drive, const ReducedModel& model) {
  const double turns_1_s = drive.spec.crank.speed_rpm / 60;
  return {drive::friction_of<double>(drive.spec),
          turns_1_s * static_cast<double>(model.crank_teeth)};
}

void add_details(const DriveModel& drive, ReducedModel& model) {
  const WrapTravel travel = nominal_travel(drive, model);
  for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
    ReducedSprocket& sprocket = model.sprocket[s];
    const double leaving_N =
        static_cast<double>(model.rest.tension_N[s] + sprocket.leaving_weight_N);
    const double arriving_N =
        static_cast<double>(model.rest.tension_N[before(drive, s)] + sprocket.arriving_weight_N);
    const double pull_N =
        std::max((leaving_N + arriving_N) / 2, static_cast<double>(sprocket.wrap.least_pull_N));
    const WrapDetails details = details_of(make_wrap_spec(drive, s), pull_N);
    const auto arrives = static_cast<double>(sprocket.arrives_pitches);
    sprocket.fading = fading_of(make_wrap_spec(drive, s), travel, pull_N);
    add_waves(drive, s, details.leaving_aside_m, std::max(leaving_N, 1.0), model.strand[s]);
    sprocket.leaving_ripple = against_travel(details.leaving_m, arrives);
    sprocket.arriving_ripple = against_travel(details.arriving_m, arrives);
    // A roller is pressed into its seat, and let go again, about as fast as it met it: its damper
    // then takes its share of the seat's energy both times.
    sprocket.loss_1_sqrt_N =
        to_float(2 * static_cast<double>(model.seat_damping) * details.largest_seat_J /
                 (pull_N * std::sqrt(pull_N) * drive.spec.chain.pitch_m));
  }
}

std::string unsupported(const DriveModel& drive) {
  for (std::size_t s = 0; s < drive.spec.sprockets.size(); ++s) {
    const drive::SprocketSpec& sprocket = drive.spec.sprockets[s];
    const std::string name = "sprocket " + std::to_string(s + 1);
    if (sprocket.support_stiffness_N_m > 0) {
      return name + " yields on its support; the reduced chain's centres do not";
    }
    if (sprocket.counterweight_mass_kg > 0) {
      return name + " has a counterweight; the reduced chain knows balanced sprockets only";
    }
  }
  return {};
}

}  // namespace

ReduceReport reduce(const DriveModel& drive, ReducedModel& model) {
  ReduceReport report{};
  model = {};
  report.problem = unsupported(drive);
  if (!report.problem.empty()) {
    return report;
  }
  if (!drive.spec.special_links.empty()) {
    report.warnings.emplace_back("links that differ from the others count with their mean length");
  }
  add_chain(drive, model);
  for (std::size_t s = 0; s < drive.geometry.sprockets; ++s) {
    add_sprocket(drive, s, model);
    const double pull_N =
        drive.spec.chain.link_stiffness_N_m * drive.spec.chain.pitch_m / kMostPull;
    if (!make_wrap_table(make_wrap_spec(drive, s), pull_N, model.sprocket[s].wrap,
                         report.problem)) {
      report.problem = "sprocket " + std::to_string(s + 1) + ": " + report.problem;
      return report;
    }
  }
  add_places(drive, model);
  share_chain(drive, model);
  add_strand_modes(drive, model, report.warnings);
  add_arm(drive, model);
  add_guide_bars(drive, model);
  add_masses(drive, model);
  settle(model, model.rest);
  add_details(drive, model);
  calibrate(drive, model);
  report.made = true;
  return report;
}

std::vector<double> torsional_Hz(const ReducedModel& model) {
  ReducedState state;
  ReducedScratch scratch{};
  init(model, 0, state, scratch);
  return torsional_Hz(model, state);
}

std::vector<double> torsional_Hz(const ReducedModel& model, const ReducedState& state) {
  const int driven = static_cast<int>(model.sprockets) - 1;
  Eigen::MatrixXd stiffness(driven, driven);
  for (int j = 0; j < driven; ++j) {
    // Rates of tension where one sprocket moves at 1 m/s: slopes of tension by its place.
    ReducedState moved = state;
    moved.ahead_m_s[static_cast<std::size_t>(j) + 1] = 1;
    ReducedScratch rates{};
    evaluate_rates(model, moved, rates);
    for (int i = 0; i < driven; ++i) {
      const auto s = static_cast<std::size_t>(i) + 1;
      stiffness(i, j) = static_cast<double>(rates.elastic_rate_N_s[s - 1]) -
                        static_cast<double>(rates.elastic_rate_N_s[s]);
    }
  }
  Eigen::MatrixXd mobility(driven, driven);
  for (int i = 0; i < driven; ++i) {
    for (int j = 0; j < driven; ++j) {
      mobility(i, j) = static_cast<double>(
          model.mobility[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
    }
  }
  const Eigen::VectorXcd squares = (mobility * stiffness).eigenvalues();
  std::vector<double> found;
  found.reserve(static_cast<std::size_t>(driven));
  for (int i = 0; i < driven; ++i) {
    found.push_back(std::sqrt(std::max(squares[i].real(), 0.0)) / math::kTwoPi<double>);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace taut::reduced_chain
