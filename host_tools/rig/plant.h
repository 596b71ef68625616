// The drive of the bench: the full roller chain in its own steps, started from its own rest. Its
// constants may be made anew while it runs, for damage: the state stays, since neither the
// number of links, sprockets and guide-bars nor the seats of rollers change. A step that makes
// links longer or softer is then as sudden as the damage is.
#pragma once

#include <cstdint>
#include <memory>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/signal/chain_outputs.h"
#include "sim_core/twin/chains.h"

namespace taut::rig {

// Not the twin's step: contact forces need it shorter (20 us), and it must not be the same model.
inline constexpr double kPlantStep_s = 20e-6;

class Plant {
 public:
  // Throws a RigError where the drive is wrong or has no rest.
  Plant(const drive::DriveSpec& spec, double crank_rad_s);

  [[nodiscard]] double step_s() const;
  [[nodiscard]] std::uint32_t steps_a_tick() const { return steps_a_tick_; }

  // `crank` at the end of the step.
  void step(const crank::Motion<double>& crank);

  // Goes on with other parameters. The same counts of everything, or it asserts.
  void replace(const drive::DriveSpec& spec);

  // Throws a RigError where the chain has flown apart.
  void check(double time_s) const;

  void predict(const signal::Tags& tags, signal::ChainOutputs& outputs) const;
  [[nodiscard]] double torque_on_crank_N_m() const;  // that the chain takes, against its turning
  [[nodiscard]] double arm_rad_s2() const;           // 0 where there is no arm that moves
  [[nodiscard]] double axle_radius_m() const;        // of the tightener's sprocket about the hinge
  [[nodiscard]] const drive::DriveSpec& spec() const { return spec_; }
  [[nodiscard]] std::uint64_t hash() const;

 private:
  using Chain = twin::RollerChain<double, float>;
  struct Machine {
    Chain::Model model;
    Chain::State state;
    Chain::Scratch scratch;
  };

  drive::DriveSpec spec_;
  std::uint32_t steps_a_tick_;
  std::unique_ptr<Machine> machine_;
};

}  // namespace taut::rig
