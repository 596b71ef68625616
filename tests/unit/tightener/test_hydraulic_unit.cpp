// The hydraulic unit alone, against closed forms: oil as a spring, leak-down, check valve, voids,
// stops, energy over a cycle.
#include <algorithm>
#include <cmath>

#include "unity.h"

#include "sim_core/math/constants.h"
#include "sim_core/math/sin_cos.h"
#include "sim_core/tightener/hydraulic_unit.h"
#include "tests/unit/drive/engines.h"

namespace {

using namespace taut;
using namespace taut::tightener;

constexpr double kDrawn_m = 1.2;

HydraulicSpec given() {
  return drive_test::hydraulic_6s90mc_c();
}

double oil_N_m(const HydraulicSpec& spec) {
  return spec.bulk_modulus_Pa * spec.piston_area_m2 * spec.piston_area_m2 / spec.chamber_volume_m3;
}

// --- Rest ---

// The valve gives what the gap leaks, to the accuracy of the solution; and a step leaves it so.
void test_rest_is_where_valve_and_gap_balance() {
  for (const double resistance_Pa_s_m3 : {1e8, 1e9, 1e10, 5e11, 1e15}) {
    HydraulicSpec spec = given();
    spec.leak_resistance_Pa_s_m3 = resistance_Pa_s_m3;
    const auto unit = make_hydraulic_unit<double>(spec, kDrawn_m, 50e-6);
    const double leak_m3_s = leak_flow_m3_s(unit, unit.rest_pressure_Pa);
    // Where the valve is all but shut, its flow rests on a difference of pressures.
    const double round_off_m3_s = 1e-16 * spec.supply_pressure_Pa * unit.valve_m3_s_per_sqrt_Pa /
                                  std::sqrt(spec.valve_opening_Pa);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10 * leak_m3_s + round_off_m3_s, leak_m3_s,
                              valve_flow_m3_s(unit, unit.rest_pressure_Pa));
    HydraulicState<double> state{};
    fill(unit, 0.004, state);
    const double before_N = push_N(unit, state, 0.004);
    for (int i = 0; i < 10000; ++i) {
      step(unit, 0.004, state);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9 * before_N, before_N, push_N(unit, state, 0.004));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, spec.piston_area_m2 * unit.rest_pressure_Pa, before_N);
  }
}

// Hardly any leak: the supply less what the valve needs to open.
void test_a_tight_chamber_rests_at_supply_less_cracking() {
  HydraulicSpec spec = given();
  spec.leak_resistance_Pa_s_m3 = 1e16;
  const auto unit = make_hydraulic_unit<double>(spec, kDrawn_m, 50e-6);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.8e5, unit.rest_pressure_Pa);
}

void test_travel_counts_the_way_it_acts() {
  HydraulicSpec spec = given();
  const auto pulls = make_hydraulic_unit<double>(spec, kDrawn_m, 50e-6);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.01, travel_m(pulls, kDrawn_m - 0.01));
  spec.acts = Acts::kPush;
  const auto pushes = make_hydraulic_unit<double>(spec, kDrawn_m, 50e-6);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.01, travel_m(pushes, kDrawn_m + 0.01));
}

// --- Oil and gap ---

// 0.1 mm in within a step: in 1 us the gap lets out 2e-6 of it.
void test_a_fast_move_meets_the_stiffness_of_the_oil() {
  const HydraulicSpec spec = given();
  const auto unit = make_hydraulic_unit<double>(spec, kDrawn_m, 1e-6);
  HydraulicState<double> state{};
  const double before_N = push_N(unit, state, 0.0);
  step(unit, -1e-4, state);
  const double risen_N = push_N(unit, state, -1e-4) - before_N;
  TEST_ASSERT_DOUBLE_WITHIN(1e-5 * risen_N, oil_N_m(spec) * 1e-4, risen_N);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, oil_N_m(spec), stiffness_N_m(unit, state, -1e-4));
}

// Held where it is, pressure falls as exp(-t E / (V R)); implicit Euler is off by h / (2 tau) of
// the exponent.
void test_pressure_of_a_held_piston_leaks_down_exponentially() {
  const HydraulicSpec spec = given();
  const double tau_s = spec.chamber_volume_m3 * spec.leak_resistance_Pa_s_m3 / spec.bulk_modulus_Pa;
  const double time_s = tau_s;
  double worst = 0;
  for (const double step_s : {50e-6, 500e-6}) {
    const auto unit = make_hydraulic_unit<double>(spec, kDrawn_m, step_s);
    HydraulicState<double> state{};
    const double before_Pa = pressure_Pa(unit, state, -1e-3);
    const auto steps = std::lround(time_s / step_s);
    for (long i = 0; i < steps; ++i) {
      step(unit, -1e-3, state);
    }
    const double expected_Pa = before_Pa * std::exp(-static_cast<double>(steps) * step_s / tau_s);
    const double off = pressure_Pa(unit, state, -1e-3) / expected_Pa - 1;
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * off, step_s / (2 * tau_s), off);
    worst = off;
  }
  TEST_ASSERT_TRUE(worst > 1e-3 && worst < 2e-3);
}

