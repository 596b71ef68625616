// The full model's rollers and teeth in steps of a whole tick: forces of roller_chain, integrated
// by the generalised-alpha method (Chung and Hulbert, J. Appl. Mech. 60, 1993) with one Newton
// step, that is linearly implicitly. In float. Not for hydraulic units, supports that yield and
// counterweights, which make_implicit_model() refuses.
#pragma once

#include <cstdint>

#include "sim_core/implicit_chain/cyclic_system.h"
#include "sim_core/roller_chain/step.h"
#include "sim_core/signal/sensor_frame.h"

namespace taut::implicit_chain {

using roller_chain::PerLink;

struct MethodSpec {
  double step_s = signal::kTick_s;
  // Of what is much faster than a step: 1 keeps it, 0 ends it in one. What is slow is damped by the
  // third power of frequency times step only. By measurement: from 0.8 on resonances are too high.
  double radius_at_infinity = 0.5;
};

struct Method {
  Real step_s;
  Real half_step_s2;  // h^2/2
  Real place_s2;      // beta h^2: a place at the step's end by a change of acceleration there
  Real rate_s;        // gamma h
  // True acceleration at the step's end by that change, by the acceleration at its begin and by the
  // true one there.
  Real of_change, of_begin, of_true;
};

// Wheels: driven sprockets, then the arm.
inline constexpr std::size_t kMaxWheels = drive::kMaxSprockets;
struct Unknowns {
  PerLink<Pair> roller;
  etl::array<Real, kMaxWheels> wheel;
};

struct ImplicitModel {
  roller_chain::RollerModel<Real> chain;
  roller_chain::Configuration<double> rest;  // where it starts, normally that of statics
  Method method;
};

struct ImplicitState {
  roller_chain::RollerState<Real> chain;
  Unknowns acceleration;       // as the method carries it
  Unknowns true_acceleration;  // by the forces
};

struct ImplicitScratch {
  roller_chain::RollerScratch<Real> chain;  // link tensions are those at the step's end
  PerLink<Symmetric> tooth;                 // what the force of a roller's tooth changes by
  CyclicSystem system;                      // of the rollers
  Unknowns expected;  // true acceleration at the step's end, were the other one to stay
  Unknowns change;    // of acceleration
};

// Set-up, once. A text that says which part of the drive is left out here; null: none, and the
// model is made.
[[nodiscard]] const char* make_implicit_model(const drive::DriveModel& drive,
                                              const roller_chain::Configuration<double>& rest,
                                              const MethodSpec& method, ImplicitModel& model);

// At rest or at a speed, as roller_chain::init().
void init(const ImplicitModel& model, Real crank_rad_s, ImplicitState& state,
          ImplicitScratch& scratch);

// `crank` is the crankshaft's motion at the end of the step.
void step(const ImplicitModel& model, const crank::Motion<Real>& crank, ImplicitState& state,
          ImplicitScratch& scratch);

[[nodiscard]] std::uint64_t hash_of(const ImplicitModel& model, const ImplicitState& state);

}  // namespace taut::implicit_chain
