#include "sim_core/twin/table.h"

#include "sim_core/signal/prediction.h"
#include "sim_core/signal/sensor_frame.h"
#include "sim_core/twin/calibration.h"

namespace taut::twin {
namespace {

using signal::Entry;
using signal::Prediction;
using signal::Repeat;
using signal::Sample;
using signal::SensorFrame;
using signal::Type;

// Ranges are what the largest two-stroke engine could show.
constexpr double kForce_N = 1e8;
constexpr double kPlace_m = 100;
constexpr double kAcceleration_m_s2 = 1e4;
constexpr double kCrank_rad_s2 = 1e4;
constexpr double kMost = 4294967295.0;

// clang-format off
#define TAUT_ROW(member, unit, help, type, repeat, lowest, highest) \
  {#member, unit, help, Type::type, Repeat::repeat, lowest, highest, offsetof(TAUT_STRUCT, member)}
// A sample is four rows.
#define TAUT_SAMPLE(member, unit, help, lowest, highest) \
  {#member, unit, help, Type::kFloat32, Repeat::kOnce, lowest, highest, offsetof(SensorFrame, member) + offsetof(Sample, value)}, \
  {#member ".age_ticks", "tick", "time since that was measured", Type::kUint32, Repeat::kOnce, 0, kMost, offsetof(SensorFrame, member) + offsetof(Sample, age_ticks)}, \
  {#member ".sequence", "", "number of that measurement", Type::kUint32, Repeat::kOnce, 0, kMost, offsetof(SensorFrame, member) + offsetof(Sample, sequence)}, \
  {#member ".quality", "", "0 good, 1 held, 2 modelled, 3 missing", Type::kUint32, Repeat::kOnce, 0, 3, offsetof(SensorFrame, member) + offsetof(Sample, quality)}

#define TAUT_STRUCT SensorFrame
constexpr Entry kInputs[] = {
    TAUT_ROW(tick, "tick", "tick that the frame closes", kUint32, kOnce, 0, kMost),
    TAUT_SAMPLE(crank_acceleration_rad_s2, "rad/s^2", "measured angular acceleration of the crankshaft", -kCrank_rad_s2, kCrank_rad_s2),
    TAUT_SAMPLE(link_force_N, "N", "measured force of the strain-gauge link", -kForce_N, kForce_N),
    TAUT_SAMPLE(tightener_acceleration_m_s2, "m/s^2", "measured acceleration of the tightener", -kAcceleration_m_s2, kAcceleration_m_s2),
    TAUT_SAMPLE(tightener_position_m, "m", "measured place of the tightener, from as drawn", -kPlace_m, kPlace_m),
    TAUT_ROW(edges, "", "edges of the crank's wheel in this tick", kUint32, kOnce, 0, signal::kMaxEdges),
    TAUT_ROW(edge, "", "moment in 1/65536 ticks; 65536 more for the index pulse", kUint32, kPerEdge, 0, 131071),
    TAUT_ROW(edges_lost, "", "edges that there was no room for", kUint32, kOnce, 0, kMost),
};
#undef TAUT_STRUCT

#define TAUT_STRUCT Prediction
constexpr Entry kMeasurements[] = {
    TAUT_ROW(tick, "tick", "tick of the frame that this follows from", kUint32, kOnce, 0, kMost),
    TAUT_ROW(health, "", "trust in the lowest two bits, reasons above", kUint32, kOnce, 0, kMost),
    TAUT_ROW(latched, "", "reasons since the start", kUint32, kOnce, 0, kMost),
    TAUT_ROW(crank_angle_rad, "rad", "angle of the crank since its index", kFloat32, kOnce, 0, 6.2831855),
    TAUT_ROW(crank_speed_rad_s, "rad/s", "speed of the crank", kFloat32, kOnce, -1e3, 1e3),
    TAUT_ROW(crank_acceleration_rad_s2, "rad/s^2", "acceleration of the crank, without the sensor's bias", kFloat32, kOnce, -kCrank_rad_s2, kCrank_rad_s2),
    TAUT_ROW(edges_acceleration_rad_s2, "rad/s^2", "acceleration of the crank by its edges alone", kFloat32, kOnce, -kCrank_rad_s2, kCrank_rad_s2),
    TAUT_ROW(chain_pitches, "pitch", "travel of the chain since crank angle zero", kFloat32, kOnce, 0, 1e4),
    TAUT_ROW(tagged_link_N, "N", "force of the tagged link, tension positive", kFloat32, kOnce, -kForce_N, kForce_N),
    TAUT_ROW(tagged_roller_contact_N, "N", "force of the tagged roller on its tooth", kFloat32, kOnce, 0, kForce_N),
    TAUT_ROW(strand_mean_N, "N", "mean tension of the strand's free links", kFloat32, kPerSprocket, -kForce_N, kForce_N),
    TAUT_ROW(strand_middle_N, "N", "tension at the strand's middle", kFloat32, kPerSprocket, -kForce_N, kForce_N),
    TAUT_ROW(strand_middle_m, "m", "displacement of the strand's middle, to the left of travel", kFloat32, kPerSprocket, -kPlace_m, kPlace_m),
    TAUT_ROW(arm_angle_rad, "rad", "tightener arm, counter-clockwise from as drawn", kFloat32, kOnce, -4, 4),
    TAUT_ROW(arm_speed_rad_s, "rad/s", "speed of the tightener arm", kFloat32, kOnce, -1e3, 1e3),
    TAUT_ROW(arm_acceleration_rad_s2, "rad/s^2", "acceleration of the tightener arm", kFloat32, kOnce, -1e6, 1e6),
    TAUT_ROW(tightener_position_m, "m", "place of the tightener where it is measured, from as drawn", kFloat32, kOnce, -kPlace_m, kPlace_m),
    TAUT_ROW(tightener_speed_m_s, "m/s", "speed of that place", kFloat32, kOnce, -1e3, 1e3),
    TAUT_ROW(tightener_acceleration_m_s2, "m/s^2", "acceleration of that place", kFloat32, kOnce, -kAcceleration_m_s2, kAcceleration_m_s2),
};
#undef TAUT_STRUCT

#define TAUT_STRUCT Calibration
constexpr Entry kCalibrations[] = {
    TAUT_ROW(tagged_link, "", "index of the link with the strain gauge", kUint32, kOnce, 0, 255),
    TAUT_ROW(gauge_is_placed, "", "1: tagged_link is known to be the one with the gauge; they are compared", kUint32, kOnce, 0, 1),
    TAUT_ROW(tagged_roller, "", "index of the roller whose force on its tooth is told", kUint32, kOnce, 0, 255),
    TAUT_ROW(elongation, "", "elongation of the chain by wear", kFloat32, kOnce, 0, 0.05),
};
#undef TAUT_STRUCT
#undef TAUT_SAMPLE
#undef TAUT_ROW
// clang-format on

}  // namespace

etl::span<const Entry> entries(Part part) {
  switch (part) {
    case Part::kInput:
      return kInputs;
    case Part::kMeasurement:
      return kMeasurements;
    case Part::kCalibration:
      break;
  }
  return kCalibrations;
}

}  // namespace taut::twin