// A piston without mass under a constant load F sinks by F / (R A^2) a second.
void test_a_constant_load_sinks_at_constant_speed() {
  const HydraulicSpec spec = given();
  constexpr double kLoad_N = 50e3;
  constexpr double kStep_s = 1e-3;
  const auto unit = make_hydraulic_unit<double>(spec, kDrawn_m, kStep_s);
  const double load_Pa = kLoad_N / spec.piston_area_m2;
  HydraulicState<double> state{};
  // Where oil and load balance; then, step by step, where they will after the flow.
  const auto balanced_m = [&] {
    return (state.oil_m3 - (load_Pa - unit.rest_pressure_Pa) / unit.pressure_per_volume_Pa_m3) /
           unit.area_m2;
  };
  const double begin_m = balanced_m();
  const double sinks_m_s =
      kLoad_N / (spec.leak_resistance_Pa_s_m3 * spec.piston_area_m2 * spec.piston_area_m2);
  double travel = begin_m;
  for (int i = 0; i < 1000; ++i) {
    for (int k = 0; k < 60; ++k) {  // the implicit step, by repetition
      HydraulicState<double> tried = state;
      step(unit, travel, tried);
      travel += (push_N(unit, tried, travel) - kLoad_N) / stiffness_N_m(unit, tried, travel);
    }
    step(unit, travel, state);
  }
  TEST_ASSERT_TRUE(sinks_m_s > 1e-3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, begin_m - sinks_m_s * 1.0, travel);
}

// --- Valve ---

void test_the_valve_opens_at_supply_less_cracking() {
  const auto unit = make_hydraulic_unit<double>(given(), kDrawn_m, 50e-6);
  TEST_ASSERT_TRUE(valve_flow_m3_s(unit, 1.8e5 + 1) == 0);
  TEST_ASSERT_TRUE(valve_flow_m3_s(unit, 1e7) == 0);
  TEST_ASSERT_TRUE(valve_flow_m3_s(unit, 1.8e5 - 1) > 0);
}

// Q = A sqrt(2 dp / rho) where wide open; A sqrt(2 / rho) dp / sqrt(opening) where it just lifts.
void test_valve_flow_is_that_of_an_orifice() {
  HydraulicSpec spec = given();
  spec.supply_pressure_Pa = 2e6;
  spec.valve_cracking_Pa = 0;
  spec.valve_opening_Pa = 10;
  const auto wide = make_hydraulic_unit<double>(spec, kDrawn_m, 50e-6);
  const double orifice_m3_s = 1e-4 * std::sqrt(2 * 2e6 / 870);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5 * orifice_m3_s, orifice_m3_s, valve_flow_m3_s(wide, 0.0));
  const double lifting_m3_s = 1e-4 * std::sqrt(2.0 / 870 / 10) * 1e-3;
  TEST_ASSERT_DOUBLE_WITHIN(1e-4 * lifting_m3_s, lifting_m3_s, valve_flow_m3_s(wide, 2e6 - 1e-3));
}

// Drawn out by 0.1 mm in 1 s, slowly enough for the valve: the oil that enters is the volume that
// opens up, besides the little that leaks, and the pressure stays within what that flow needs.
void test_the_chamber_refills_as_the_piston_goes_out() {
  const HydraulicSpec spec = given();
  constexpr double kStep_s = 500e-6;
  const auto unit = make_hydraulic_unit<double>(spec, kDrawn_m, kStep_s);
  HydraulicState<double> state{};
  double entered_m3 = 0;
  double leaked_m3 = 0;
  double travel = 0;
  for (int i = 1; i <= 2000; ++i) {
    travel = 1e-4 * i / 2000;
    step(unit, travel, state);
    entered_m3 += kStep_s * valve_flow_m3_s(unit, pressure_Pa(unit, state, travel));
    leaked_m3 += kStep_s * leak_flow_m3_s(unit, pressure_Pa(unit, state, travel));
  }
  const double opened_m3 = spec.piston_area_m2 * travel;
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * opened_m3, opened_m3 + leaked_m3, entered_m3);
  TEST_ASSERT_TRUE(pressure_Pa(unit, state, travel) > 1.79e5);
}

