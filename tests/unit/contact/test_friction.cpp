// Friction laws: values at v*, oddness, growth, and the limit that is Coulomb's.
#include <cmath>
#include <initializer_list>

#include "unity.h"

#include "sim_core/contact/friction.h"
#include "tests/unit/math/inputs.h"

namespace {

using namespace taut::contact;

constexpr FrictionForm kForms[] = {FrictionForm::kCubic, FrictionForm::kTanh, FrictionForm::kArctan,
                                   FrictionForm::kLogistic};
constexpr double kSharpnesses[] = {0.01, 0.1, 0.5};  // those of Pedersen figures G.1 to G.3
constexpr double kCoefficient = 0.1;
constexpr double kSpeed_m_s = 0.1;
constexpr double kTwoOverPi = 0.63661977236758134;

// As printed: 3.97, 3.98, and 2 H(x) - 1 of G.4.
double printed(FrictionForm form, double ratio, double sharpness) {
  switch (form) {
    case FrictionForm::kCubic:
      return ratio < 1 ? ratio * ratio * (3 - 2 * ratio) : 1;
    case FrictionForm::kTanh:
      return std::tanh(ratio / sharpness);
    case FrictionForm::kArctan:
      return kTwoOverPi * std::atan(ratio / sharpness);
    case FrictionForm::kLogistic:
      return 2 / (1 + std::exp(-ratio / sharpness)) - 1;
  }
  return 0;
}

// 2e-15: the printed logistic itself rounds at one. tanh, and the logistic made of it, are a
// quotient of polynomials within 1.1e-6.
double tolerance(FrictionForm form) {
  return form == FrictionForm::kTanh || form == FrictionForm::kLogistic ? 1.1e-6 : 2e-15;
}

void test_laws_are_those_printed() {
  for (const FrictionForm form : kForms) {
    for (const double sharpness : kSharpnesses) {
      const auto friction = make_friction<double>(form, kCoefficient, kSpeed_m_s, sharpness);
      for (int i = 0; i <= 300; ++i) {
        const double ratio = 0.01 * i;
        TEST_ASSERT_DOUBLE_WITHIN(tolerance(form), printed(form, ratio, sharpness),
                                  smooth_sign(friction, ratio * kSpeed_m_s));
      }
    }
  }
}

double sign_at_speed_star(FrictionForm form, double sharpness) {
  return smooth_sign(make_friction<double>(form, kCoefficient, kSpeed_m_s, sharpness), kSpeed_m_s);
}

void test_values_at_the_scaling_speed() {
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1, sign_at_speed_star(FrictionForm::kCubic, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1.1e-6, 1, sign_at_speed_star(FrictionForm::kTanh, 0.01));
  TEST_ASSERT_DOUBLE_WITHIN(1.1e-6, 0.964027580, sign_at_speed_star(FrictionForm::kTanh, 0.5));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.993634014, sign_at_speed_star(FrictionForm::kArctan, 0.01));
  TEST_ASSERT_DOUBLE_WITHIN(1.1e-6, 0.761594156, sign_at_speed_star(FrictionForm::kLogistic, 0.5));
}

template <typename Real>
void force_opposes_motion_and_is_odd() {
  taut::math::test::Inputs inputs(0x5eed'0201U);
  for (const FrictionForm form : kForms) {
    const auto friction = make_friction<Real>(form, kCoefficient, kSpeed_m_s, 0.01);
    TEST_ASSERT_TRUE(friction_force_N(friction, Real(1000), Real(0)) == 0);
    for (int i = 0; i < 1'000; ++i) {
      const Real speed = inputs.uniform(Real(1e-6), Real(0.2));
      const Real forward = friction_force_N(friction, Real(1000), speed);
      TEST_ASSERT_TRUE(forward < 0);
      TEST_ASSERT_TRUE(friction_force_N(friction, Real(1000), -speed) == -forward);
    }
  }
}

// Never above mu_d f, and that in the end: the arctan only as 1 - 2/(pi z).
template <typename Real>
void force_saturates_at_the_coefficient() {
  for (const FrictionForm form : kForms) {
    const auto friction = make_friction<Real>(form, kCoefficient, kSpeed_m_s, 0.01);
    const Real highest_N = static_cast<Real>(kCoefficient) * Real(1000);
    for (const Real speed : {Real(1), Real(100), Real(1e6), Real(1e30)}) {
      const Real force = -friction_force_N(friction, Real(1000), speed);
      const Real lag = form == FrictionForm::kArctan
                           ? static_cast<Real>(kTwoOverPi) * Real(0.01) * Real(0.1) / speed
                           : Real(0);
      TEST_ASSERT_TRUE(force <= highest_N);
      TEST_ASSERT_TRUE(force >= highest_N * (Real(1) - lag - Real(1e-6)));
    }
  }
}

template <typename Real>
void force_never_falls_with_speed() {
  for (const FrictionForm form : kForms) {
    for (const double sharpness : kSharpnesses) {
      const auto friction = make_friction<Real>(form, kCoefficient, kSpeed_m_s, sharpness);
      Real before = 0;
      // A step must outweigh the laws' rounding of an ulp or two; where they are flat it need not
      // grow, but not fall either by more than that.
      constexpr Real kUlps = sizeof(Real) == 4 ? Real(3e-7) : Real(5e-16);
      for (int i = 1; i <= 2'000; ++i) {
        const Real now = smooth_sign(friction, static_cast<Real>(i) * Real(1e-4));
        TEST_ASSERT_TRUE(now >= before - kUlps);
        TEST_ASSERT_TRUE(now <= Real(1));
        before = now;
      }
    }
  }
}

void test_no_coefficient_no_force() {
  for (const FrictionForm form : kForms) {
    const auto friction = make_friction<double>(form, 0, kSpeed_m_s, 0.01);
    TEST_ASSERT_TRUE(friction_force_N(friction, 1e5, 3.0) == 0);
  }
}

void test_float_agrees_with_double() {
  for (const FrictionForm form : kForms) {
    const auto wide = make_friction<double>(form, kCoefficient, kSpeed_m_s, 0.1);
    const auto narrow = make_friction<float>(form, kCoefficient, kSpeed_m_s, 0.1);
    for (int i = -200; i <= 200; ++i) {
      const double speed = 1e-3 * i;
      TEST_ASSERT_DOUBLE_WITHIN(
          1e-6, smooth_sign(wide, speed),
          static_cast<double>(smooth_sign(narrow, static_cast<float>(speed))));
    }
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_laws_are_those_printed);
  RUN_TEST(test_values_at_the_scaling_speed);
  RUN_TEST(force_opposes_motion_and_is_odd<float>);
  RUN_TEST(force_opposes_motion_and_is_odd<double>);
  RUN_TEST(force_saturates_at_the_coefficient<float>);
  RUN_TEST(force_saturates_at_the_coefficient<double>);
  RUN_TEST(force_never_falls_with_speed<float>);
  RUN_TEST(force_never_falls_with_speed<double>);
  RUN_TEST(test_no_coefficient_no_force);
  RUN_TEST(test_float_agrees_with_double);
  return UNITY_END();
}
