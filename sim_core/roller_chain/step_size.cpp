#include "sim_core/roller_chain/step_size.h"

#include "sim_core/drive/drive_model.h"
#include "sim_core/drive/links.h"
#include "sim_core/math/round.h"
#include "sim_core/math/sqrt.h"

namespace taut::roller_chain {

namespace {

// Semi-implicit Euler on m x'' = -k x - d x': h^2 k + 2 h d < 4 m.
double oscillator_step_s(double mass_kg, double stiffness_N_m, double damping_N_s_m) {
  const double z = damping_N_s_m / math::sqrt(4 * mass_kg * stiffness_N_m);
  return 2 * math::sqrt(mass_kg / stiffness_N_m) * (math::sqrt(1 + z * z) - z);
}

double chain_step_s(const drive::DriveSpec& spec) {
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

// Of a sprocket on its support: turned against its counterweight it is lighter than both are.
double moving_mass_kg(const drive::SprocketSpec& sprocket) {
  const double mass_kg = sprocket.mass_kg + sprocket.counterweight_mass_kg;
  const double unbalance_kg_m = sprocket.counterweight_mass_kg * sprocket.counterweight_radius_m;
  const double inertia_kg_m2 =
      sprocket.inertia_kg_m2 + unbalance_kg_m * sprocket.counterweight_radius_m;
  return inertia_kg_m2 > 0 ? mass_kg - unbalance_kg_m * unbalance_kg_m / inertia_kg_m2 : mass_kg;
}

// The arm on spring, oil and a stop.
double hydraulic_step_s(const drive::DriveSpec& spec) {
  const tightener::WeightArm<double> arm = drive::arm_of<double>(spec);
  const drive::HydraulicSpec& unit = spec.hydraulic;
  const double lever_m = tightener::pose(arm, 0.0).length_per_angle_m;
  const double oil_N_m =
      unit.bulk_modulus_Pa * unit.piston_area_m2 * unit.piston_area_m2 / unit.chamber_volume_m3;
  return oscillator_step_s(arm.inertia_kg_m2 / (lever_m * lever_m),
                           arm.spring_stiffness_N_m + oil_N_m + unit.stop_stiffness_N_m,
                           arm.spring_damping_N_s_m);
}

}  // namespace

double stable_step_s(const drive::DriveSpec& spec) {
  double stable_s = chain_step_s(spec);
  if (spec.tightener.kind == drive::TightenerKind::kHydraulic) {
    const double unit_s = hydraulic_step_s(spec);
    stable_s = unit_s < stable_s ? unit_s : stable_s;
  }
  for (const drive::SprocketSpec& sprocket : spec.sprockets) {
    if (sprocket.support_stiffness_N_m > 0) {
      const double support_s = oscillator_step_s(
          moving_mass_kg(sprocket), sprocket.support_stiffness_N_m, sprocket.support_damping_N_s_m);
      stable_s = support_s < stable_s ? support_s : stable_s;
    }
  }
  return stable_s;
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
