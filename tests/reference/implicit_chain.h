// The full model's rollers in long steps: forces of roller_chain, integrated by the
// generalised-alpha method (Chung and Hulbert, J. Appl. Mech. 60, 1993) with one Newton step, that
// is linearly implicitly. In float. A candidate for a microcontroller that reduced_chain is
// compared with; not part of the product. No hydraulic unit, no supports that yield, no
// counterweights.
#pragma once

#include "sim_core/roller_chain/step.h"
#include "tests/reference/cyclic_system.h"

namespace taut::implicit_chain {

using roller_chain::PerLink;

struct Method {
  double step_s = 0.5e-3;
  // Of what is much faster than a step: 1 keeps it, 0 ends it in one. What is slow is damped by the
  // third power of frequency times step only. By measurement: from 0.8 on resonances are too high.
  double radius_at_infinity = 0.5;
};

struct Constants {
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

struct Model {
  roller_chain::RollerModel<Real> chain;
  Constants constants;
};

struct State {
  roller_chain::RollerState<Real> chain;
  Unknowns acceleration;       // as the method carries it
  Unknowns true_acceleration;  // by the forces
};

struct Scratch {
  roller_chain::RollerScratch<Real> chain;  // link tensions are those at the step's end
  PerLink<Symmetric> tooth;                 // what the force of a roller's tooth changes by
  CyclicSystem system;                      // of the rollers
  Unknowns expected;  // true acceleration at the step's end, were the other one to stay
  Unknowns change;    // of acceleration
};

// False for a drive with parts that are left out here.
[[nodiscard]] bool make_model(const drive::DriveModel& drive, const Method& method, Model& model);

// From rest, as roller_chain::init().
void init(const Model& model, const roller_chain::Configuration<double>& rest, Real crank_rad_s,
          State& state, Scratch& scratch);

// `crank` is the crankshaft's motion at the end of the step.
void step(const Model& model, const crank::Motion<Real>& crank, State& state, Scratch& scratch);

}  // namespace taut::implicit_chain
