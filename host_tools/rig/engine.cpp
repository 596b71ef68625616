#include "host_tools/rig/engine.h"

#include <algorithm>

#include "sim_core/assert.h"
#include "sim_core/math/constants.h"
#include "sim_core/math/sin_cos.h"

namespace taut::rig {
namespace {

// 4890 kW a cylinder at 76 rpm: the maker's rating of the 6S90MC-C.
constexpr double kRatedSpeed_rad_s = 76.0 / 60 * math::kTwoPi<double>;
constexpr double kRatedTorque_N_m = 6 * 4890e3 / kRatedSpeed_rad_s;

struct Moving {
  double angle_rad;
  double speed_rad_s;
  double twist_rad;
  double propeller_rad_s;
};

Moving later(const Moving& from, const Moving& rate, double time_s) {
  return {from.angle_rad + time_s * rate.angle_rad, from.speed_rad_s + time_s * rate.speed_rad_s,
          from.twist_rad + time_s * rate.twist_rad,
          from.propeller_rad_s + time_s * rate.propeller_rad_s};
}

// From 0 to 1 without a jump of its slope at either end.
double smooth(double u) {
  const double within = std::clamp(u, 0.0, 1.0);
  return within * within * (3 - 2 * within);
}

// sin and cos of k phi by turning on: one evaluation for all orders.
double orders_at(const EngineModel& model, double angle_rad) {
  const auto one = math::sincos(angle_rad);
  double sin_k = 0;
  double cos_k = 1;
  double sum = 0;
  for (std::size_t k = 1; k <= model.orders; ++k) {
    const double next_cos = cos_k * one.cos - sin_k * one.sin;
    sin_k = sin_k * one.cos + cos_k * one.sin;
    cos_k = next_cos;
    sum += model.sine[k] * sin_k + model.cosine[k] * cos_k;
  }
  return sum;
}

double load_N_m(const EngineSpec& spec, double speed_rad_s) {
  const double part = speed_rad_s / spec.rated_speed_rad_s;
  return spec.rated_torque_N_m * part * (part < 0 ? -part : part);
}

Moving rate_of(const EngineModel& model, const EngineState& state, const Moving& at,
               double chain_torque_N_m) {
  const EngineSpec& spec = model.spec;
  const double gas_N_m = state.mean_torque_N_m * (1 + state.fade * orders_at(model, at.angle_rad));
  const double turning_rad_s = at.speed_rad_s - at.propeller_rad_s;
  const double shaft_N_m =
      spec.shaft_stiffness_N_m_rad * at.twist_rad + spec.shaft_damping_N_m_s * turning_rad_s;
  return {at.speed_rad_s, (gas_N_m - shaft_N_m - chain_torque_N_m) / spec.crank_inertia_kg_m2,
          turning_rad_s,
          (shaft_N_m - load_N_m(spec, at.propeller_rad_s)) / spec.propeller_inertia_kg_m2};
}

Moving moving(const EngineState& state) {
  return {state.crank.angle_rad, state.crank.speed_rad_s, state.twist_rad, state.propeller_rad_s};
}

}  // namespace

// Inertias: 7.5 t of half the reciprocating and 5 t of rotating mass at 1.594 m and the webs make
// some 40 t m^2 a cylinder; a propeller of 60 t and 9 m with a quarter of its inertia in water
// has 260 t m^2. The shaft is 20 m of 0.8 m steel; 2 % of critical damping. Crank and propeller
// then swing against each other at 5.7 Hz, which order 6 meets at 57 rpm: such engines have a
// barred range there. Order 6 is chosen by what the crank shows: 7 rad/s^2 reproduce Pedersen's
// published forces, and 1.05 MN m make them at 76 rpm. With a third less the chain of 6S90MC-C,
// which is near its resonance there, holds against the crank and leaves 3 of 5 rad/s^2; then its
// response is not told by the crank alone. Harmonics of gas pressure in handbooks, some 2.6 bar
// of tangential pressure, make 1.5 MN m. Orders 12 and 18 fall off as those of gas pressures do;
// the lower ones are what cylinders differ by, 1 or 2 % of order 6.
EngineSpec engine_for(double rated_speed_rad_s) {
  const double speed = rated_speed_rad_s / kRatedSpeed_rad_s;
  const double torque = speed * speed;
  EngineSpec spec;
  spec.rated_speed_rad_s = rated_speed_rad_s;
  spec.rated_torque_N_m = torque * kRatedTorque_N_m;
  spec.crank_inertia_kg_m2 = 250e3;
  spec.propeller_inertia_kg_m2 = 260e3;
  spec.shaft_stiffness_N_m_rad = torque * 165e6;
  spec.shaft_damping_N_m_s = speed * 183e3;
  // Settles in some 3 s without overshoot at the engine's own time scale. A bench has torque to
  // spare for kMostOverspeed.
  spec.governor = {.per_speed_N_m_s = speed * 0.75e6,
                   .per_angle_N_m = torque * 1.5e6,
                   .filter_s = 0.1 / speed,
                   .lowest_N_m = 0,
                   .highest_N_m = 1.5 * spec.rated_torque_N_m};
  spec.orders = {{1, torque * 21e3, 0.3}, {2, torque * 17e3, 1.1}, {3, torque * 11e3, -0.8},
                 {4, torque * 10e3, 2.0}, {5, torque * 10e3, 0.5}, {6, torque * 1050e3, 0},
                 {12, torque * 250e3, 0}, {18, torque * 84e3, 0}};
  spec.set_speed_rad_s = rated_speed_rad_s;
  return spec;
}

EngineModel make_engine(const EngineSpec& spec) {
  TAUT_ASSERT(spec.rated_speed_rad_s > 0, spec.rated_speed_rad_s);
  TAUT_ASSERT(spec.rated_torque_N_m > 0, spec.rated_torque_N_m);
  TAUT_ASSERT(spec.crank_inertia_kg_m2 > 0, spec.crank_inertia_kg_m2);
  TAUT_ASSERT(spec.propeller_inertia_kg_m2 > 0, spec.propeller_inertia_kg_m2);
  TAUT_ASSERT(spec.shaft_stiffness_N_m_rad > 0, spec.shaft_stiffness_N_m_rad);
  EngineModel model;
  model.spec = spec;
  for (const TorqueOrder& order : spec.orders) {
    TAUT_ASSERT(order.order >= 1 && order.order <= kMaxOrder, order.order);
    const auto k = static_cast<std::size_t>(order.order);
    const double part = spec.order_factor * order.amplitude_N_m / spec.rated_torque_N_m;
    const auto phase = math::sincos(order.phase_rad);
    model.orders = std::max(model.orders, k);
    model.sine[k] += part * phase.cos;
    model.cosine[k] += part * phase.sin;
  }
  return model;
}

void init(const EngineModel& model, EngineState& state) {
  const EngineSpec& spec = model.spec;
  const double speed_rad_s = spec.run_up_s > 0 ? 0 : spec.set_speed_rad_s;
  state = {};
  state.set_speed_rad_s = spec.set_speed_rad_s;
  state.crank.speed_rad_s = speed_rad_s;
  state.propeller_rad_s = speed_rad_s;
  state.seen_speed_rad_s = speed_rad_s;
  state.integral_N_m = load_N_m(spec, speed_rad_s);
  state.mean_torque_N_m = state.integral_N_m;
  state.twist_rad = state.integral_N_m / spec.shaft_stiffness_N_m_rad;
}

void govern(const EngineModel& model, double tick_s, EngineState& state) {
  const GovernorSpec& governor = model.spec.governor;
  const double run_up_s = model.spec.run_up_s;
  const double fade_in_s = model.spec.fade_in_s;
  const double run_up = run_up_s > 0 ? smooth(state.time_s / run_up_s) : 1;
  state.fade = fade_in_s > 0 ? smooth(state.time_s / fade_in_s) : 1;
  state.seen_speed_rad_s +=
      tick_s / (governor.filter_s + tick_s) * (state.crank.speed_rad_s - state.seen_speed_rad_s);
  const double missing_rad_s = run_up * state.set_speed_rad_s - state.seen_speed_rad_s;
  const double more_N_m = tick_s * governor.per_angle_N_m * missing_rad_s;
  const double wanted_N_m =
      governor.per_speed_N_m_s * missing_rad_s + state.integral_N_m + more_N_m;
  const bool within = wanted_N_m > governor.lowest_N_m && wanted_N_m < governor.highest_N_m;
  state.integral_N_m += within ? more_N_m : 0;  // at a limit it waits
  state.mean_torque_N_m = std::clamp(wanted_N_m, governor.lowest_N_m, governor.highest_N_m);
}

void advance(const EngineModel& model, double step_s, double chain_torque_N_m, EngineState& state) {
  const Moving from = moving(state);
  const auto rate = [&](const Moving& at) { return rate_of(model, state, at, chain_torque_N_m); };
  const Moving k1 = rate(from);
  const Moving k2 = rate(later(from, k1, step_s / 2));
  const Moving k3 = rate(later(from, k2, step_s / 2));
  const Moving k4 = rate(later(from, k3, step_s));
  Moving to = later(from, k1, step_s / 6);
  to = later(to, k2, step_s / 3);
  to = later(to, k3, step_s / 3);
  to = later(to, k4, step_s / 6);
  to.angle_rad -= to.angle_rad >= math::kTwoPi<double> ? math::kTwoPi<double> : 0;
  to.angle_rad += to.angle_rad < 0 ? math::kTwoPi<double> : 0;
  state.crank = {to.angle_rad, to.speed_rad_s, rate(to).speed_rad_s};
  state.twist_rad = to.twist_rad;
  state.propeller_rad_s = to.propeller_rad_s;
  state.time_s += step_s;
}

}  // namespace taut::rig
