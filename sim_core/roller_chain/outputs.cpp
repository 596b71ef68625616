#include "sim_core/roller_chain/outputs.h"

namespace taut::roller_chain {
namespace {

using signal::Repeat;
using signal::Type;

// Ranges are what the largest two-stroke engine could show; a number beyond is no measurement.
constexpr double kForce_N = 1e8;
constexpr double kPower_W = 1e9;
constexpr double kPlace_m = 100;

// clang-format off
#define TAUT_ROW(member, unit, help, type, repeat, lowest, highest) \
  {#member, unit, help, Type::type, Repeat::repeat, lowest, highest, offsetof(Outputs, member)}

constexpr signal::Entry kEntries[] = {
    TAUT_ROW(time_s, "s", "time since the start", kFloat64, kOnce, 0, 1e9),
    TAUT_ROW(tagged_link_N, "N", "force of the tagged link, tension positive", kFloat32, kOnce, -kForce_N, kForce_N),
    TAUT_ROW(tagged_roller_contact_N, "N", "force of the tagged roller on its tooth", kFloat32, kOnce, 0, kForce_N),
    TAUT_ROW(contact_max_N, "N", "largest force of a roller on a tooth", kFloat32, kOnce, 0, kForce_N),
    TAUT_ROW(strand_mean_N, "N", "mean tension of the strand's free links", kFloat32, kPerSprocket, -kForce_N, kForce_N),
    TAUT_ROW(strand_middle_N, "N", "tension at the strand's middle", kFloat32, kPerSprocket, -kForce_N, kForce_N),
    TAUT_ROW(strand_middle_m, "m", "displacement of the strand's middle, to the left of travel", kFloat32, kPerSprocket, -kPlace_m, kPlace_m),
    TAUT_ROW(arm_angle_rad, "rad", "tightener arm, counter-clockwise from as drawn", kFloat32, kOnce, -4, 4),
    TAUT_ROW(arm_speed_rad_s, "rad/s", "speed of the tightener arm", kFloat32, kOnce, -1e3, 1e3),
    TAUT_ROW(tightener_x_m, "m", "centre of the tightener sprocket", kFloat32, kOnce, -kPlace_m, kPlace_m),
    TAUT_ROW(tightener_y_m, "m", "centre of the tightener sprocket", kFloat32, kOnce, -kPlace_m, kPlace_m),
    TAUT_ROW(arm_mass_centre_x_m, "m", "mass centre of the tightener arm", kFloat32, kOnce, -kPlace_m, kPlace_m),
    TAUT_ROW(arm_mass_centre_y_m, "m", "mass centre of the tightener arm", kFloat32, kOnce, -kPlace_m, kPlace_m),
    TAUT_ROW(tightener_force_N, "N", "force between tightener arm and ground, tension positive", kFloat32, kOnce, -kForce_N, kForce_N),
    TAUT_ROW(piston_travel_m, "m", "piston of the hydraulic tightener, from as drawn, tightening positive", kFloat32, kOnce, -kPlace_m, kPlace_m),
    TAUT_ROW(chamber_pressure_Pa, "Pa", "pressure in the hydraulic tightener, above atmosphere", kFloat32, kOnce, -101325, 1e10),
    TAUT_ROW(valve_flow_m3_s, "m^3/s", "oil through the check valve of the hydraulic tightener", kFloat32, kOnce, 0, 10),
    TAUT_ROW(sprocket_speed_rad_s, "rad/s", "speed of the sprocket, counter-clockwise positive", kFloat32, kPerSprocket, -1e4, 1e4),
    TAUT_ROW(bearing_x_N, "N", "force on the bearings of the sprocket, along x", kFloat32, kPerSprocket, -kForce_N, kForce_N),
    TAUT_ROW(bearing_y_N, "N", "force on the bearings of the sprocket, along y", kFloat32, kPerSprocket, -kForce_N, kForce_N),
    TAUT_ROW(offset_x_m, "m", "how far the sprocket's support has yielded along x", kFloat32, kPerSprocket, -kPlace_m, kPlace_m),
    TAUT_ROW(offset_y_m, "m", "how far the sprocket's support has yielded along y", kFloat32, kPerSprocket, -kPlace_m, kPlace_m),
    TAUT_ROW(driver_torque_N_m, "N m", "torque that the crankshaft gives to the chain", kFloat32, kOnce, -kForce_N, kForce_N),
    TAUT_ROW(driver_W, "W", "power that the crankshaft gives to the chain", kFloat32, kOnce, -kPower_W, kPower_W),
    TAUT_ROW(link_W, "W", "power lost in the links", kFloat32, kOnce, 0, kPower_W),
    TAUT_ROW(joint_W, "W", "power lost in the joints of the links", kFloat32, kOnce, 0, kPower_W),
    TAUT_ROW(contact_W, "W", "power lost in impacts on teeth and guide-bars", kFloat32, kOnce, 0, kPower_W),
    TAUT_ROW(friction_W, "W", "power lost in friction on teeth and guide-bars", kFloat32, kOnce, 0, kPower_W),
    TAUT_ROW(bearing_W, "W", "power lost in the bearings and supports of sprockets", kFloat32, kOnce, 0, kPower_W),
    TAUT_ROW(tightener_W, "W", "power lost in damper, valve, gap and stops of the tightener", kFloat32, kOnce, 0, kPower_W),
    TAUT_ROW(load_W, "W", "power taken by the load torques of sprockets", kFloat32, kOnce, -kPower_W, kPower_W),
    TAUT_ROW(supply_W, "W", "power that the oil supply gives to the hydraulic tightener", kFloat32, kOnce, 0, kPower_W),
};
#undef TAUT_ROW
// clang-format on

}  // namespace

etl::span<const signal::Entry> output_entries() {
  return kEntries;
}

}  // namespace taut::roller_chain
