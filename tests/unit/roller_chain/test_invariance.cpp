// What must not matter to a running chain: how the drive is turned or mirrored, where among its
// teeth it starts, and which roller is called the first. Numbers then round otherwise, and the
// motion must not notice; mirrored in the x axis not even rounding differs, and the bits agree.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "unity.h"

#include "sim_core/roller_chain/step_size.h"
#include "tests/unit/drive/transformed.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;
using drive_test::at_rest;
using drive_test::engine_6s90mc_c;
using drive_test::model_of;
using drive_test::Moving;

constexpr std::size_t kStrands = 4;

// A drive and where it starts from.
struct Start {
  drive::DriveModel drive;
  Configuration<double> from;
};

Start start_of(const drive::DriveSpec& spec, double tooth_phase = 0) {
  const drive::DriveModel drive = model_of(spec);
  return {drive, at_rest(drive, tooth_phase).at};
}

Start rotated(const drive::DriveSpec& spec) {
  const double angle_rad = 37 * math::kPi<double> / 180;
  return start_of(drive_test::rotated(spec, angle_rad));
}

Start mirrored(const drive::DriveSpec& spec) {
  return start_of(drive_test::mirrored(spec));
}

Start renumbered(const drive::DriveSpec& spec) {
  constexpr std::ptrdiff_t kFirst = 50;
  Start start = start_of(spec);
  for (PerLink<double>* places : {&start.from.x_m, &start.from.y_m}) {
    std::rotate(places->begin(), places->begin() + kFirst, places->begin() + spec.chain.links);
  }
  return start;
}

// Every sprocket on by one of its teeth, which are all alike, below rollers left where they are.
Start one_tooth_later(const drive::DriveSpec& spec) {
  Start start = start_of(spec);
  for (std::size_t s = 0; s < start.drive.geometry.sprockets; ++s) {
    const drive::Wrap& wrap = start.drive.geometry.wrap[s];
    start.from.angle_rad[s] += wrap.turn * wrap.pitch_angle_rad;
  }
  return start;
}

// Runs at constant speed; visit(tick, tensions) with those at the middle of each strand.
template <typename Visit>
void run(const Start& from, int ticks, Visit visit) {
  const auto moving = std::make_unique<Moving<>>();
  start(from.drive, from.from, {}, *moving);
  const long steps = std::lround(kTick_s / moving->model.step_s);
  Outputs outputs{};
  for (int tick = 0; tick < ticks; ++tick) {
    advance(*moving, steps);
    predict(moving->model, moving->state, moving->scratch, {}, outputs);
    visit(tick, outputs.strand_middle_N);
  }
}

struct Tension {
  double mean_N;
  double deviation_N;  // standard
};
using Tensions = PerSprocket<Tension>;

// Over the last 1.5 of 3 s, in which 120 teeth pass.
Tensions statistics_of(const Start& from) {
  constexpr int kTicks = 6000;
  constexpr int kSettling = 3000;
  constexpr double kSamples = kTicks - kSettling;
  PerSprocket<double> sum_N{};
  PerSprocket<double> squares_N2{};
  run(from, kTicks, [&](int tick, const PerSprocket<float>& tensions_N) {
    for (std::size_t s = 0; s < kStrands && tick >= kSettling; ++s) {
      const auto tension_N = static_cast<double>(tensions_N[s]);
      sum_N[s] += tension_N;
      squares_N2[s] += tension_N * tension_N;
    }
  });
  Tensions found{};
  for (std::size_t s = 0; s < kStrands; ++s) {
    const double mean_N = sum_N[s] / kSamples;
    found[s] = {mean_N, std::sqrt(squares_N2[s] / kSamples - mean_N * mean_N)};
  }
  return found;
}

struct Tolerance {
  double mean;
  double deviation;
};

// The same motion rounded otherwise, with the friction of tanh form as shipped. Measured: means
// within 1.9e-5, deviations within 1.6e-3; several times that, for other compilers may round
// otherwise again.
constexpr Tolerance kSameMotion{1e-4, 1e-2};

