// Wheels out of balance, without their chain: a pendulum, a rotor on its support, what bearings
// carry; against closed forms. With the chain: test_energy, test_forces, test_statics.
#include <cmath>
#include <cstdio>
#include <memory>

#include "unity.h"

#include "sim_core/math/constants.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;
using Vector = math::Vector2<double>;

constexpr double kMass_kg = 1000;
constexpr double kRadius_m = 0.5;
constexpr double kUnbalance_kg_m = kMass_kg * kRadius_m;
constexpr std::size_t kWheel = 1;

// 6S90MC-C with a counterweight on sprocket 2, taken out of its chain.
struct Wheels {
  RollerModel<double> model;
  Configuration<double> at;
  Rates<double> rate;
  Forces<double> forces;
  RollerScratch<double> scratch;
};

drive::DriveSpec with_counterweight(std::size_t s) {
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  spec.sprockets[s].counterweight_mass_kg = kMass_kg;
  spec.sprockets[s].counterweight_radius_m = kRadius_m;
  spec.sprockets[s].counterweight_angle_rad = -math::kPi<double> / 2;
  return spec;
}

std::unique_ptr<Wheels> without_chain(const drive::DriveSpec& spec) {
  auto wheels = std::make_unique<Wheels>();
  const drive::DriveModel drive = drive_test::model_of(spec);
  make_roller_model(drive, {}, wheels->model);
  place_rollers(drive, 0, wheels->at);
  wheels->model.links = 0;
  wheels->model.arm_sprocket = kNoSprocket;
  return wheels;
}

void evaluate(Wheels& wheels) {
  wheels.forces = {};
  add_supports(wheels.model, wheels.at, wheels.rate, wheels.scratch, wheels.forces);
  add_unbalance(wheels.model, wheels.at, wheels.rate, wheels.scratch, wheels.forces);
}

// As step_velocity_verlet().
void advance(Wheels& wheels, double step_s) {
  kick(wheels.model, wheels.forces, step_s / 2, wheels.rate);
  drift(wheels.model, wheels.rate, step_s, wheels.at);
  const Rates<double> half = wheels.rate;
  kick(wheels.model, wheels.forces, step_s / 2, wheels.rate);
  evaluate(wheels);
  wheels.rate = half;
  kick(wheels.model, wheels.forces, step_s / 2, wheels.rate);
}

Vector unbalance_kg_m(const Wheels& wheels, std::size_t s) {
  return {wheels.scratch.unbalance_x_kg_m[s], wheels.scratch.unbalance_y_kg_m[s]};
}

void test_a_counterweight_points_as_given_where_the_drive_was_placed() {
  for (const double angle_rad : {-2.0, 0.0, 1.0}) {
    drive::DriveSpec spec = with_counterweight(kWheel);
    spec.sprockets[kWheel].counterweight_angle_rad = angle_rad;
    const auto wheels = without_chain(spec);
    evaluate(*wheels);
    const Vector found = unbalance_kg_m(*wheels, kWheel);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, kUnbalance_kg_m * std::cos(angle_rad), found.x());
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, kUnbalance_kg_m * std::sin(angle_rad), found.y());
  }
}

// About its lowest point it swings with sqrt(m g e / (J + m e^2)); 0.01 rad lengthen the period by
// 0.01^2 / 16, Verlet's steps of 1 ms by 1e-8.
void test_a_wheel_without_chain_is_a_pendulum() {
  const auto wheels = without_chain(with_counterweight(kWheel));
  const double lowest_rad = wheels->at.angle_rad[kWheel];
  wheels->at.angle_rad[kWheel] += 0.01;
  evaluate(*wheels);
  const double inertia_kg_m2 = 3712 + kUnbalance_kg_m * kRadius_m;
  const double expected_s =
      math::kTwoPi<double> / std::sqrt(kUnbalance_kg_m * 9.81 / inertia_kg_m2);
  constexpr double kStep_s = 1e-3;
  double time_s = 0;
  double last_rad = 0.01;
  double first_s = 0;
  double now_s = 0;
  int crossings = 0;
  while (crossings < 11) {
    advance(*wheels, kStep_s);
    time_s += kStep_s;
    const double off_rad = wheels->at.angle_rad[kWheel] - lowest_rad;
    if (last_rad > 0 && off_rad <= 0) {
      now_s = time_s - kStep_s * off_rad / (off_rad - last_rad);
      first_s = crossings == 0 ? now_s : first_s;
      ++crossings;
    }
    last_rad = off_rad;
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-5 * expected_s, expected_s, (now_s - first_s) / 10);
}