// The implicit step solves its equation: oil of the flows at its end.
void test_the_step_is_implicit_to_round_off() {
  const HydraulicSpec spec = given();
  for (const double step_s : {1e-6, 50e-6, 500e-6}) {
    const auto unit = make_hydraulic_unit<double>(spec, kDrawn_m, step_s);
    for (const double out_m : {1e-8, 1e-7, 1e-6, 1e-5, 1e-4}) {
      HydraulicState<double> state{};
      step(unit, out_m, state);
      const double after_Pa = pressure_Pa(unit, state, out_m);
      if (after_Pa > kVacuum_Pa<double>) {
        const double flow_m3_s = valve_flow_m3_s(unit, after_Pa) - leak_flow_m3_s(unit, after_Pa);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * spec.piston_area_m2 * out_m, step_s * flow_m3_s,
                                  state.oil_m3);
      }
    }
  }
}

// --- Voids ---

// Torn out by 10 mm in a step, there is no force beyond that of the atmosphere; back where it
// was, oil that came in meanwhile stands in the way, and the rest is as before.
void test_torn_oil_pulls_with_the_atmosphere_and_closes_again() {
  const HydraulicSpec spec = given();
  const auto unit = make_hydraulic_unit<double>(spec, kDrawn_m, 50e-6);
  HydraulicState<double> state{};
  const double before_N = push_N(unit, state, 0.0);
  step(unit, 0.01, state);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -101325 * spec.piston_area_m2, push_N(unit, state, 0.01));
  const double entered_m3 = 50e-6 * (valve_flow_m3_s(unit, kVacuum_Pa<double>) -
                                     leak_flow_m3_s(unit, kVacuum_Pa<double>));
  TEST_ASSERT_DOUBLE_WITHIN(1e-18, entered_m3, state.oil_m3);
  TEST_ASSERT_TRUE(stiffness_N_m(unit, state, 0.01) == 0);
  const double back_N = push_N(unit, state, 0.0);
  const double expected_N =
      before_N + spec.piston_area_m2 * unit.pressure_per_volume_Pa_m3 * entered_m3;
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * expected_N, expected_N, back_N);
}

// --- Stops ---

void test_stops_hold_within_load_over_stiffness() {
  const HydraulicSpec spec = given();
  const auto unit = make_hydraulic_unit<double>(spec, kDrawn_m, 50e-6);
  HydraulicState<double> state{};
  for (const double end_m : {spec.travel_out_m, -spec.travel_in_m}) {
    fill(unit, end_m, state);
    const double at_end_N = push_N(unit, state, end_m);
    const double outwards = end_m > 0 ? 1 : -1;
    const double beyond_m = end_m + outwards * 30e3 / spec.stop_stiffness_N_m;
    fill(unit, beyond_m, state);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, at_end_N - outwards * 30e3, push_N(unit, state, beyond_m));
    // Into the stop it resists more, out of it less, and never pulls back.
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, -outwards * 30e3 * 0.2,
                              stop_damping_N(unit, beyond_m, outwards * 0.1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, outwards * 30e3,
                              stop_damping_N(unit, beyond_m, -outwards * 10.0));
    TEST_ASSERT_TRUE(stop_damping_N(unit, 0.0, 10.0) == 0);
  }
}

// --- Energy ---

void check_slopes(const HydraulicUnit<double>& unit, double oil_m3, double travel) {
  const HydraulicState<double> state{oil_m3};
  constexpr double kStep_m = 1e-7;
  const double slope_N =
      (energy_J(unit, state, travel + kStep_m) - energy_J(unit, state, travel - kStep_m)) /
      (2 * kStep_m);
  const double push = push_N(unit, state, travel);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6 * std::abs(push) + 1e-3, -slope_N, push);
  const double rise_N_m =
      (push_N(unit, state, travel - kStep_m) - push_N(unit, state, travel + kStep_m)) /
      (2 * kStep_m);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6 * rise_N_m + 1, rise_N_m, stiffness_N_m(unit, state, travel));
}

void test_push_is_minus_the_slope_of_the_energy() {
  const auto unit = make_hydraulic_unit<double>(given(), kDrawn_m, 50e-6);
  check_slopes(unit, 0, -1e-3);                           // pressed
  check_slopes(unit, 0, 1e-2);                            // torn
  check_slopes(unit, 0.00785 * 0.0501, 0.0502);           // at the outer stop
  check_slopes(unit, 0.00785 * -0.0302, -0.0305);         // at the inner stop
  check_slopes(with_time_to_flow(unit), 0.00785, -0.02);  // slow
}

