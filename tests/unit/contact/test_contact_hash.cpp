// Every target computes the same bits: surfaces, normal law and friction over drawn inputs against
// golden hashes. A changed bit comes with a new hash and a reason.
#include <cstdint>
#include <initializer_list>

#include "unity.h"

#include "sim_core/contact/friction.h"
#include "sim_core/contact/guide_bar.h"
#include "sim_core/contact/normal_law.h"
#include "sim_core/contact/tooth_gap.h"
#include "sim_core/math/hash.h"
#include "tests/unit/math/inputs.h"

namespace {

using namespace taut::contact;
using taut::math::Hash64;
using taut::math::Vector2;
using taut::math::test::Inputs;

constexpr int kDraws = 1'000;

template <typename Real>
void add(Hash64& hash, const Touch<Real>& touch) {
  hash.add(touch.indentation_m);
  hash.add(std::uint32_t{touch.area});
  if (touch.area != 0) {  // outside, the rest means nothing
    hash.add(touch.normal_x);
    hash.add(touch.normal_y);
    hash.add(touch.curvature_1_m);
  }
}

// Two statements: arguments of one call are drawn in an order that compilers choose.
template <typename Real>
Vector2<Real> draw(Inputs& inputs, double x_low, double x_high, double y_low, double y_high) {
  const Real x = inputs.uniform(static_cast<Real>(x_low), static_cast<Real>(x_high));
  const Real y = inputs.uniform(static_cast<Real>(y_low), static_cast<Real>(y_high));
  return {x, y};
}

template <typename Real>
std::uint64_t hash_of_surfaces() {
  Hash64 hash;
  Inputs inputs(0x5eed'0401U);
  const auto real = make_real_gap<Real>(64, 0.036195, 0.1143);
  const auto circular = make_circular_gap<Real>(0.027, 0.8e-3);
  const auto bar =
      make_guide_bar<Real>({-1.1, 2.0}, {0.28, -0.96}, {0.96, 0.28}, 1.2, 0.15, 1, 0.005, 0.01);
  for (int i = 0; i < kDraws; ++i) {
    const auto in_gap = draw<Real>(inputs, -0.06, 0.06, -0.01, 0.09);
    add(hash, touch(real, in_gap));
    add(hash, touch(circular, in_gap));
    add(hash, touch(bar, draw<Real>(inputs, -1.4, -0.8, 1.2, 2.8)));
  }
  return hash.value();
}

template <typename Real>
std::uint64_t hash_of_forces() {
  Hash64 hash;
  Inputs inputs(0x5eed'0402U);
  for (const double exponent : {1.0, 1.5}) {
    const auto law = make_normal_law<Real>(1e9, exponent, 0.3);
    for (int i = 0; i < kDraws; ++i) {
      const Real depth_m = inputs.uniform(Real(-1e-4), Real(1e-3));
      const Real speed_m_s = inputs.uniform(Real(-1), Real(1));
      const Real inverse = inverse_first_touch_speed_s_m(inputs.uniform(Real(0), Real(1)));
      hash.add(force_N(law, depth_m, speed_m_s, inverse));
      hash.add(elastic_slope_N_m(law, depth_m));
      hash.add(elastic_energy_J(law, depth_m));
    }
  }
  for (const FrictionForm form : {FrictionForm::kCubic, FrictionForm::kTanh, FrictionForm::kArctan,
                                  FrictionForm::kLogistic}) {
    const auto friction = make_friction<Real>(form, 0.1, 0.1, 0.1);
    for (int i = 0; i < kDraws; ++i) {
      hash.add(friction_force_N(friction, Real(1000), inputs.uniform(Real(-0.2), Real(0.2))));
    }
  }
  return hash.value();
}

void test_surfaces_have_the_golden_bits() {
  TEST_ASSERT_EQUAL_HEX64(0xa9c5'cc03'41bd'4a92U, hash_of_surfaces<float>());
  TEST_ASSERT_EQUAL_HEX64(0x072e'1381'fe5b'bfa2U, hash_of_surfaces<double>());
}

void test_forces_have_the_golden_bits() {
  TEST_ASSERT_EQUAL_HEX64(0x139a'f2a4'9298'ca9eU, hash_of_forces<float>());
  TEST_ASSERT_EQUAL_HEX64(0x1060'940b'3958'1ff7U, hash_of_forces<double>());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_surfaces_have_the_golden_bits);
  RUN_TEST(test_forces_have_the_golden_bits);
  return UNITY_END();
}
