// The fast kernel against the plain one of tests/reference: the same forces and powers at every
// step of a run, and the same motion for as long as rounding lets two runs agree.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "unity.h"

#include "tests/reference/plain_roller_chain.h"
#include "tests/unit/drive/transformed.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;
using drive_test::MotionSpec;
using drive_test::Moving;

// All forces there are: friction, joints, bars and arm, a bearing and a load, wear and damage,
// supports that yield and counterweights.
drive::DriveSpec engine_with_everything() {
  drive::DriveSpec spec = drive_test::damaged_6s90mc_c();
  spec.sprockets = drive_test::engine_with_counterweights().sprockets;
  spec.sprockets[1].bearing_damping_N_m_s = 20;
  spec.sprockets[3].load_torque_N_m = 500;
  return spec;
}

// The other forms of all laws: circular gaps, a linear contact with some rebound, the cubic; no
// arm, no bars, no joint damping.
drive::DriveSpec engine_with_other_laws() {
  drive::DriveSpec spec = drive_test::engine_6l60mc();
  spec.contact = {.form = drive::ToothForm::kCircular,
                  .stiffness_N_m_n = 1e8,
                  .exponent = 1,
                  .restitution = 0.5,
                  .circular_clearance_m = 0.0008};
  spec.friction = {
      .form = drive::FrictionForm::kCubic, .coefficient = 0.1, .speed_m_s = 0.1, .sharpness = 0};
  return spec;
}

// Runs clockwise and lies askew, with a hydraulic tightener and with bars so thick that other
// strands are inside them.
drive::DriveSpec engine_askew() {
  drive::DriveSpec spec = drive_test::engine_with_hydraulic_tightener();
  spec.friction.form = drive::FrictionForm::kArctan;
  for (drive::GuideBarSpec& bar : spec.guide_bars) {
    bar.end_radius_m = 4;
    bar.rotation_rad = 0.002;
  }
  return drive_test::rotated(drive_test::mirrored(spec), 0.7);
}

// At the drive's own speed, under the 6th order.
MotionSpec sixth_order(const drive::DriveSpec& spec, double step_s = 0) {
  return {.speed_rpm = spec.crank.speed_rpm,
          .step = {.step_s = step_s},
          .order = 6,
          .order_amplitude_rad_s2 = 7};
}

struct Plain {
  plain_roller_chain::State state;
  plain_roller_chain::FirstTouches touched;
  plain_roller_chain::Scratch scratch;
};

// What the largest link force is worth as a moment and as a power.
struct Scale {
  double force_N;
  double moment_N_m;
  double power_W;
};

template <typename Force>
Scale scale_of(const Moving<double, Force>& moving, const Plain& plain) {
  double largest_N = 0;
  for (std::size_t i = 0; i < moving.model.links; ++i) {
    largest_N = std::max(largest_N, std::abs(plain.scratch.tension_N[i]));
  }
  const double radius_m = moving.model.sprocket[0].pitch_radius_m;
  const double chain_m_s = std::abs(moving.state.rate.angle_rad_s[0]) * radius_m;
  return {largest_N, largest_N * radius_m, largest_N * chain_m_s};
}

// The largest difference so far, in parts of a scale. A NaN is as large as can be.
class Largest {
 public:
  template <typename Force>
  void add(Force fast, double plain, double scale) {
    const double difference = std::abs(static_cast<double>(fast) - plain) / scale;
    largest_ = difference <= largest_ ? largest_ : difference;
  }
  [[nodiscard]] bool within(double tolerance) const { return largest_ <= tolerance; }
  [[nodiscard]] double value() const { return largest_; }

 private:
  double largest_ = 0;
};

template <typename Force>
void compare_powers(const Powers<Force>& fast, const Powers<double>& plain, double scale_W,
                    Largest& largest) {
  largest.add(fast.link_W, plain.link_W, scale_W);
  largest.add(fast.joint_W, plain.joint_W, scale_W);
  largest.add(fast.contact_W, plain.contact_W, scale_W);
  largest.add(fast.friction_W, plain.friction_W, scale_W);
  largest.add(fast.bearing_W, plain.bearing_W, scale_W);
  largest.add(fast.tightener_W, plain.tightener_W, scale_W);
  largest.add(fast.load_W, plain.load_W, scale_W);
  largest.add(fast.supply_W, plain.supply_W, scale_W);
  largest.add(fast.driver_W, plain.driver_W, scale_W);
}

