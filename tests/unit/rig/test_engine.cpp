// The rig's engine against closed forms: its orders, its governor, its energy.
#include <cmath>
#include <complex>

#include "unity.h"

#include "host_tools/rig/engine.h"
#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/step_size.h"

namespace {

using namespace taut;
using namespace taut::rig;
using Complex = std::complex<double>;

constexpr double kTick_s = roller_chain::kTick_s;
constexpr int kSteps = 5;  // fewer than the rig makes: order 4 leaves room
constexpr double kRated_rad_s = 76.0 / 60 * math::kTwoPi<double>;

struct Running {
  explicit Running(const EngineSpec& spec) : model(make_engine(spec)) { init(model, state); }
  void tick(double chain_torque_N_m = 0) {
    govern(model, kTick_s, state);
    for (int i = 0; i < kSteps; ++i) {
      advance(model, kTick_s / kSteps, chain_torque_N_m, state);
    }
  }
  void run(double time_s) {
    for (long i = std::lround(time_s / kTick_s); i > 0; --i) {
      tick();
    }
  }
  EngineModel model;
  EngineState state;
};

// Of the crank's acceleration, by Fourier's integral over so many turns of the angle.
double amplitude_rad_s2(Running& engine, int order, int turns) {
  Complex sum = 0;
  double turned_rad = 0;
  while (turned_rad < turns * math::kTwoPi<double>) {
    const double moved_rad = engine.state.crank.speed_rad_s * kTick_s;
    engine.tick();
    sum += engine.state.crank.acceleration_rad_s2 * moved_rad *
           std::polar(1.0, order * engine.state.crank.angle_rad);
    turned_rad += moved_rad;
  }
  return 2 * std::abs(sum) / turned_rad;
}

// Both inertias, shaft, propeller and governor, linearised about the set speed.
double expected_rad_s2(const EngineSpec& spec, int order, double amplitude_N_m) {
  const Complex i_w(0, order * spec.set_speed_rad_s);
  const double part = spec.set_speed_rad_s / spec.rated_speed_rad_s;
  const double load_N_m_s = 2 * spec.rated_torque_N_m * part / spec.rated_speed_rad_s;
  const Complex shaft = spec.shaft_damping_N_m_s + spec.shaft_stiffness_N_m_rad / i_w;
  const Complex governor = (spec.governor.per_speed_N_m_s + spec.governor.per_angle_N_m / i_w) /
                           (1.0 + i_w * spec.governor.filter_s);
  const Complex propeller = i_w * spec.propeller_inertia_kg_m2 + load_N_m_s + shaft;
  const Complex speed =
      amplitude_N_m * part * part /
      (i_w * spec.crank_inertia_kg_m2 + shaft + governor - shaft * shaft / propeller);
  return std::abs(i_w * speed);
}

// A tenth of the torque, so that the crank's irregularity (0.08 %) changes little; 0.5 % for it,
// for the governor's sampling and for the ends of the integral.
void test_orders_have_the_amplitude_of_the_closed_form() {
  for (const double speed : {1.0, 0.8, 0.6}) {
    for (const int order : {4, 6, 12, 18}) {
      EngineSpec spec = engine_for(kRated_rad_s);
      spec.set_speed_rad_s = speed * kRated_rad_s;
      spec.orders = {{order, 40e3, 0.7}};
      Running engine(spec);
      engine.run(8);
      const double expected = expected_rad_s2(spec, order, 40e3);
      TEST_ASSERT_DOUBLE_WITHIN(0.005 * expected, expected, amplitude_rad_s2(engine, order, 10));
    }
  }
}

void test_the_default_engine_has_its_orders() {
  Running engine(engine_for(kRated_rad_s));
  engine.run(6);
  TEST_ASSERT_DOUBLE_WITHIN(0.35, 7, amplitude_rad_s2(engine, 6, 8));
  const double second = amplitude_rad_s2(engine, 12, 8);
  const double third = amplitude_rad_s2(engine, 18, 8);
  TEST_ASSERT_TRUE(second > 0.4 && second < 1.5);
  TEST_ASSERT_TRUE(third > 0.1 && third < second);
  for (const int low : {1, 2, 3, 4, 5}) {  // what cylinders differ by
    const double amplitude = amplitude_rad_s2(engine, low, 8);
    TEST_ASSERT_TRUE(amplitude > 0.001 && amplitude < 0.25);
  }
  TEST_ASSERT_DOUBLE_WITHIN(0.01, 0, amplitude_rad_s2(engine, 7, 8));
}

// At the start the shaft holds the mean torque: what is left is the order's, by its phase.
void test_orders_have_their_phase() {
  for (const double phase_rad : {0.0, 0.7, -2.0}) {
    EngineSpec spec = engine_for(kRated_rad_s);
    spec.orders = {{5, 100e3, phase_rad}};
    spec.fade_in_s = 0;
    Running engine(spec);
    govern(engine.model, kTick_s, engine.state);
    advance(engine.model, 1e-9, 0, engine.state);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 100e3 / spec.crank_inertia_kg_m2 * std::sin(phase_rad),
                              engine.state.crank.acceleration_rad_s2);
  }
}

