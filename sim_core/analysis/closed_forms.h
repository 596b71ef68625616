// Formulas an engineer checks a chain drive with, and the simulation is checked against:
// strings, tooth frequency, wrapped links, sprockets on springs (Pedersen 4.4).
// Host only. Not the truth about torsion: see modes.h.
#pragma once

#include <vector>

#include "sim_core/drive/drive_model.h"

namespace taut::analysis {

// A strand as a string that may travel along itself.
struct StringSpec {
  double length_m;
  double tension_at_rest_N;
  double mass_per_length_kg_m;
  // Part of m_l V^2 that adds to the tension at speed V: 0 with fixed centres, 1 with
  // centres free to yield (eta of Pedersen 4.31).
  double centrifugal_share;
};

// Pedersen 4.24 at rest, 4.27 to 4.31 moving: mode n has n (c0^2 - V^2) / (2 l c0).
[[nodiscard]] double string_frequency_Hz(const StringSpec& string, int mode, double speed_m_s);

[[nodiscard]] double tooth_frequency_Hz(double speed_m_s, double pitch_m);

[[nodiscard]] double chain_speed_m_s(const drive::DriveModel& drive, double speed_rpm);

// Crank speed at which `order` excitations a turn meet `multiple` times the first string
// frequency: 1 for forced, 2 for parametric resonance (Pedersen 4.33, 4.4.4). With the
// teeth of sprocket 1 as order: tooth frequency.
[[nodiscard]] double resonance_speed_rpm(const drive::DriveModel& drive, const StringSpec& string,
                                         double order, double multiple);

// Binder: forces on `rollers` seated links between strands of tension tight and slack
// (Pedersen 4.37 to 4.42; centrifugal tension not divided by g, it makes no contact).
struct WrapForces {
  std::vector<double> link_N;     // link i between seated rollers i and i + 1
  std::vector<double> contact_N;  // roller i on its tooth: upper bound, the parts' scalar sum
};
[[nodiscard]] double pressure_angle_rad(int teeth);  // 35 deg - 120 deg / teeth
[[nodiscard]] double binder_ratio(int teeth);        // g, link force to the next
[[nodiscard]] WrapForces binder_wrap(int teeth, int rollers, double tight_N, double slack_N,
                                     double centrifugal_N);

// Free rollers of a strand, as Pedersen counts them: those between the two tangent points.
[[nodiscard]] int free_rollers(const drive::DriveModel& drive, std::size_t strand);

// Sprockets joined by the stiffness of the chain alone, crankshaft held (Pedersen 4.54 to
// 4.57). Frequencies rise. Too high by 1.5 to 2: seats are softer than the chain.
[[nodiscard]] std::vector<double> torsional_chain_only_Hz(const drive::DriveModel& drive);

// Rollers along rigid strands, sprockets between them (Pedersen 4.4.7, appendix F).
[[nodiscard]] std::vector<double> longitudinal_Hz(const drive::DriveModel& drive);

}  // namespace taut::analysis