template <typename Force>
void compare_forces(const Moving<double, Force>& moving, const Plain& plain, Largest& largest) {
  const Scale scale = scale_of(moving, plain);
  const Forces<Force>& fast = moving.state.forces;
  const Forces<double>& expected = plain.state.forces;
  for (std::size_t i = 0; i < moving.model.links; ++i) {
    largest.add(fast.x_N[i], expected.x_N[i], scale.force_N);
    largest.add(fast.y_N[i], expected.y_N[i], scale.force_N);
    largest.add(moving.scratch.tension_N[i], plain.scratch.tension_N[i], scale.force_N);
  }
  for (std::size_t s = 0; s < moving.model.sprockets; ++s) {
    largest.add(fast.torque_N_m[s], expected.torque_N_m[s], scale.moment_N_m);
    largest.add(fast.offset_x_N[s], expected.offset_x_N[s], scale.force_N);
    largest.add(fast.offset_y_N[s], expected.offset_y_N[s], scale.force_N);
    largest.add(fast.inertial_torque_N_m[s], expected.inertial_torque_N_m[s], scale.moment_N_m);
    largest.add(fast.inertial_x_N[s], expected.inertial_x_N[s], scale.force_N);
    largest.add(fast.inertial_y_N[s], expected.inertial_y_N[s], scale.force_N);
  }
  largest.add(fast.arm_moment_N_m, expected.arm_moment_N_m, scale.moment_N_m);
  compare_powers(moving.scratch.powers, plain.scratch.powers, scale.power_W, largest);
}

// As they are, in double: what the plain kernel takes.
template <typename Force>
Rates<double> widened(const Rates<double, Force>& rate) {
  Rates<double> wide{};
  std::copy(rate.x_m_s.begin(), rate.x_m_s.end(), wide.x_m_s.begin());
  std::copy(rate.y_m_s.begin(), rate.y_m_s.end(), wide.y_m_s.begin());
  wide.angle_rad_s = rate.angle_rad_s;
  wide.offset_x_m_s = rate.offset_x_m_s;
  wide.offset_y_m_s = rate.offset_y_m_s;
  wide.crank_rad_s2 = rate.crank_rad_s2;
  wide.arm_angle_rad_s = rate.arm_angle_rad_s;
  return wide;
}

// Every roller once round the loop, where the host is quick; a dozen teeth elsewhere.
#ifdef TAUT_LONG_TESTS
constexpr double kRun_s = 1.8;
#else
constexpr double kRun_s = 0.15;
#endif

// The plain kernel sees every configuration that the fast one comes to, and remembers first
// touches by itself.
template <typename Force>
void check_forces(const char* name, const drive::DriveSpec& spec, double tolerance) {
  const drive::DriveModel drive = drive_test::model_of(spec);
  const Configuration<double> from = drive_test::at_rest(drive).at;
  const auto moving = std::make_unique<Moving<double, Force>>();
  start(drive, from, sixth_order(spec), *moving);
  const auto model = std::make_unique<RollerModel<double>>();
  make_roller_model(drive, {}, *model);
  const auto plain = std::make_unique<Plain>();
  plain->state.at = moving->state.at;
  plain->state.rate = widened(moving->state.rate);
  plain_roller_chain::init(*model, plain->state, plain->touched, plain->scratch);
  Largest largest;
  compare_forces(*moving, *plain, largest);
  const long steps = std::lround(kRun_s / model->step_s);
  for (long i = 0; i < steps; ++i) {
    advance(*moving);
    plain_roller_chain::compute_forces(*model, moving->state.at, widened(moving->state.rate),
                                       plain->touched, plain->scratch, plain->state.forces);
    compare_forces(*moving, *plain, largest);
  }
  char text[160];
  std::snprintf(text, sizeof text, "%s: forces apart by %.1e of the largest link force", name,
                largest.value());
  TEST_MESSAGE(text);
  TEST_ASSERT_TRUE(largest.within(tolerance));
}

