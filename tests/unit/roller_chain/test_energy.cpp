// Energy of a chain in motion: what the crankshaft gives is lost or stored, to the order of
// the integrator.
#include <cmath>
#include <cstdio>
#include <memory>

#include "unity.h"

#include "sim_core/roller_chain/potential.h"
#include "sim_core/roller_chain/power_balance.h"
#include "tests/unit/roller_chain/moving.h"
#include "tests/unit/roller_chain/resting.h"

namespace {

using namespace taut;
using namespace taut::roller_chain;
using drive_test::Moving;

// Of all but the crankshaft's own turning.
double kinetic_J(const RollerModel<double>& model, const Configuration<double>& at,
                 const Rates<double>& rate) {
  double sum_J = model.arm.inertia_kg_m2 * rate.arm_angle_rad_s * rate.arm_angle_rad_s / 2;
  for (std::size_t i = 0; i < model.links; ++i) {
    sum_J += model.roller_mass_kg * velocity(rate, i).squaredNorm() / 2;
  }
  for (std::size_t s = 0; s < model.sprockets; ++s) {
    const math::Vector2<double> centre_m_s(rate.offset_x_m_s[s], rate.offset_y_m_s[s]);
    const math::Vector2<double> unbalance_kg_m = tightener::rotated(
        model.sprocket[s].unbalance_x_kg_m, model.sprocket[s].unbalance_y_kg_m, at.angle_rad[s]);
    sum_J += model.sprocket[s].mass_kg * centre_m_s.squaredNorm() / 2 +
             rate.angle_rad_s[s] * centre_m_s.dot(math::hat(unbalance_kg_m));
  }
  for (std::size_t s = 1; s < model.sprockets; ++s) {
    sum_J += model.sprocket[s].inertia_kg_m2 * rate.angle_rad_s[s] * rate.angle_rad_s[s] / 2;
  }
  return sum_J;
}

double energy_J(const Moving<>& moving) {
  return kinetic_J(moving.model, moving.state.at, moving.state.rate) +
         potential_J(moving.model, moving.state.at);
}

// (change of energy - work in + lost)/lost over a stretch of time; powers are summed by the
// trapezoidal rule, whose error is of second order too.
double imbalance(const drive::DriveSpec& spec, Integrator integrator, double step_s) {
  constexpr double kBefore_s = 0.02;
  constexpr double kTime_s = 0.1;
  const drive::DriveModel drive = drive_test::model_of(spec);
  auto moving = std::make_unique<Moving<>>();
  start(drive, drive_test::at_rest(drive).at, {.step = {integrator, step_s}}, *moving);
  advance(*moving, std::lround(kBefore_s / step_s));
  const double before_J = energy_J(*moving);
  double given_J = 0;
  double lost_J = 0;
  const auto book = [&](double weight) {
    given_J += weight * step_s * given_W(moving->scratch.powers);
    lost_J += weight * step_s * lost_W(moving->scratch.powers);
  };
  book(0.5);
  const long steps = std::lround(kTime_s / step_s);
  for (long i = 0; i < steps; ++i) {
    advance(*moving);
    book(i + 1 < steps ? 1 : 0.5);
  }
  TEST_ASSERT_TRUE(lost_J > 50);
  return (energy_J(*moving) - before_J - given_J + lost_J) / lost_J;
}

drive::DriveSpec engine_with(drive::FrictionForm form, double coefficient) {
  drive::DriveSpec spec = drive_test::engine_6s90mc_c();
  spec.friction.form = form;
  spec.friction.coefficient = coefficient;
  return spec;
}

void check_second_order(const drive::DriveSpec& spec) {
  const double fine = std::abs(imbalance(spec, Integrator::kVelocityVerlet, 1e-6));
  const double coarse = std::abs(imbalance(spec, Integrator::kVelocityVerlet, 4e-6));
  std::printf("imbalance %.3e at 1 us, %.3e at 4 us\n", fine, coarse);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, fine);
  TEST_ASSERT_DOUBLE_WITHIN(4, 16, coarse / fine);
}

void test_without_friction() {
  check_second_order(engine_with(drive::FrictionForm::kCubic, 0));
}

void test_with_cubic_friction() {
  check_second_order(engine_with(drive::FrictionForm::kCubic, 0.1));
}

// Rubber's law has corners at its smallest speed, so the order is not asked for.
void test_with_wear_and_rubber() {
  drive::DriveSpec spec = drive_test::damaged_6s90mc_c();
  spec.friction.coefficient = 0;
  const double fine = imbalance(spec, Integrator::kVelocityVerlet, 1e-6);
  std::printf("imbalance %.3e at 1 us with wear and rubber\n", fine);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, fine);
}

// A wide leak, so that the supply gives 4 W: 1e-3 of all, and much more than the balance leaves.
// (The oil's flows alone are of the first order, below what is seen here.)
void test_with_a_hydraulic_tightener() {
  drive::DriveSpec spec = drive_test::engine_with_hydraulic_tightener();
  spec.friction.coefficient = 0;
  spec.hydraulic.leak_resistance_Pa_s_m3 = 1e10;
  check_second_order(spec);
}

void test_on_supports_that_yield() {
  drive::DriveSpec spec = drive_test::engine_on_supports();
  spec.friction.coefficient = 0;
  check_second_order(spec);
}

void test_with_counterweights() {
  drive::DriveSpec spec = drive_test::engine_with_counterweights();
  spec.friction.coefficient = 0;
  check_second_order(spec);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_without_friction);
  RUN_TEST(test_with_cubic_friction);
  RUN_TEST(test_with_wear_and_rubber);
  RUN_TEST(test_with_a_hydraulic_tightener);
  RUN_TEST(test_on_supports_that_yield);
  RUN_TEST(test_with_counterweights);
  return UNITY_END();
}
