// Tables of a wrap from its statics at many pulls and tooth phases. Host only.
#pragma once

#include <string>

#include "sim_core/contact/friction.h"
#include "sim_core/reduced_chain/reduced_model.h"
#include "sim_core/reduced_chain/wrap_statics.h"

namespace taut::reduced_chain {

// False, with the reason, where some pull of the table finds no rest.
[[nodiscard]] bool make_wrap_table(const WrapSpec& spec, double most_pull_N, WrapTable& table,
                                   std::string& problem);

// The chain in motion: what its rollers rub with, and how fast it travels.
struct WrapTravel {
  contact::Friction<double> friction;
  double pitches_1_s;
};
// Inside the wrap, about one pull at both ends.
[[nodiscard]] Fading fading_of(const WrapSpec& spec, const WrapTravel& travel, double pull_N);

// What depends on the tooth phase, at one pull at both ends.
struct WrapDetails {
  // Give of both ends against the phase: of both harmonics, cosine and sine.
  double leaving_m[2][2];
  double arriving_m[2][2];
  double leaving_aside_m;  // size of the first harmonic of the leaving chain's motion sideways
  double largest_seat_J;   // elastic energy of the most pressed seat
};
[[nodiscard]] WrapDetails details_of(const WrapSpec& spec, double pull_N);

}  // namespace taut::reduced_chain