void test_its_weight_makes_no_torque_over_a_turn() {
  const auto wheels = without_chain(with_counterweight(kWheel));
  double sum_N_m = 0;
  double largest_N_m = 0;
  for (int i = 0; i < 360; ++i) {
    wheels->at.angle_rad[kWheel] = i * math::kTwoPi<double> / 360 - math::kPi<double>;
    evaluate(*wheels);
    sum_N_m += wheels->forces.torque_N_m[kWheel];
    largest_N_m = std::max(largest_N_m, wheels->forces.torque_N_m[kWheel]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0, sum_N_m);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * largest_N_m, kUnbalance_kg_m * 9.81, largest_N_m);
}

// At constant speed the bearings carry m e w^2 along the counterweight, besides its weight.
void test_rigid_bearings_carry_the_centrifugal_force() {
  for (const std::size_t s : {std::size_t{0}, kWheel}) {
    const auto wheels = without_chain(with_counterweight(s));
    auto state = std::make_unique<RollerState<double>>();
    state->at = wheels->at;
    state->rate.angle_rad_s[s] = 16;
    evaluate(*wheels);
    const Vector found = bearing_force_N(wheels->model, *state, wheels->scratch, s);
    const double mass_kg = kMass_kg + drive_test::engine_6s90mc_c().sprockets[s].mass_kg;
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, found.x());
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, -kUnbalance_kg_m * 16 * 16 - mass_kg * 9.81, found.y());
    // Sped up, it holds its counterweight back: m e theta'' across.
    state->rate.crank_rad_s2 = 3;
    state->forces.torque_N_m[s] = 3 * wheels->model.sprocket[s].inertia_kg_m2;
    const Vector faster = bearing_force_N(wheels->model, *state, wheels->scratch, s) - found;
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, -kUnbalance_kg_m * 3, faster.x());
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, faster.y());
  }
}

drive::DriveSpec on_support(std::size_t s, double stiffness_N_m) {
  drive::DriveSpec spec = with_counterweight(s);
  spec.sprockets[s].mass_kg = 3000;
  spec.sprockets[s].support_stiffness_N_m = stiffness_N_m;
  return spec;
}

// Nothing holds it but a spring of 1 uN/m: it turns about its mass centre, at constant speed.
void test_a_free_rotor_turns_about_its_mass_centre() {
  drive::DriveSpec spec = on_support(kWheel, 1e-6);
  spec.gravity = {0, 0};
  const auto wheels = without_chain(spec);
  constexpr double kSpeed_rad_s = 10;
  evaluate(*wheels);
  const Vector begin_kg_m = unbalance_kg_m(*wheels, kWheel);
  wheels->rate.angle_rad_s[kWheel] = kSpeed_rad_s;
  wheels->rate.offset_x_m_s[kWheel] = kSpeed_rad_s * begin_kg_m.y() / 4000;
  wheels->rate.offset_y_m_s[kWheel] = -kSpeed_rad_s * begin_kg_m.x() / 4000;
  evaluate(*wheels);
  for (int i = 0; i < 20000; ++i) {
    advance(*wheels, 1e-4);
  }
  const Vector moved_m = Vector(wheels->at.offset_x_m[kWheel], wheels->at.offset_y_m[kWheel]) +
                         (unbalance_kg_m(*wheels, kWheel) - begin_kg_m) / 4000;
  // 2 s of Verlet at 1e-3 rad a step: 1e-7 of the circle of 0.125 m, and some.
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, moved_m.norm());
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, kSpeed_rad_s, wheels->rate.angle_rad_s[kWheel]);
}

double energy_J(const Wheels& wheels) {
  const SprocketConstants<double, double>& wheel = wheels.model.sprocket[kWheel];
  const Vector offset_m(wheels.at.offset_x_m[kWheel], wheels.at.offset_y_m[kWheel]);
  const Vector speed_m_s(wheels.rate.offset_x_m_s[kWheel], wheels.rate.offset_y_m_s[kWheel]);
  const double turning_rad_s = wheels.rate.angle_rad_s[kWheel];
  const Vector unbalance = unbalance_kg_m(wheels, kWheel);
  return wheel.mass_kg * speed_m_s.squaredNorm() / 2 +
         turning_rad_s * speed_m_s.dot(math::hat(unbalance)) +
         wheel.inertia_kg_m2 * turning_rad_s * turning_rad_s / 2 +
         wheel.support_stiffness_N_m * offset_m.squaredNorm() / 2 +
         9.81 * (wheel.mass_kg * offset_m.y() + unbalance.y());
}