// Another start: what is left of settling differs, and which parts of a tooth's period are sampled.
// Measured at 0.25, 0.4, 0.5 and 0.75: means within 3.1e-4, deviations within 6.5e-3.
constexpr Tolerance kOtherStart{1e-3, 3e-2};

// Every tension of 0.5 s, where friction is smooth. Round-off of places, 1e-15 m, is worth 2e-6 N
// of link force; what is seen is the last digit of an output in float, 1.2e-7. Eight times that.
constexpr float kTraceTolerance = 1e-6F;

void check_statistics(const char* name, const Start& from, const Tolerance& tolerance) {
  static const Tensions kPlain = statistics_of(start_of(engine_6s90mc_c()));
  const Tensions found = statistics_of(from);
  double mean_off = 0;
  double deviation_off = 0;
  for (std::size_t s = 0; s < kStrands; ++s) {
    TEST_ASSERT_TRUE(kPlain[s].mean_N > 10e3 && kPlain[s].deviation_N > 100);
    TEST_ASSERT_TRUE(found[s].mean_N > 10e3 && found[s].deviation_N > 100);
    mean_off = std::max(mean_off, std::abs(found[s].mean_N / kPlain[s].mean_N - 1));
    deviation_off =
        std::max(deviation_off, std::abs(found[s].deviation_N / kPlain[s].deviation_N - 1));
  }
  char text[100];
  std::snprintf(text, sizeof text, "%s: means within %.1e, deviations within %.1e", name, mean_off,
                deviation_off);
  TEST_MESSAGE(text);
  TEST_ASSERT_TRUE(mean_off < tolerance.mean);
  TEST_ASSERT_TRUE(deviation_off < tolerance.deviation);
}

// The drive with a friction that its step resolves: a difference of rounding stays one. (With the
// tanh of 1 mm/s a roller overshoots standstill in a step of 50 us, and one unit in the last place
// has become 1 kN after 50 ms.)
drive::DriveSpec smooth_engine() {
  drive::DriveSpec spec = engine_6s90mc_c();
  spec.friction.form = drive::FrictionForm::kCubic;
  return spec;
}

void check_trace(const char* name, const Start& from) {
  constexpr int kTicks = 1000;
  std::vector<PerSprocket<float>> expected_N;
  run(start_of(smooth_engine()), kTicks,
      [&](int, const PerSprocket<float>& tensions_N) { expected_N.push_back(tensions_N); });
  float off = 0;
  run(from, kTicks, [&](int tick, const PerSprocket<float>& tensions_N) {
    const PerSprocket<float>& here_N = expected_N[static_cast<std::size_t>(tick)];
    for (std::size_t s = 0; s < kStrands; ++s) {
      TEST_ASSERT_TRUE(here_N[s] > 10e3F && tensions_N[s] > 10e3F);
      off = std::max(off, std::abs(tensions_N[s] / here_N[s] - 1));
    }
  });
  char text[100];
  std::snprintf(text, sizeof text, "%s: every tension within %.1e", name, static_cast<double>(off));
  TEST_MESSAGE(text);
  TEST_ASSERT_TRUE(off < kTraceTolerance);
}

void test_rotated_drive_with_its_gravity_runs_the_same() {
  check_trace("rotated", rotated(smooth_engine()));
  check_statistics("rotated", rotated(engine_6s90mc_c()), kSameMotion);
}

void test_mirrored_drive_runs_the_same() {
  check_trace("mirrored", mirrored(smooth_engine()));
  check_statistics("mirrored", mirrored(engine_6s90mc_c()), kSameMotion);
}

void test_renumbered_rollers_run_the_same() {
  check_trace("renumbered", renumbered(smooth_engine()));
  check_statistics("renumbered", renumbered(engine_6s90mc_c()), kSameMotion);
}

void test_start_one_tooth_later_runs_the_same() {
  check_trace("one tooth later", one_tooth_later(smooth_engine()));
  check_statistics("one tooth later", one_tooth_later(engine_6s90mc_c()), kSameMotion);
}

