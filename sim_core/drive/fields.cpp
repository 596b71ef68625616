#include "sim_core/drive/fields.h"

#include <etl/array.h>

namespace taut::drive {
namespace {

constexpr bool kRequired = true;
constexpr bool kOptional = false;

constexpr etl::string_view kRotations[] = {"ccw", "cw"};
constexpr etl::string_view kSides[] = {"inside", "outside"};
constexpr etl::string_view kToothForms[] = {"real", "circular"};
constexpr etl::string_view kFrictionForms[] = {"cubic", "tanh", "arctan", "logistic"};
constexpr etl::string_view kBarConditions[] = {"good", "missing"};
constexpr etl::string_view kBarLinings[] = {"stiff", "rubber"};
constexpr etl::string_view kTightenerKinds[] = {"none", "fixed", "arm", "hydraulic"};
constexpr etl::string_view kActs[] = {"pull", "push"};

template <typename T>
struct MemberOf;
template <typename S, typename T>
struct MemberOf<T S::*> {
  using Section = S;
  using Value = T;
};

template <auto member>
using SectionOf = typename MemberOf<decltype(member)>::Section;

template <auto member>
constexpr Field<SectionOf<member>> row(etl::string_view key, etl::string_view unit, FieldKind kind,
                                       bool required, double lowest, double highest,
                                       etl::span<const etl::string_view> choices,
                                       etl::string_view help) {
  using Section = SectionOf<member>;
  using Value = typename MemberOf<decltype(member)>::Value;
  return {key,
          unit,
          help,
          kind,
          required,
          lowest,
          highest,
          choices,
          [](const Section& section) { return static_cast<double>(section.*member); },
          [](Section& section, double value) { section.*member = static_cast<Value>(value); }};
}

template <auto member>
constexpr auto real(etl::string_view key, etl::string_view unit, bool required, double lowest,
                    double highest, etl::string_view help) {
  return row<member>(key, unit, FieldKind::kReal, required, lowest, highest, {}, help);
}

template <auto member>
constexpr auto integer(etl::string_view key, bool required, int lowest, int highest,
                       etl::string_view help) {
  return row<member>(key, "", FieldKind::kInteger, required, lowest, highest, {}, help);
}

template <auto member>
constexpr auto choice(etl::string_view key, bool required, etl::span<const etl::string_view> names,
                      etl::string_view help) {
  return row<member>(key, "", FieldKind::kChoice, required, 0,
                     static_cast<double>(names.size()) - 1, names, help);
}

// Of links, against the pitch: chains are scrapped at 3 %.
constexpr double kShortest = -0.01;
constexpr double kLongest = 0.05;

// Ranges are wide: they catch a slip of unit or decimal point, not an unusual drive.
const Field<ChainSpec> kChain[] = {
    integer<&ChainSpec::links>("links", kRequired, 8, kMaxLinks, "links of the closed chain"),
    real<&ChainSpec::pitch_m>("pitch_m", "m", kRequired, 0.004, 0.5, "distance of rollers"),
    real<&ChainSpec::roller_mass_kg>("roller_mass_kg", "kg", kRequired, 1e-5, 200,
                                     "mass of one roller with its share of the links"),
    real<&ChainSpec::roller_radius_m>("roller_radius_m", "m", kRequired, 0.001, 0.2,
                                      "outer radius of a roller"),
    real<&ChainSpec::link_stiffness_N_m>("link_stiffness_N_m", "N/m", kRequired, 1e5, 1e11,
                                         "tension stiffness of one link"),
    real<&ChainSpec::link_damping_N_s_m>("link_damping_N_s_m", "N s/m", kRequired, 0, 1e7,
                                         "tension damping of one link"),
    real<&ChainSpec::joint_damping_N_m_s>("joint_damping_N_m_s", "N m s", kOptional, 0, 1e4,
                                          "moment against the relative rotation of links"),
    real<&ChainSpec::pretension_N>("pretension_N", "N", kOptional, 0, 1e7,
                                   "nominal tension at rest; geometry sets the true one"),
    real<&ChainSpec::breaking_load_N>("breaking_load_N", "N", kOptional, 0, 1e8,
                                      "fracture load; 0: unknown"),
    real<&ChainSpec::elongation>("elongation", "", kOptional, kShortest, kLongest,
                                 "wear of every link, as a part of the pitch: 0.0004 is 0.04 %"),
};

const Field<CrankSpec> kCrank[] = {
    real<&CrankSpec::speed_rpm>("speed_rpm", "rpm", kRequired, 0, 20'000, "nominal speed"),
    choice<&CrankSpec::rotation>("rotation", kOptional, kRotations,
                                 "sense in which sprocket 1 turns"),
};

const Field<GravitySpec> kGravity[] = {
    real<&GravitySpec::x_m_s2>("x_m_s2", "m/s^2", kOptional, -100, 100, "gravity along x"),
    real<&GravitySpec::y_m_s2>("y_m_s2", "m/s^2", kOptional, -100, 100, "gravity along y"),
};

const Field<ContactSpec> kContact[] = {
    choice<&ContactSpec::form>("form", kOptional, kToothForms,
                               "tooth form: ASA B29.1 type II, or circular gaps"),
    real<&ContactSpec::stiffness_N_m_n>("stiffness_N_m_n", "N/m^n", kRequired, 1e4, 1e13,
                                        "contact stiffness of a roller on a tooth"),
    real<&ContactSpec::exponent>("exponent", "", kOptional, 1, 1.5,
                                 "n of the contact law: 1.5 or 1"),
    real<&ContactSpec::restitution>("restitution", "", kOptional, 0, 1,
                                    "0: fully plastic, 1: fully elastic contact"),
    real<&ContactSpec::circular_clearance_m>("circular_clearance_m", "m", kOptional, 0, 0.05,
                                             "gap radius less roller radius, form circular"),
};

const Field<FrictionSpec> kFriction[] = {
    choice<&FrictionSpec::form>("form", kOptional, kFrictionForms, "how friction grows with speed"),
    real<&FrictionSpec::coefficient>("coefficient", "", kOptional, 0, 2,
                                     "dynamic coefficient of friction; 0: none"),
    real<&FrictionSpec::speed_m_s>("speed_m_s", "m/s", kOptional, 1e-4, 10,
                                   "sliding speed v* that scales the law"),
    real<&FrictionSpec::sharpness>("sharpness", "", kOptional, 1e-3, 10,
                                   "eps: friction is full beyond a few eps v*"),
};

const Field<TightenerSpec> kTightener[] = {
    choice<&TightenerSpec::kind>("kind", kRequired, kTightenerKinds,
                                 "fixed: its sprocket stands still; arm: it hangs on the arm; "
                                 "hydraulic: a hydraulic unit acts beside the arm's spring"),
    integer<&TightenerSpec::sprocket>("sprocket", kOptional, 2, kMaxSprockets,
                                      "number of the tightener's sprocket"),
    real<&TightenerSpec::pivot_x_m>("pivot_x_m", "m", kOptional, -100, 100, "hinge of the arm"),
    real<&TightenerSpec::pivot_y_m>("pivot_y_m", "m", kOptional, -100, 100, "hinge of the arm"),
    real<&TightenerSpec::arm_mass_kg>("arm_mass_kg", "kg", kOptional, 0, 1e5, "mass of the arm"),
    real<&TightenerSpec::arm_inertia_kg_m2>("arm_inertia_kg_m2", "kg m^2", kOptional, 0, 1e6,
                                            "inertia of the arm about its mass centre"),
    real<&TightenerSpec::mass_centre_x_m>("mass_centre_x_m", "m", kOptional, -100, 100,
                                          "mass centre of the arm, as drawn"),
    real<&TightenerSpec::mass_centre_y_m>("mass_centre_y_m", "m", kOptional, -100, 100,
                                          "mass centre of the arm, as drawn"),
    real<&TightenerSpec::spring_on_arm_x_m>("spring_on_arm_x_m", "m", kOptional, -100, 100,
                                            "spring-damper's end on the arm, as drawn"),
    real<&TightenerSpec::spring_on_arm_y_m>("spring_on_arm_y_m", "m", kOptional, -100, 100,
                                            "spring-damper's end on the arm, as drawn"),
    real<&TightenerSpec::spring_on_ground_x_m>("spring_on_ground_x_m", "m", kOptional, -100, 100,
                                               "spring-damper's end on the ground"),
    real<&TightenerSpec::spring_on_ground_y_m>("spring_on_ground_y_m", "m", kOptional, -100, 100,
                                               "spring-damper's end on the ground"),
    real<&TightenerSpec::spring_free_length_m>("spring_free_length_m", "m", kOptional, 0, 100,
                                               "length of the spring without force"),
    real<&TightenerSpec::spring_stiffness_N_m>("spring_stiffness_N_m", "N/m", kOptional, 0, 1e10,
                                               "stiffness of the spring"),
    real<&TightenerSpec::spring_damping_N_s_m>("spring_damping_N_s_m", "N s/m", kOptional, 0, 1e8,
                                               "damping beside the spring"),
    real<&TightenerSpec::damping_factor>("damping_factor", "", kOptional, 0, 10,
                                         "of its damping: 0.3 is a worn damper, 0 a dead one"),
};

// Pressures are above the atmosphere.
const Field<HydraulicSpec> kHydraulic[] = {
    choice<&HydraulicSpec::acts>("acts", kOptional, kActs,
                                 "how it tightens: pulls its ends together, or pushes them apart"),
    real<&HydraulicSpec::piston_area_m2>("piston_area_m2", "m^2", kOptional, 0, 1,
                                         "area that the chamber's pressure acts on"),
    real<&HydraulicSpec::chamber_volume_m3>("chamber_volume_m3", "m^3", kOptional, 0, 1,
                                            "oil in the chamber as drawn"),
    real<&HydraulicSpec::bulk_modulus_Pa>("bulk_modulus_Pa", "Pa", kOptional, 0, 1e10,
                                          "effective, of the oil with its air"),
    real<&HydraulicSpec::oil_density_kg_m3>("oil_density_kg_m3", "kg/m^3", kOptional, 500, 1500,
                                            "density of the oil"),
    real<&HydraulicSpec::supply_pressure_Pa>("supply_pressure_Pa", "Pa", kOptional, 0, 1e8,
                                             "pressure before the check valve, above atmosphere"),
    real<&HydraulicSpec::valve_cracking_Pa>("valve_cracking_Pa", "Pa", kOptional, 0, 1e7,
                                            "supply less chamber at which the valve opens"),
    real<&HydraulicSpec::valve_opening_Pa>("valve_opening_Pa", "Pa", kOptional, 0, 1e7,
                                           "beyond cracking: flow grows linearly well below, as "
                                           "the root well above"),
    real<&HydraulicSpec::valve_area_m2>("valve_area_m2", "m^2", kOptional, 0, 0.1,
                                        "open flow area, discharge coefficient included"),
    real<&HydraulicSpec::leak_resistance_Pa_s_m3>("leak_resistance_Pa_s_m3", "Pa s/m^3", kOptional,
                                                  0, 1e18, "pressure per flow out of the gap"),
    real<&HydraulicSpec::travel_in_m>("travel_in_m", "m", kOptional, 0, 10,
                                      "from as drawn to the stop that loosens the chain"),
    real<&HydraulicSpec::travel_out_m>("travel_out_m", "m", kOptional, 0, 10,
                                       "from as drawn to the stop that tightens the chain"),
    real<&HydraulicSpec::stop_stiffness_N_m>("stop_stiffness_N_m", "N/m", kOptional, 0, 1e11,
                                             "stiffness of both stops"),
    real<&HydraulicSpec::stop_damping_s_m>("stop_damping_s_m", "s/m", kOptional, 0, 1e4,
                                           "damping of the stops, as a part of their force"),
};

const Field<SprocketSpec> kSprocket[] = {
    real<&SprocketSpec::centre_x_m>("centre_x_m", "m", kRequired, -100, 100, "centre"),
    real<&SprocketSpec::centre_y_m>("centre_y_m", "m", kRequired, -100, 100, "centre"),
    integer<&SprocketSpec::teeth>("teeth", kRequired, 9, kMaxTeeth, "number of teeth"),
    real<&SprocketSpec::pitch_radius_m>("pitch_radius_m", "m", kOptional, 0, 10,
                                        "checked against pitch and teeth; 0: not given"),
    choice<&SprocketSpec::side>("side", kOptional, kSides,
                                "inside the loop, or outside: the chain bends the other way"),
    real<&SprocketSpec::inertia_kg_m2>(
        "inertia_kg_m2", "kg m^2", kOptional, 0, 1e7,
        "with all that turns with it but a counterweight given here; "
        "not used for sprocket 1"),
    real<&SprocketSpec::mass_kg>("mass_kg", "kg", kOptional, 0, 1e6,
                                 "with all that turns with it; moves if the support yields"),
    real<&SprocketSpec::bearing_damping_N_m_s>("bearing_damping_N_m_s", "N m s", kOptional, 0, 1e7,
                                               "moment of the bearings per speed"),
    real<&SprocketSpec::support_stiffness_N_m>("support_stiffness_N_m", "N/m", kOptional, 0, 1e12,
                                               "how stiff the bearings hold its centre, in every "
                                               "direction; 0: rigid"),
    real<&SprocketSpec::support_damping_N_s_m>("support_damping_N_s_m", "N s/m", kOptional, 0, 1e9,
                                               "damping of a centre that yields"),
    real<&SprocketSpec::load_torque_N_m>("load_torque_N_m", "N m", kOptional, -1e8, 1e8,
                                         "torque taken from the sprocket, against its rotation"),
    real<&SprocketSpec::counterweight_mass_kg>("counterweight_mass_kg", "kg", kOptional, 0, 1e6,
                                               "turns with it; not part of mass_kg and inertia"),
    real<&SprocketSpec::counterweight_radius_m>("counterweight_radius_m", "m", kOptional, 0, 10,
                                                "its mass centre from the sprocket's centre"),
    real<&SprocketSpec::counterweight_angle_rad>(
        "counterweight_angle_rad", "rad", kOptional, -7, 7,
        "its direction from +x as drawn, crank angle zero"),
};

const Field<GuideBarSpec> kGuideBar[] = {
    integer<&GuideBarSpec::strand>("strand", kRequired, 1, kMaxSprockets,
                                   "strand it guides; 1 runs from sprocket 1 to sprocket 2"),
    real<&GuideBarSpec::place>("place", "", kRequired, 0, 1,
                               "its middle, as a part of the strand's length"),
    choice<&GuideBarSpec::side>("side", kOptional, kSides, "side of the loop it pushes from"),
    real<&GuideBarSpec::flat_length_m>("flat_length_m", "m", kRequired, 0.001, 20,
                                       "length of the flat part"),
    real<&GuideBarSpec::end_length_m>("end_length_m", "m", kRequired, 0, 10,
                                      "length of each rounded end, beyond the flat part"),
    real<&GuideBarSpec::end_radius_m>("end_radius_m", "m", kRequired, 0.0001, 100,
                                      "radius of the rounded ends"),
    real<&GuideBarSpec::indentation_m>("indentation_m", "m", kOptional, -0.1, 0.1,
                                       "how far it is pressed into the strand"),
    real<&GuideBarSpec::rotation_rad>("rotation_rad", "rad", kOptional, -0.5, 0.5,
                                      "turned about its middle"),
    choice<&GuideBarSpec::lining>("lining", kOptional, kBarLinings,
                                  "stiff: a constant stiffness; rubber: from the layer's data"),
    real<&GuideBarSpec::stiffness_N_m_n>("stiffness_N_m_n", "N/m^n", kOptional, 1e2, 1e13,
                                         "contact stiffness of a roller on it, lining stiff"),
    real<&GuideBarSpec::restitution>("restitution", "", kOptional, 0, 1,
                                     "0: fully plastic, 1: fully elastic contact, lining stiff"),
    real<&GuideBarSpec::lining_thickness_m>("lining_thickness_m", "m", kOptional, 1e-4, 1,
                                            "thickness of the new layer, lining rubber"),
    real<&GuideBarSpec::lining_modulus_Pa>("lining_modulus_Pa", "Pa", kOptional, 1e4, 1e12,
                                           "compression modulus of the layer, lining rubber"),
    real<&GuideBarSpec::lining_width_m>("lining_width_m", "m", kOptional, 1e-4, 5,
                                        "width over which rollers lie on it, lining rubber"),
    real<&GuideBarSpec::lining_hysteresis>("lining_hysteresis", "", kOptional, 0, 1,
                                           "part of the loading energy lost, lining rubber"),
    choice<&GuideBarSpec::condition>("condition", kOptional, kBarConditions,
                                     "missing: it has come off and touches nothing"),
    real<&GuideBarSpec::wear_m>("wear_m", "m", kOptional, 0, 0.1, "worn off its lining"),
};

const Field<LinkSpec> kLink[] = {
    integer<&LinkSpec::number>("number", kRequired, 1, kMaxLinks,
                               "which link of the chain; as --tag-link counts"),
    real<&LinkSpec::elongation>("elongation", "", kOptional, kShortest, kLongest,
                                "its own wear, added to chain.elongation"),
    real<&LinkSpec::stiffness_factor>("stiffness_factor", "", kOptional, 0.01, 10,
                                      "of its stiffness: 0.3 is a cracked link"),
};

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): a type in angle brackets
#define TAUT_DRIVE_SECTION(Section, name, table)      \
  template <>                                         \
  etl::string_view section_name<Section>() {          \
    return name;                                      \
  }                                                   \
  template <>                                         \
  etl::span<const Field<Section>> fields<Section>() { \
    return table;                                     \
  }
// NOLINTEND(bugprone-macro-parentheses)

TAUT_DRIVE_SECTION(ChainSpec, "chain", kChain)
TAUT_DRIVE_SECTION(CrankSpec, "crank", kCrank)
TAUT_DRIVE_SECTION(GravitySpec, "gravity", kGravity)
TAUT_DRIVE_SECTION(ContactSpec, "contact", kContact)
TAUT_DRIVE_SECTION(FrictionSpec, "friction", kFriction)
TAUT_DRIVE_SECTION(TightenerSpec, "tightener", kTightener)
TAUT_DRIVE_SECTION(HydraulicSpec, "hydraulic", kHydraulic)
TAUT_DRIVE_SECTION(SprocketSpec, "sprocket", kSprocket)
TAUT_DRIVE_SECTION(GuideBarSpec, "guide_bar", kGuideBar)
TAUT_DRIVE_SECTION(LinkSpec, "link", kLink)

}  // namespace taut::drive