// Change of energy over what swings in it: the support is set swinging by 1 mm.
double energy_lost(double step_s) {
  const auto wheels = without_chain(on_support(kWheel, 4e7));
  wheels->rate.angle_rad_s[kWheel] = 16;
  wheels->at.offset_x_m[kWheel] = 1e-3;
  evaluate(*wheels);
  const double before_J = energy_J(*wheels);
  const auto steps = std::lround(0.7 / step_s);
  for (long i = 0; i < steps; ++i) {
    advance(*wheels, step_s);
  }
  return (energy_J(*wheels) - before_J) / (kUnbalance_kg_m * 9.81);
}

void test_a_rotor_on_its_support_keeps_its_energy() {
  const double coarse = std::abs(energy_lost(4e-5));
  const double fine = std::abs(energy_lost(1e-5));
  std::printf("energy off by %.2e at 40 us, %.2e at 10 us\n", coarse, fine);
  TEST_ASSERT_TRUE(fine < 1e-4);
  TEST_ASSERT_DOUBLE_WITHIN(4, 16, coarse / fine);
}

// Sped up where its centre is free to give way, it turns about its mass centre: J - (m e)^2 / M,
// of which J is its own.
void test_a_crankshaft_sped_up_turns_about_its_mass_centre() {
  drive::DriveSpec spec = on_support(0, 4e7);
  spec.gravity = {0, 0};
  const auto wheels = without_chain(spec);
  wheels->rate.crank_rad_s2 = 3;
  evaluate(*wheels);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -kUnbalance_kg_m * kUnbalance_kg_m / 4000 * 3,
                            driver_torque_N_m(wheels->forces));
}

// A crankshaft out of balance at constant speed: its support goes round with
// m e w^2 / |k - M w^2 + i d w|, after its own vibration has died away.
void test_a_crankshaft_out_of_balance_shakes_its_support() {
  constexpr double kSpeed_rad_s = 80;
  constexpr double kStiffness_N_m = 4e7;
  constexpr double kDamping_N_s_m = 1e5;
  drive::DriveSpec spec = on_support(0, kStiffness_N_m);
  spec.sprockets[0].support_damping_N_s_m = kDamping_N_s_m;
  spec.gravity = {0, 0};
  const auto wheels = without_chain(spec);
  wheels->rate.angle_rad_s[0] = kSpeed_rad_s;
  evaluate(*wheels);
  const double begin_rad = wheels->at.angle_rad[0];
  constexpr double kStep_s = 1e-5;
  for (int i = 1; i <= 100000; ++i) {
    // As move_crank(): the crank is where it is told to be before forces are evaluated.
    wheels->at.angle_rad[0] = begin_rad + kSpeed_rad_s * kStep_s * i;
    advance(*wheels, kStep_s);
  }
  const double real_N_m = kStiffness_N_m - 4000 * kSpeed_rad_s * kSpeed_rad_s;
  const double expected_m = kUnbalance_kg_m * kSpeed_rad_s * kSpeed_rad_s /
                            std::hypot(real_N_m, kDamping_N_s_m * kSpeed_rad_s);
  const double found_m = std::hypot(wheels->at.offset_x_m[0], wheels->at.offset_y_m[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4 * expected_m, expected_m, found_m);
  // What turns it: the damper's loss, d |c'|^2 = torque times speed.
  const double lost_W = kDamping_N_s_m * std::pow(expected_m * kSpeed_rad_s, 2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * lost_W, lost_W,
                            driver_torque_N_m(wheels->forces) * kSpeed_rad_s);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_counterweight_points_as_given_where_the_drive_was_placed);
  RUN_TEST(test_a_wheel_without_chain_is_a_pendulum);
  RUN_TEST(test_its_weight_makes_no_torque_over_a_turn);
  RUN_TEST(test_rigid_bearings_carry_the_centrifugal_force);
  RUN_TEST(test_a_free_rotor_turns_about_its_mass_centre);
  RUN_TEST(test_a_rotor_on_its_support_keeps_its_energy);
  RUN_TEST(test_a_crankshaft_sped_up_turns_about_its_mass_centre);
  RUN_TEST(test_a_crankshaft_out_of_balance_shakes_its_support);
  return UNITY_END();
}