// The crankshaft, and all else with it, by part of a tooth: in time, not only in rounding.
void test_start_within_a_tooth_does_not_matter() {
  check_statistics("0.4 of a tooth later", start_of(engine_6s90mc_c(), 0.4), kOtherStart);
}

// In the x axis: the change of a sign is exact, so is all that follows from it.
template <typename Real, typename Force>
void mirror(RollerModel<Real, Force>& model) {
  const auto negate = [](auto& number) { number = -number; };
  negate(model.gravity_y_m_s2);
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    negate(model.sprocket[s].centre_y_m);
    negate(model.sprocket[s].turn);
    negate(model.sprocket[s].load_torque_N_m);
    negate(model.sprocket[s].unbalance_y_kg_m);
    negate(model.strand[s].begin_y_m);
    negate(model.strand[s].along_y);
  }
  for (std::size_t b = 0; b < model.guide_bars; ++b) {
    negate(model.guide_bar[b].bar.middle_y_m);
    negate(model.guide_bar[b].bar.along_y);
    negate(model.guide_bar[b].bar.normal_y);
  }
  negate(model.arm.hinge_y_m);
  negate(model.arm.axle_y_m);
  negate(model.arm.mass_centre_y_m);
  negate(model.arm.spring_y_m);
  negate(model.arm.ground_y_m);
  negate(model.arm.weight_moment_y_kg_m);
}

void mirror(Configuration<double>& at) {
  for (std::size_t i = 0; i < drive::kMaxLinks; ++i) {
    at.y_m[i] = -at.y_m[i];
  }
  for (std::size_t s = 0; s < drive::kMaxSprockets; ++s) {
    at.angle_rad[s] = -at.angle_rad[s];
    at.offset_y_m[s] = -at.offset_y_m[s];
  }
  at.arm_angle_rad = -at.arm_angle_rad;
}

template <typename Force>
bool same_first_touches(const Engagement<Force>& a, const Engagement<Force>& b) {
  return a.first == b.first && a.count == b.count &&
         a.inverse_first_touch_speed_s_m == b.inverse_first_touch_speed_s_m;
}

// Both with ==, which takes zeros of either sign for the same.
template <typename Real, typename Force>
bool is_mirror_image(const Moving<Real, Force>& a, const Moving<Real, Force>& b) {
  const auto& p = a.state;
  const auto& q = b.state;
  bool same = p.at.arm_angle_rad == -q.at.arm_angle_rad && p.at.unit.oil_m3 == q.at.unit.oil_m3 &&
              p.rate.arm_angle_rad_s == -q.rate.arm_angle_rad_s &&
              p.forces.arm_moment_N_m == -q.forces.arm_moment_N_m;
  for (std::size_t i = 0; i < a.model.links; ++i) {
    same = same && p.at.x_m[i] == q.at.x_m[i] && p.at.y_m[i] == -q.at.y_m[i] &&
           p.rate.x_m_s[i] == q.rate.x_m_s[i] && p.rate.y_m_s[i] == -q.rate.y_m_s[i] &&
           p.forces.x_N[i] == q.forces.x_N[i] && p.forces.y_N[i] == -q.forces.y_N[i] &&
           a.scratch.tension_N[i] == b.scratch.tension_N[i];
  }
  for (std::size_t s = 0; s < a.model.sprockets; ++s) {
    same = same && p.at.angle_rad[s] == -q.at.angle_rad[s] &&
           p.rate.angle_rad_s[s] == -q.rate.angle_rad_s[s] &&
           p.forces.torque_N_m[s] == -q.forces.torque_N_m[s] &&
           p.at.offset_x_m[s] == q.at.offset_x_m[s] && p.at.offset_y_m[s] == -q.at.offset_y_m[s] &&
           p.rate.offset_x_m_s[s] == q.rate.offset_x_m_s[s] &&
           p.rate.offset_y_m_s[s] == -q.rate.offset_y_m_s[s] &&
           p.forces.inertial_torque_N_m[s] == -q.forces.inertial_torque_N_m[s] &&
           same_first_touches(p.engaged.teeth[s], q.engaged.teeth[s]);
  }
  for (std::size_t bar = 0; bar < a.model.guide_bars; ++bar) {
    same = same && same_first_touches(p.engaged.bars[bar], q.engaged.bars[bar]);
  }
  return same;
}

