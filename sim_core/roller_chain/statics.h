// A drive at rest: the configuration of least potential energy, crankshaft held, found by
// damped Newton steps (Levenberg's diagonal, energy never rises). A hydraulic unit rests at the
// pressure where its valve gives what its gap leaks. Host only.
#pragma once

#include "sim_core/drive/drive_model.h"
#include "sim_core/roller_chain/roller_model.h"
#include "sim_core/roller_chain/roller_state.h"

namespace taut::roller_chain {

// All forces with everything at rest: minus the slope of potential_J().
[[nodiscard]] Forces<double> forces_at_rest(const RollerModel<double>& model,
                                            const Configuration<double>& at);

struct StaticsOptions {
  double tooth_phase = 0;  // of the rollers' first placement, in pitches
  int most_steps = 300;
};

struct Equilibrium {
  bool found;
  int steps;
  double residual_N;  // largest unbalanced force on a roller, or torque / pitch radius
  RollerModel<double> model;
  Configuration<double> at;
};

// Rests when no roller is off balance by more than 1e-9 of the largest link force, or
// where round-off of the link springs allows no better.
[[nodiscard]] Equilibrium find_equilibrium(const drive::DriveModel& drive,
                                           const StaticsOptions& options = {});

struct StaticsReport {
  double link_force_N[drive::kMaxLinks];
  double strand_mean_N[drive::kMaxSprockets];  // over the links that lie free in a strand
  int strand_links[drive::kMaxSprockets];
  double seat_force_N[drive::kMaxLinks];  // of each roller on its tooth, 0 if free
  double largest_seat_force_N;
  int seated[drive::kMaxSprockets];  // rollers with a tooth force
  double centre_x_m, centre_y_m;     // of the tightener's sprocket
  double arm_angle_rad;
};
[[nodiscard]] StaticsReport report(const drive::DriveModel& drive, const Equilibrium& rest);

}  // namespace taut::roller_chain
