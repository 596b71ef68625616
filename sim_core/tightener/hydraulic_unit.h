// A hydraulic unit: a piston on an oil chamber that a check valve fills from the supply and a gap
// empties, with a stop at each end of its travel. It acts beside the spring-damper of the arm,
// which is its preload (the extension that Pedersen 6.1 names). Pressures are above the
// atmosphere.
//
// State is the oil in the chamber, not its pressure: the pressure follows from oil and travel
// and acts as a spring of stiffness E A^2 / V, whatever the step. The flows are integrated
// implicitly and are stable at any step. At constant load F the piston sinks by F / (R A^2) a
// second; held still, its pressure falls as exp(-t E / (V R)).
// Not for pressure waves in the supply, nor for oil that heats up.
#pragma once

#include <cstdint>

#include "sim_core/math/sqrt.h"

namespace taut::tightener {

enum class Acts : std::uint8_t { kPull, kPush };

struct HydraulicSpec {
  Acts acts = Acts::kPull;
  double piston_area_m2 = 0;
  double chamber_volume_m3 = 0;  // as drawn
  double bulk_modulus_Pa = 0;    // of oil with its air
  double oil_density_kg_m3 = 870;
  double supply_pressure_Pa = 0;
  double valve_cracking_Pa = 0;
  double valve_opening_Pa = 0;
  double valve_area_m2 = 0;  // discharge coefficient included
  double leak_resistance_Pa_s_m3 = 0;
  double travel_in_m = 0;  // both from as drawn
  double travel_out_m = 0;
  double stop_stiffness_N_m = 0;
  double stop_damping_s_m = 0;
};

// Travel counts from as drawn and is positive outwards: the way the unit acts.
template <typename Real>
struct HydraulicUnit {
  Real sense;  // travel per length of the unit: 1 if it pushes, -1 if it pulls
  Real drawn_length_m;
  Real area_m2;
  Real pressure_per_volume_Pa_m3;  // E / V
  Real torn_m3;                    // surplus of oil at which it begins to tear
  Real rest_pressure_Pa;           // where the valve gives what the gap leaks
  Real supply_pressure_Pa;
  Real valve_opens_Pa;          // chamber's pressure below which it does
  Real valve_opening_Pa;        // flow is linear well below, goes with the root well above
  Real valve_m3_s_per_sqrt_Pa;  // area sqrt(2 / density)
  Real leak_m3_s_Pa;            // 1 / R
  Real travel_in_m;
  Real travel_out_m;
  Real stop_stiffness_N_m;
  Real stop_damping_s_m;
  // of a step
  Real step_s;
  Real leak_divisor;          // 1 + h E / (V R)
  Real leak_factor;           // its inverse
  Real valve_Pa_per_sqrt_Pa;  // pressure that the open valve makes up for in a step
};

template <typename Real>
struct HydraulicState {
  Real oil_m3;  // more than fills the chamber as drawn at the pressure of rest
};

template <typename Real>
inline constexpr Real kVacuum_Pa = Real(-101325);  // oil bears no less: it tears

// Pressures between chamber and supply at a fixed step, and at rest, follow from
//   slope d + flow d / sqrt(d + opening) = right, all positive:
// rising and concave, so that Newton's steps from a lower bound end below the root.
template <typename Real>
[[nodiscard]] Real excess_Pa(Real slope, Real flow, Real opening_Pa, Real right) {
  constexpr int kNewtonSteps = 4;  // 1e-12 of the root from the bounds below
  const Real root = Real(2) * right / (flow + math::sqrt(flow * flow + Real(4) * slope * right));
  const Real by_root_Pa = root * root;
  const Real by_line_Pa = right / (slope + flow / math::sqrt(opening_Pa));
  Real d_Pa = by_root_Pa > by_line_Pa ? by_root_Pa : by_line_Pa;
  for (int i = 0; i < kNewtonSteps; ++i) {
    const Real inverse = Real(1) / (d_Pa + opening_Pa);
    const Real by_sqrt = flow * math::sqrt(inverse);
    const Real missing = right - d_Pa * (slope + by_sqrt);
    const Real rise = slope + by_sqrt * (Real(1) - Real(0.5) * d_Pa * inverse);
    d_Pa += missing / rise;
  }
  return d_Pa;
}

template <typename Real>
[[nodiscard]] Real travel_m(const HydraulicUnit<Real>& unit, Real length_m) {
  return unit.sense * (length_m - unit.drawn_length_m);
}

template <typename Real>
[[nodiscard]] Real surplus_m3(const HydraulicUnit<Real>& unit, const HydraulicState<Real>& state,
                              Real travel_m) {
  return state.oil_m3 - unit.area_m2 * travel_m;
}

// Torn oil has its voids: the state keeps their volume, and they must be filled again first.
template <typename Real>
[[nodiscard]] Real pressure_Pa(const HydraulicUnit<Real>& unit, const HydraulicState<Real>& state,
                               Real travel_m) {
  const Real whole_Pa =
      unit.rest_pressure_Pa + unit.pressure_per_volume_Pa_m3 * surplus_m3(unit, state, travel_m);
  constexpr Real kLeast_Pa = kVacuum_Pa<Real>;
  return whole_Pa > kLeast_Pa ? whole_Pa : kLeast_Pa;
}

// Into the chamber. The valve lifts in proportion to what is missing, up to its full area.
template <typename Real>
[[nodiscard]] Real valve_flow_m3_s(const HydraulicUnit<Real>& unit, Real pressure_Pa) {
  const Real missing_Pa = unit.valve_opens_Pa - pressure_Pa;
  const Real d_Pa = missing_Pa > 0 ? missing_Pa : Real(0);
  return unit.valve_m3_s_per_sqrt_Pa * d_Pa / math::sqrt(d_Pa + unit.valve_opening_Pa);
}

// Out of the chamber, into the oil around the unit.
template <typename Real>
[[nodiscard]] Real leak_flow_m3_s(const HydraulicUnit<Real>& unit, Real pressure_Pa) {
  return unit.leak_m3_s_Pa * pressure_Pa;
}

// Beyond which stop, and how far: positive beyond the outer one.
template <typename Real>
[[nodiscard]] Real beyond_stops_m(const HydraulicUnit<Real>& unit, Real travel_m) {
  const Real out_m = travel_m - unit.travel_out_m;
  const Real in_m = travel_m + unit.travel_in_m;
  return out_m > 0 ? out_m : (in_m < 0 ? in_m : Real(0));
}

// What the unit pushes outwards with, where nothing moves.
template <typename Real>
[[nodiscard]] Real push_N(const HydraulicUnit<Real>& unit, const HydraulicState<Real>& state,
                          Real travel_m) {
  return unit.area_m2 * pressure_Pa(unit, state, travel_m) -
         unit.stop_stiffness_N_m * beyond_stops_m(unit, travel_m);
}

// What stops in motion add to that: a part of their force, so that nothing jumps at a touch
// (Hunt and Crossley); never so much that they would hold the piston back.
template <typename Real>
[[nodiscard]] Real stop_damping_N(const HydraulicUnit<Real>& unit, Real travel_m, Real speed_m_s) {
  const Real beyond_m = beyond_stops_m(unit, travel_m);
  const Real into_m_s = beyond_m > 0 ? speed_m_s : -speed_m_s;
  const Real part = unit.stop_damping_s_m * into_m_s;
  return -(unit.stop_stiffness_N_m * beyond_m) * (part > Real(-1) ? part : Real(-1));
}

// Energy stored in oil, voids and stops, its oil held: minus its slope is push_N().
template <typename Real>
[[nodiscard]] Real energy_J(const HydraulicUnit<Real>& unit, const HydraulicState<Real>& state,
                            Real travel_m) {
  const Real surplus = surplus_m3(unit, state, travel_m);
  const Real pressed_m3 = surplus > unit.torn_m3 ? surplus : unit.torn_m3;
  const Real beyond_m = beyond_stops_m(unit, travel_m);
  return pressed_m3 *
             (unit.rest_pressure_Pa + Real(0.5) * unit.pressure_per_volume_Pa_m3 * pressed_m3) +
         kVacuum_Pa<Real> * (surplus - pressed_m3) +
         Real(0.5) * unit.stop_stiffness_N_m * beyond_m * beyond_m;
}

template <typename Real>
[[nodiscard]] Real stiffness_N_m(const HydraulicUnit<Real>& unit, const HydraulicState<Real>& state,
                                 Real travel_m) {
  const bool whole = surplus_m3(unit, state, travel_m) > unit.torn_m3;
  const Real oil_N_m = unit.area_m2 * unit.area_m2 * unit.pressure_per_volume_Pa_m3;
  const bool stopped = beyond_stops_m(unit, travel_m) != Real(0);
  return (whole ? oil_N_m : Real(0)) + (stopped ? unit.stop_stiffness_N_m : Real(0));
}

// The oil that flows in a step at whose end the piston is at travel_m (implicit Euler).
template <typename Real>
void step(const HydraulicUnit<Real>& unit, Real travel_m, HydraulicState<Real>& state) {
  const Real before_Pa =
      unit.rest_pressure_Pa + unit.pressure_per_volume_Pa_m3 * surplus_m3(unit, state, travel_m);
  Real after_Pa = before_Pa * unit.leak_factor;
  if (after_Pa < unit.valve_opens_Pa) {
    after_Pa = unit.valve_opens_Pa - excess_Pa(unit.leak_divisor, unit.valve_Pa_per_sqrt_Pa,
                                               unit.valve_opening_Pa,
                                               unit.leak_divisor * unit.valve_opens_Pa - before_Pa);
  }
  constexpr Real kLeast_Pa = kVacuum_Pa<Real>;
  after_Pa = after_Pa > kLeast_Pa ? after_Pa : kLeast_Pa;
  state.oil_m3 += unit.step_s * (valve_flow_m3_s(unit, after_Pa) - leak_flow_m3_s(unit, after_Pa));
}

// So much oil that the chamber has the pressure of rest.
template <typename Real>
void fill(const HydraulicUnit<Real>& unit, Real travel_m, HydraulicState<Real>& state) {
  state.oil_m3 = unit.area_m2 * travel_m;
}

// As it is when all flows have had their time: at the pressure of rest wherever the piston is.
template <typename Real>
[[nodiscard]] HydraulicUnit<Real> with_time_to_flow(const HydraulicUnit<Real>& unit) {
  HydraulicUnit<Real> slow = unit;
  slow.pressure_per_volume_Pa_m3 = 0;
  slow.torn_m3 = Real(-1e9);  // never
  return slow;
}

[[nodiscard]] inline double rest_pressure_Pa(const HydraulicSpec& spec, double valve_m3_s) {
  const double opens_Pa = spec.supply_pressure_Pa - spec.valve_cracking_Pa;
  const double leak_m3_s_Pa = 1 / spec.leak_resistance_Pa_s_m3;
  return opens_Pa > 0 ? opens_Pa - excess_Pa(leak_m3_s_Pa, valve_m3_s, spec.valve_opening_Pa,
                                             leak_m3_s_Pa * opens_Pa)
                      : 0;
}

// drawn_length_m: between the unit's two ends.
template <typename Real>
[[nodiscard]] HydraulicUnit<Real> make_hydraulic_unit(const HydraulicSpec& spec,
                                                      double drawn_length_m, double step_s) {
  const double valve_m3_s = spec.valve_area_m2 * math::sqrt(2 / spec.oil_density_kg_m3);
  const double rest_Pa = rest_pressure_Pa(spec, valve_m3_s);
  const double per_volume_Pa_m3 = spec.bulk_modulus_Pa / spec.chamber_volume_m3;
  const double leak_divisor = 1 + step_s * per_volume_Pa_m3 / spec.leak_resistance_Pa_s_m3;
  return {.sense = static_cast<Real>(spec.acts == Acts::kPush ? 1 : -1),
          .drawn_length_m = static_cast<Real>(drawn_length_m),
          .area_m2 = static_cast<Real>(spec.piston_area_m2),
          .pressure_per_volume_Pa_m3 = static_cast<Real>(per_volume_Pa_m3),
          .torn_m3 = static_cast<Real>((kVacuum_Pa<double> - rest_Pa) / per_volume_Pa_m3),
          .rest_pressure_Pa = static_cast<Real>(rest_Pa),
          .supply_pressure_Pa = static_cast<Real>(spec.supply_pressure_Pa),
          .valve_opens_Pa = static_cast<Real>(spec.supply_pressure_Pa - spec.valve_cracking_Pa),
          .valve_opening_Pa = static_cast<Real>(spec.valve_opening_Pa),
          .valve_m3_s_per_sqrt_Pa = static_cast<Real>(valve_m3_s),
          .leak_m3_s_Pa = static_cast<Real>(1 / spec.leak_resistance_Pa_s_m3),
          .travel_in_m = static_cast<Real>(spec.travel_in_m),
          .travel_out_m = static_cast<Real>(spec.travel_out_m),
          .stop_stiffness_N_m = static_cast<Real>(spec.stop_stiffness_N_m),
          .stop_damping_s_m = static_cast<Real>(spec.stop_damping_s_m),
          .step_s = static_cast<Real>(step_s),
          .leak_divisor = static_cast<Real>(leak_divisor),
          .leak_factor = static_cast<Real>(1 / leak_divisor),
          .valve_Pa_per_sqrt_Pa = static_cast<Real>(step_s * per_volume_Pa_m3 * valve_m3_s)};
}

}  // namespace taut::tightener
