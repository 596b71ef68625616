// What a drive is, as an engineer writes it down: plain data in SI units.
// Keys, units, ranges and help of every member stand once, in fields.h; checks of how
// members fit together in validate.h. Not for a step: that uses a DriveModel.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/string.h>
#include <etl/vector.h>

#include "sim_core/contact/friction.h"
#include "sim_core/contact/tooth_gap.h"
#include "sim_core/tightener/hydraulic_unit.h"

namespace taut::drive {

inline constexpr std::size_t kMaxSprockets = 8;
inline constexpr std::size_t kMaxLinks = 256;
inline constexpr std::size_t kMaxGuideBars = 8;
inline constexpr std::size_t kMaxTeeth = 200;
inline constexpr std::size_t kMaxSpecialLinks = 16;

enum class Rotation : std::uint8_t { kCounterClockwise, kClockwise };
enum class Side : std::uint8_t { kInside, kOutside };  // of the loop that the chain makes
using contact::FrictionForm;
using contact::ToothForm;
enum class BarCondition : std::uint8_t { kGood, kMissing };
enum class BarLining : std::uint8_t { kStiff, kRubber };
using tightener::Acts;
using tightener::HydraulicSpec;
enum class TightenerKind : std::uint8_t { kNone, kFixed, kArm, kHydraulic };

// The tightener's sprocket hangs on an arm.
[[nodiscard]] constexpr bool has_arm(TightenerKind kind) {
  return kind == TightenerKind::kArm || kind == TightenerKind::kHydraulic;
}

struct ChainSpec {
  int links = 0;
  double pitch_m = 0;
  double roller_mass_kg = 0;
  double roller_radius_m = 0;
  double link_stiffness_N_m = 0;
  double link_damping_N_s_m = 0;
  double joint_damping_N_m_s = 0;
  double pretension_N = 0;     // nominal: gives the spacing rollers are placed with
  double breaking_load_N = 0;  // 0: unknown
  double elongation = 0;       // of every link by wear, as a part of the pitch
};

// A link that differs from the others: worn more, cracked.
struct LinkSpec {
  int number = 0;         // from 1; link n joins rollers n - 1 and n
  double elongation = 0;  // besides that of the chain
  double stiffness_factor = 1;
};

struct CrankSpec {
  double speed_rpm = 0;
  Rotation rotation = Rotation::kCounterClockwise;  // of sprocket 1
};

struct GravitySpec {
  double x_m_s2 = 0;
  double y_m_s2 = -9.81;
};

// Rollers on teeth.
struct ContactSpec {
  ToothForm form = ToothForm::kReal;
  double stiffness_N_m_n = 0;  // N/m^exponent
  double exponent = 1.5;
  double restitution = 0;
  double circular_clearance_m = 0;  // tooth gap radius less roller radius, circular form only
};

// Of rollers on teeth and guide-bars.
struct FrictionSpec {
  FrictionForm form = FrictionForm::kTanh;
  double coefficient = 0;
  double speed_m_s = 0.1;   // v* of Pedersen 3.97, 3.98
  double sharpness = 0.01;  // eps of Pedersen 3.98
};

// Numbered from 1 in the direction of travel; 1 is the crankshaft.
struct SprocketSpec {
  double centre_x_m = 0;
  double centre_y_m = 0;
  int teeth = 0;
  double pitch_radius_m = 0;  // 0: from pitch and teeth
  Side side = Side::kInside;
  double inertia_kg_m2 = 0;
  double mass_kg = 0;
  double bearing_damping_N_m_s = 0;
  double support_stiffness_N_m = 0;  // of its bearings, in every direction; 0: rigid
  double support_damping_N_s_m = 0;
  double load_torque_N_m = 0;  // against the sense of rotation
  // Turns with it (Pedersen 3.8.3); not in inertia_kg_m2 and mass_kg.
  double counterweight_mass_kg = 0;
  double counterweight_radius_m = 0;   // of its mass centre
  double counterweight_angle_rad = 0;  // from +x, as placed at crank angle zero
};

struct GuideBarSpec {
  int strand = 0;      // 1 runs from sprocket 1 to sprocket 2
  double place = 0.5;  // of the bar's middle, as a part of the strand's length
  Side side = Side::kInside;
  double flat_length_m = 0;
  double end_length_m = 0;  // of each rounded end, beyond the flat
  double end_radius_m = 0;
  double indentation_m = 0;
  double rotation_rad = 0;
  BarLining lining = BarLining::kStiff;
  double stiffness_N_m_n = 0;  // N/m^exponent of the contact, lining stiff only
  double restitution = 0;
  double lining_thickness_m = 0;  // when new; this and the others below: lining rubber only
  double lining_modulus_Pa = 0;   // pressure per compression of the bonded layer
  double lining_width_m = 0;      // across the chain, over which rollers lie on it
  double lining_hysteresis = 0;   // part of the energy of loading that is lost
  BarCondition condition = BarCondition::kGood;
  double wear_m = 0;  // worn off the lining
};

struct TightenerSpec {
  TightenerKind kind = TightenerKind::kNone;
  int sprocket = 0;
  double pivot_x_m = 0;
  double pivot_y_m = 0;
  double arm_mass_kg = 0;
  double arm_inertia_kg_m2 = 0;  // about its mass centre
  double mass_centre_x_m = 0;
  double mass_centre_y_m = 0;
  double spring_on_arm_x_m = 0;
  double spring_on_arm_y_m = 0;
  double spring_on_ground_x_m = 0;
  double spring_on_ground_y_m = 0;
  double spring_free_length_m = 0;
  double spring_stiffness_N_m = 0;
  double spring_damping_N_s_m = 0;
  double damping_factor = 1;  // of all its damping: below 1 it has lost some
};

struct DriveSpec {
  etl::string<48> name;
  ChainSpec chain;
  CrankSpec crank;
  GravitySpec gravity;
  ContactSpec contact;
  FrictionSpec friction;
  TightenerSpec tightener;
  HydraulicSpec hydraulic;  // of a tightener of that kind
  etl::vector<SprocketSpec, kMaxSprockets> sprockets;
  etl::vector<GuideBarSpec, kMaxGuideBars> guide_bars;
  etl::vector<LinkSpec, kMaxSpecialLinks> special_links;
};

}  // namespace taut::drive