void test_a_factor_scales_the_orders() {
  EngineSpec spec = engine_for(kRated_rad_s);
  spec.order_factor = 0;
  Running still(spec);
  still.run(3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, still.state.crank.acceleration_rad_s2);
  spec.order_factor = 2;
  Running twice(spec);
  twice.run(6);
  TEST_ASSERT_DOUBLE_WITHIN(0.7, 14, amplitude_rad_s2(twice, 6, 8));
}

double mean_speed_rad_s(Running& engine, double time_s) {
  double sum = 0;
  const long ticks = std::lround(time_s / kTick_s);
  for (long i = 0; i < ticks; ++i) {
    engine.tick();
    sum += engine.state.crank.speed_rad_s;
  }
  return sum / static_cast<double>(ticks);
}

void test_the_governor_holds_the_speed() {
  for (const double part : {0.5, 1.0, kMostOverspeed}) {
    EngineSpec spec = engine_for(kRated_rad_s);
    spec.set_speed_rad_s = part * kRated_rad_s;
    Running engine(spec);
    engine.run(6);
    // Orders 1 to 5 do not fill the window with whole periods.
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * spec.set_speed_rad_s, spec.set_speed_rad_s,
                              mean_speed_rad_s(engine, 5));
    // At speed its mean torque is the propeller's.
    TEST_ASSERT_DOUBLE_WITHIN(0.01, part * part,
                              engine.state.mean_torque_N_m / spec.rated_torque_N_m);
  }
}

void test_the_governor_takes_a_load_and_a_new_speed() {
  EngineSpec spec = engine_for(kRated_rad_s);
  spec.order_factor = 0;
  Running engine(spec);
  for (int i = 0; i < 16'000; ++i) {
    engine.tick(0.2 * spec.rated_torque_N_m);  // on the crank
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * kRated_rad_s, kRated_rad_s, engine.state.seen_speed_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, 1.2, engine.state.mean_torque_N_m / spec.rated_torque_N_m);
  engine.state.set_speed_rad_s = 0.8 * kRated_rad_s;
  engine.run(10);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * kRated_rad_s, 0.8 * kRated_rad_s, mean_speed_rad_s(engine, 2));
}

