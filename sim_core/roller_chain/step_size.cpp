#include "sim_core/roller_chain/step_size.h"

#include "sim_core/drive/links.h"
#include "sim_core/math/round.h"
#include "sim_core/math/sqrt.h"

namespace taut::roller_chain {

double stable_step_s(const drive::DriveSpec& spec) {
  const drive::ChainSpec& chain = spec.chain;
  const double stiffness_N_m = drive::stiffest_link_N_m(spec);
  const double impedance_N_s_m = math::sqrt(chain.roller_mass_kg * stiffness_N_m);
  const double z = chain.link_damping_N_s_m / impedance_N_s_m;
  const double links_s =
      math::sqrt(chain.roller_mass_kg / stiffness_N_m) * (math::sqrt(1 + z * z) - z);
  // Written as a product: without joint damping there is no such limit.
  const double joints_kg_m2 = chain.roller_mass_kg * chain.pitch_m * chain.pitch_m;
  const bool joints_limit = 8 * chain.joint_damping_N_m_s * links_s > joints_kg_m2;
  return joints_limit ? joints_kg_m2 / (8 * chain.joint_damping_N_m_s) : links_s;
}

double default_step_s(const drive::DriveSpec& spec) {
  constexpr double kOfStable = 0.72;
  const double steps = kTick_s / (kOfStable * stable_step_s(spec));
  return kTick_s / math::round(steps + 0.5);
}

double longest_step_s(const drive::DriveSpec& spec) {
  constexpr double kOfStable = 0.95;
  return kOfStable * stable_step_s(spec);
}

}  // namespace taut::roller_chain