bool is_mirror_image(const Outputs& a, const Outputs& b) {
  bool same = a.contact_max_N == b.contact_max_N && a.driver_W == b.driver_W &&
              a.friction_W == b.friction_W && a.load_W == b.load_W &&
              a.tightener_x_m == b.tightener_x_m && a.tightener_y_m == -b.tightener_y_m;
  for (std::size_t s = 0; s < kStrands; ++s) {
    same = same && a.strand_mean_N[s] == b.strand_mean_N[s] &&
           a.strand_middle_N[s] == b.strand_middle_N[s] &&
           a.strand_middle_m[s] == -b.strand_middle_m[s] && a.bearing_x_N[s] == b.bearing_x_N[s] &&
           a.bearing_y_N[s] == -b.bearing_y_N[s];
  }
  return same;
}

// Every force at work, and half a turn of the small sprockets: angles pass from +pi to -pi.
template <typename Real, typename Force>
void check_mirror_in_x_axis(Integrator integrator, drive::DriveSpec spec = engine_6s90mc_c()) {
  constexpr int kSteps = 6000;
  spec.sprockets[1].bearing_damping_N_m_s = 20;
  spec.sprockets[3].load_torque_N_m = 500;
  const drive::DriveModel drive = model_of(spec);
  Configuration<double> from = at_rest(drive).at;
  const drive_test::MotionSpec motion{
      .step = {.integrator = integrator}, .order = 6, .order_amplitude_rad_s2 = 7};
  const auto plain = std::make_unique<Moving<Real, Force>>();
  start(drive, from, motion, *plain);
  const auto mirrored = std::make_unique<Moving<Real, Force>>(*plain);
  mirror(mirrored->model);
  mirror(from);
  init(mirrored->model, from, plain->crank.motion.speed_rad_s, mirrored->state, mirrored->scratch);
  TEST_ASSERT_TRUE_MESSAGE(is_mirror_image(*plain, *mirrored), "after init");
  Outputs outputs{};
  Outputs mirrored_outputs{};
  for (int step = 1; step <= kSteps; ++step) {
    advance(*plain);
    advance(*mirrored);
    char text[40];
    std::snprintf(text, sizeof text, "after step %d", step);
    TEST_ASSERT_TRUE_MESSAGE(is_mirror_image(*plain, *mirrored), text);
    predict(plain->model, plain->state, plain->scratch, {}, outputs);
    predict(mirrored->model, mirrored->state, mirrored->scratch, {}, mirrored_outputs);
    TEST_ASSERT_TRUE_MESSAGE(is_mirror_image(outputs, mirrored_outputs), text);
  }
}

void test_mirror_in_x_axis_gives_mirrored_bits() {
  check_mirror_in_x_axis<double, double>(Integrator::kSemiImplicitEuler);
  check_mirror_in_x_axis<double, double>(Integrator::kVelocityVerlet);
  check_mirror_in_x_axis<double, float>(Integrator::kSemiImplicitEuler);
  check_mirror_in_x_axis<double, double>(Integrator::kSemiImplicitEuler,
                                         drive_test::engine_with_hydraulic_tightener());
  check_mirror_in_x_axis<double, double>(Integrator::kVelocityVerlet,
                                         drive_test::engine_with_counterweights());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_rotated_drive_with_its_gravity_runs_the_same);
  RUN_TEST(test_mirrored_drive_runs_the_same);
  RUN_TEST(test_renumbered_rollers_run_the_same);
  RUN_TEST(test_start_one_tooth_later_runs_the_same);
  RUN_TEST(test_start_within_a_tooth_does_not_matter);
  RUN_TEST(test_mirror_in_x_axis_gives_mirrored_bits);
  return UNITY_END();
}