// Shaken over whole cycles: work on the piston and by the supply is lost in valve and gap or
// stored. Implicit Euler errs by the first order.
double imbalance(double step_s) {
  const auto unit = make_hydraulic_unit<double>(given(), kDrawn_m, step_s);
  constexpr double kTime_s = 0.5;
  const auto travel_at = [](double time_s) {
    return 2e-5 * math::sincos(math::kTwoPi<double> * 8 * time_s).sin;
  };
  HydraulicState<double> state{};
  const double before_J = energy_J(unit, state, 0.0);
  double given_J = 0;
  double lost_J = 0;
  const auto steps = std::lround(kTime_s / step_s);
  double last_m = 0;
  for (long i = 1; i <= steps; ++i) {
    const double travel = travel_at(static_cast<double>(i) * step_s);
    const double before_N = push_N(unit, state, last_m);
    step(unit, travel, state);
    const double p_Pa = pressure_Pa(unit, state, travel);
    const double valve_m3_s = valve_flow_m3_s(unit, p_Pa);
    given_J += -(before_N + push_N(unit, state, travel)) / 2 * (travel - last_m) +
               step_s * unit.supply_pressure_Pa * valve_m3_s;
    lost_J += step_s *
              ((unit.supply_pressure_Pa - p_Pa) * valve_m3_s + p_Pa * leak_flow_m3_s(unit, p_Pa));
    last_m = travel;
  }
  TEST_ASSERT_TRUE(lost_J > 0.01);
  return (energy_J(unit, state, last_m) - before_J - given_J + lost_J) / lost_J;
}

void test_energy_over_cycles_is_lost_or_stored() {
  const double coarse = std::abs(imbalance(40e-6));
  const double fine = std::abs(imbalance(10e-6));
  TEST_ASSERT_TRUE(fine < 5e-3);
  TEST_ASSERT_DOUBLE_WITHIN(0.4, 4, coarse / fine);
}

// --- As a microcontroller has it ---

// An arm of 98 kg at the unit, loaded by 60 kN that comes and goes, in steps of a tick: from one
// stop to the other, yet bounded by them, and in float within 1e-3 of double.
template <typename Real>
Real shaken(Real& highest_m) {
  const auto unit = make_hydraulic_unit<Real>(given(), kDrawn_m, 500e-6);
  constexpr auto kMass_kg = Real(98);
  HydraulicState<Real> state{};
  Real travel = 0;
  Real speed_m_s = 0;
  Real sum_N = 0;
  highest_m = 0;
  for (int i = 0; i < 20000; ++i) {
    const Real load_N =
        Real(60e3) * (Real(1) + math::sincos(Real(0.025) * static_cast<Real>(i % 6283)).sin) / 2;
    const Real total_N =
        push_N(unit, state, travel) + stop_damping_N(unit, travel, speed_m_s) - load_N;
    speed_m_s += Real(500e-6) * total_N / kMass_kg;
    travel += Real(500e-6) * speed_m_s;
    step(unit, travel, state);
    sum_N += push_N(unit, state, travel) / Real(20000);
    highest_m = std::max(highest_m, std::abs(travel));
  }
  return sum_N;
}

void test_a_tick_in_float_is_stable() {
  double highest_m = 0;
  float highest_float_m = 0;
  const double mean_N = shaken<double>(highest_m);
  const float mean_float_N = shaken<float>(highest_float_m);
  TEST_ASSERT_TRUE(highest_m < 0.0505 && highest_float_m < 0.0505F);
  TEST_ASSERT_DOUBLE_WITHIN(300, 30e3, mean_N);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * mean_N, mean_N, static_cast<double>(mean_float_N));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_rest_is_where_valve_and_gap_balance);
  RUN_TEST(test_a_tight_chamber_rests_at_supply_less_cracking);
  RUN_TEST(test_travel_counts_the_way_it_acts);
  RUN_TEST(test_a_fast_move_meets_the_stiffness_of_the_oil);
  RUN_TEST(test_pressure_of_a_held_piston_leaks_down_exponentially);
  RUN_TEST(test_a_constant_load_sinks_at_constant_speed);
  RUN_TEST(test_the_valve_opens_at_supply_less_cracking);
  RUN_TEST(test_valve_flow_is_that_of_an_orifice);
  RUN_TEST(test_the_chamber_refills_as_the_piston_goes_out);
  RUN_TEST(test_the_step_is_implicit_to_round_off);
  RUN_TEST(test_torn_oil_pulls_with_the_atmosphere_and_closes_again);
  RUN_TEST(test_stops_hold_within_load_over_stiffness);
  RUN_TEST(test_push_is_minus_the_slope_of_the_energy);
  RUN_TEST(test_energy_over_cycles_is_lost_or_stored);
  RUN_TEST(test_a_tick_in_float_is_stable);
  return UNITY_END();
}