void test_it_runs_up_from_rest_within_its_limits() {
  EngineSpec spec = engine_for(kRated_rad_s);
  spec.run_up_s = 5;
  Running engine(spec);
  TEST_ASSERT_TRUE(engine.state.crank.speed_rad_s == 0);
  double highest_rad_s = 0;
  for (int i = 0; i < 20'000; ++i) {
    engine.tick();
    TEST_ASSERT_TRUE(engine.state.mean_torque_N_m >= 0);
    TEST_ASSERT_TRUE(engine.state.mean_torque_N_m <= spec.governor.highest_N_m);
    TEST_ASSERT_TRUE(engine.state.crank.speed_rad_s >= 0);
    highest_rad_s = std::max(highest_rad_s, engine.state.seen_speed_rad_s);
  }
  TEST_ASSERT_TRUE(highest_rad_s < 1.1 * kRated_rad_s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * kRated_rad_s, kRated_rad_s, mean_speed_rad_s(engine, 2));

  spec.governor.highest_N_m = 0.25 * spec.rated_torque_N_m;  // enough for half the speed
  Running weak(spec);
  weak.run(30);
  TEST_ASSERT_DOUBLE_WITHIN(0.01 * kRated_rad_s, 0.5 * kRated_rad_s, mean_speed_rad_s(weak, 2));
  // Half a minute at its limit has left nothing in the integral that would hold a lower speed up.
  weak.state.set_speed_rad_s = 0.4 * kRated_rad_s;
  weak.run(8);
  TEST_ASSERT_DOUBLE_WITHIN(0.01 * kRated_rad_s, 0.4 * kRated_rad_s, mean_speed_rad_s(weak, 2));
}

// Torque in, load and shaft's damping out: what is left is in the inertias and the spring.
void test_energy_is_accounted_for() {
  EngineSpec spec = engine_for(kRated_rad_s);
  spec.governor.per_speed_N_m_s = 0;  // constant mean torque
  spec.governor.per_angle_N_m = 0;
  spec.orders = {{3, 500e3, 0}};
  spec.fade_in_s = 0;
  Running engine(spec);
  const auto energy_J = [&] {
    const EngineState& at = engine.state;
    return (spec.crank_inertia_kg_m2 * std::pow(at.crank.speed_rad_s, 2) +
            spec.propeller_inertia_kg_m2 * std::pow(at.propeller_rad_s, 2) +
            spec.shaft_stiffness_N_m_rad * std::pow(at.twist_rad, 2)) /
           2;
  };
  const double begin_J = energy_J();
  govern(engine.model, kTick_s, engine.state);
  double work_J = 0;
  double largest_J = 0;
  constexpr double kStep_s = 20e-6;
  const auto power_W = [&] {
    const EngineState& at = engine.state;
    const double twisting_rad_s = at.crank.speed_rad_s - at.propeller_rad_s;
    const double gas_N_m = spec.rated_torque_N_m + 500e3 * std::sin(3 * at.crank.angle_rad);
    const double load_N_m = spec.rated_torque_N_m * std::pow(at.propeller_rad_s / kRated_rad_s, 2);
    return gas_N_m * at.crank.speed_rad_s - load_N_m * at.propeller_rad_s -
           spec.shaft_damping_N_m_s * twisting_rad_s * twisting_rad_s;
  };
  for (int i = 0; i < 50'000; ++i) {
    const double before_W = power_W();
    advance(engine.model, kStep_s, 0, engine.state);
    work_J += kStep_s * (before_W + power_W()) / 2;
    largest_J = std::max(largest_J, std::abs(work_J));
  }
  TEST_ASSERT_TRUE(largest_J > 1e4);
  // The trapezoidal rule's error: h^2/12 per unit time of the power's second derivative.
  TEST_ASSERT_DOUBLE_WITHIN(1e-5 * largest_J, work_J, energy_J() - begin_J);
}

void test_another_rated_speed_is_as_irregular() {
  Running slow(engine_for(kRated_rad_s));
  Running fast(engine_for(4 * kRated_rad_s));
  slow.run(8);
  fast.run(8);
  TEST_ASSERT_DOUBLE_WITHIN(0.02, 16, amplitude_rad_s2(fast, 6, 8) / amplitude_rad_s2(slow, 6, 8));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_orders_have_the_amplitude_of_the_closed_form);
  RUN_TEST(test_the_default_engine_has_its_orders);
  RUN_TEST(test_orders_have_their_phase);
  RUN_TEST(test_a_factor_scales_the_orders);
  RUN_TEST(test_the_governor_holds_the_speed);
  RUN_TEST(test_the_governor_takes_a_load_and_a_new_speed);
  RUN_TEST(test_it_runs_up_from_rest_within_its_limits);
  RUN_TEST(test_energy_is_accounted_for);
  RUN_TEST(test_another_rated_speed_is_as_irregular);
  return UNITY_END();
}
