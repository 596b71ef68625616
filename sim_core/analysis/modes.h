// Small undamped vibrations about rest, of the whole drive: every roller, seats with their
// compliance, bars, arm. The stiffness is that of roller_chain/potential.h: a hydraulic unit
// holds its oil. Host only.
#pragma once

#include <vector>

#include "sim_core/roller_chain/statics.h"

namespace taut::analysis {

struct Mode {
  double frequency_Hz;
  double sprocket_share;  // of the kinetic energy, in turning sprockets
  double arm_share;       // in the arm
  double centre_share;    // in centres that yield
};

// All of them, by rising frequency.
[[nodiscard]] std::vector<Mode> modes(const roller_chain::Equilibrium& rest);

// Those that turn sprockets most, one for each driven sprocket, by rising frequency.
[[nodiscard]] std::vector<double> torsional_Hz(const std::vector<Mode>& modes,
                                               std::size_t driven_sprockets);

// How far a driven sprocket's pitch line yields to a unit force while all others and the
// arm stand still, rollers following: chain and seats together.
[[nodiscard]] std::vector<double> pitch_line_compliance_m_N(const roller_chain::Equilibrium& rest);

}  // namespace taut::analysis