// The springs of links are the most sensitive: 1e-15 m of rounding at 3 m from the origin is 2e-6
// N, 1e-10 of the slackest chain's largest force. Measured: 1.5e-11.
constexpr double kRoundOff = 1e-10;
// Forces of 24 bits, and a friction of 1 mm/s that sees speeds of 1 m/s to 6e-8: 1e-5. But a float
// may see a first touch one step sooner or later, and that roller has another v0 until it leaves.
constexpr double kFloatRoundOff = 1e-3;

void test_forces_of_an_engine_with_everything() {
  check_forces<double>("everything", engine_with_everything(), kRoundOff);
}

void test_forces_of_an_engine_with_other_laws() {
  check_forces<double>("other laws", engine_with_other_laws(), kRoundOff);
}

void test_forces_of_an_engine_askew() {
  check_forces<double>("askew", engine_askew(), kRoundOff);
}

void test_forces_in_float() {
  check_forces<float>("everything, float forces", engine_with_everything(), kFloatRoundOff);
  check_forces<float>("other laws, float forces", engine_with_other_laws(), kFloatRoundOff);
  check_forces<float>("askew, float forces", engine_askew(), kFloatRoundOff);
}

// How far two runs that differ by rounding alone may come apart: in place, and in tension over the
// largest. Measured in the times below: 4e-14 m and 2.1e-10. Not forever: some 0.6 s on, a roller
// first touches one step sooner in one of the runs, and from there on they are different runs.
constexpr double kPlaces_m = 1e-12;
constexpr double kTensions = 1e-9;

// Both run on their own from the same start.
void check_run(const char* name, const drive::DriveSpec& spec, double step_s, double time_s) {
  const drive::DriveModel drive = drive_test::model_of(spec);
  const auto moving = std::make_unique<Moving<>>();
  start(drive, drive_test::at_rest(drive).at, sixth_order(spec, step_s), *moving);
  const auto plain = std::make_unique<Plain>();
  plain->state = moving->state;
  plain_roller_chain::init(moving->model, plain->state, plain->touched, plain->scratch);
  Largest places;
  Largest tensions;
  const long steps = std::lround(time_s / moving->model.step_s);
  for (long step = 0; step < steps; ++step) {
    advance(*moving);
    plain_roller_chain::step(moving->model, moving->crank.motion, plain->state, plain->touched,
                             plain->scratch);
    const double largest_N = scale_of(*moving, *plain).force_N;
    for (std::size_t i = 0; i < moving->model.links; ++i) {
      places.add(moving->state.at.x_m[i], plain->state.at.x_m[i], 1);
      places.add(moving->state.at.y_m[i], plain->state.at.y_m[i], 1);
      tensions.add(moving->scratch.tension_N[i], plain->scratch.tension_N[i], largest_N);
    }
  }
  char text[160];
  std::snprintf(text, sizeof text, "%s: %ld steps, apart by %.1e m and %.1e of the tension", name,
                steps, places.value(), tensions.value());
  TEST_MESSAGE(text);
  TEST_ASSERT_TRUE(places.within(kPlaces_m));
  TEST_ASSERT_TRUE(tensions.within(kTensions));
}

// A friction that a step of 50 us resolves.
drive::DriveSpec with_smooth_friction(drive::DriveSpec spec) {
  spec.friction = {
      .form = drive::FrictionForm::kCubic, .coefficient = 0.1, .speed_m_s = 0.1, .sharpness = 0};
  return spec;
}

void test_runs_stay_together() {
  constexpr double kTime_s = 0.25;
  check_run("everything", with_smooth_friction(engine_with_everything()), 0, kTime_s);
  check_run("other laws", engine_with_other_laws(), 0, kTime_s);
  check_run("askew", with_smooth_friction(engine_askew()), 0, kTime_s);
}

// The tanh of 1 mm/s brings a roller of 13.6 kg under 20 kN to rest with a time constant of 7 us:
// steps of 50 us overshoot, and every one makes what rounding left some times larger. 2 us do not.
void test_runs_with_sharp_friction_stay_together_at_short_steps() {
  check_run("everything, 2 us", engine_with_everything(), 2e-6, 0.01);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_forces_of_an_engine_with_everything);
  RUN_TEST(test_forces_of_an_engine_with_other_laws);
  RUN_TEST(test_forces_of_an_engine_askew);
  RUN_TEST(test_forces_in_float);
  RUN_TEST(test_runs_stay_together);
  RUN_TEST(test_runs_with_sharp_friction_stay_together_at_short_steps);
  return UNITY_END();
}
