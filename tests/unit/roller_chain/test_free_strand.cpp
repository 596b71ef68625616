// The shaken strand against closed forms, and its bits against a golden hash.
#include <cmath>

#include "unity.h"

#include "sim_core/roller_chain/free_strand.h"

namespace {

using namespace taut::roller_chain;

// Static: too large for a target's stack.
StrandState<double> state;
StrandState<double> saved;
StrandScratch<double> scratch;

// No gravity, no shaking, no damping: what remains is a string.
StrandSpec plain_string() {
  StrandSpec spec;
  spec.gravity_m_s2 = 0;
  spec.shake_amplitude_m = 0;
  spec.link_damping_N_s_m = 0;
  return spec;
}

double length_m(const StrandModel<double>& model) {
  return model.spacing_m * static_cast<double>(kStrandRollers + 1);
}

void bend_into_first_mode(double amplitude_m) {
  for (std::size_t i = 1; i <= kStrandRollers; ++i) {
    state.y_m[i] = amplitude_m * std::sin(taut::math::kPi<double> * static_cast<double>(i) /
                                          static_cast<double>(kStrandRollers + 1));
  }
}

double energy_J(const StrandSpec& spec) {
  double energy = 0;
  for (std::size_t i = 1; i <= kStrandRollers; ++i) {
    const double speed_squared = state.x_m_s[i] * state.x_m_s[i] + state.y_m_s[i] * state.y_m_s[i];
    energy += spec.roller_mass_kg * (speed_squared / 2 + spec.gravity_m_s2 * state.y_m[i]);
  }
  for (std::size_t i = 0; i <= kStrandRollers; ++i) {
    const double stretch_m =
        std::hypot(state.x_m[i + 1] - state.x_m[i], state.y_m[i + 1] - state.y_m[i]) - spec.pitch_m;
    energy += spec.link_stiffness_N_m * stretch_m * stretch_m / 2;
  }
  return energy;
}

// Pedersen 4.24: f = sqrt(F/m_l) / (2 l), so the middle passes zero at 1/(4 f).
// Tolerance 0.1 %: lumping 144 masses lowers f by (pi/145)^2/24 = 2e-5 of itself,
// the tension added by a 20 mm bow raises it by 1.5e-4, half a step is 6e-5.
void test_first_mode_has_the_frequency_of_a_string() {
  const StrandSpec spec = plain_string();
  const auto model = make_strand_model<double>(spec);
  init(model, state);
  bend_into_first_mode(0.005);
  const double mass_per_length_kg_m = spec.roller_mass_kg / model.spacing_m;
  const double quarter_period_s =
      length_m(model) / (2 * std::sqrt(spec.pretension_N / mass_per_length_kg_m));
  while (state.y_m[kStrandRollers / 2] > 0 && state.steps < 20'000) {
    step(model, state, scratch);
  }
  const double crossing_s = state.steps * spec.step_s;
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * quarter_period_s, quarter_period_s, crossing_s);
}

double mean_energy_J(const StrandModel<double>& model, const StrandSpec& spec, int steps) {
  constexpr int kBetweenSamples = 5;
  double sum_J = 0;
  for (int i = 0; i < steps; ++i) {
    step(model, state, scratch);
    if (i % kBetweenSamples == 0) {
      sum_J += energy_J(spec);
    }
  }
  return sum_J * kBetweenSamples / steps;
}

// Semi-implicit Euler conserves a shadow energy: the true one swings (here by 0.1 %)
// but does not drift. Means over 500 steps, 1 500 steps apart, agree to 1e-4 of the
// energy put in.
void test_energy_does_not_drift_without_damping() {
  const StrandSpec spec = plain_string();
  const auto model = make_strand_model<double>(spec);
  init(model, state);
  const double straight_J = energy_J(spec);
  bend_into_first_mode(0.1);
  const double put_in_J = energy_J(spec) - straight_J;
  const double early_J = mean_energy_J(model, spec, 500);
  for (int i = 0; i < 1'000; ++i) {
    step(model, state, scratch);
  }
  const double late_J = mean_energy_J(model, spec, 500);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4 * put_in_J, early_J, late_J);
}

// Internal forces cancel: in one step the rollers' momentum changes by the pull of
// the two end links and gravity alone, to the round-off of a sum of 144 terms.
void test_momentum_changes_by_outer_forces_only() {
  StrandSpec spec;
  const auto model = make_strand_model<double>(spec);
  init(model, state);
  for (int i = 0; i < 500; ++i) {
    step(model, state, scratch);
  }
  double change_N_s = 0;
  saved = state;
  step(model, state, scratch);
  for (std::size_t i = 1; i <= kStrandRollers; ++i) {
    change_N_s += spec.roller_mass_kg * (state.y_m_s[i] - saved.y_m_s[i]);
  }
  const double weight_N = kStrandRollers * spec.roller_mass_kg * spec.gravity_m_s2;
  const double outer_N = scratch.pull_y_N.back() - scratch.pull_y_N.front() - weight_N;
  TEST_ASSERT_DOUBLE_WITHIN(1e-10 * weight_N, outer_N * spec.step_s, change_N_s);
}

void test_restored_state_continues_with_the_same_bits() {
  const auto model = make_strand_model<double>({});
  init(model, state);
  for (int i = 0; i < 100; ++i) {
    step(model, state, scratch);
  }
  saved = state;
  for (int i = 0; i < 100; ++i) {
    step(model, state, scratch);
  }
  const std::uint64_t straight_through = hash_of(state);
  state = saved;
  scratch = {};
  for (int i = 0; i < 100; ++i) {
    step(model, state, scratch);
  }
  TEST_ASSERT_EQUAL_HEX64(straight_through, hash_of(state));
}

void test_hash_sees_a_change_of_the_last_bit() {
  const auto model = make_strand_model<double>({});
  init(model, state);
  const std::uint64_t before = hash_of(state);
  state.y_m_s[kStrandRollers] = 5e-324;
  TEST_ASSERT_TRUE(before != hash_of(state));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_first_mode_has_the_frequency_of_a_string);
  RUN_TEST(test_energy_does_not_drift_without_damping);
  RUN_TEST(test_momentum_changes_by_outer_forces_only);
  RUN_TEST(test_restored_state_continues_with_the_same_bits);
  RUN_TEST(test_hash_sees_a_change_of_the_last_bit);
  return UNITY_END();
}
