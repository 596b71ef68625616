// What is measured on a chain, whichever model it is (Pedersen 5.1, appendix E). In float: seven
// digits are more than any sensor has. The rows that describe it: roller_chain/outputs.cpp.
#pragma once

#include <cstddef>

#include <etl/array.h>

namespace taut::signal {

// Sprockets of a drive, and strands: there are as many.
inline constexpr std::size_t kMaxStrands = 8;
template <typename T>
using PerStrand = etl::array<T, kMaxStrands>;

// Which link and roller are followed round the loop; indices.
struct Tags {
  std::size_t link = 0;
  std::size_t roller = 0;
};

struct ChainOutputs {
  double time_s;
  float tagged_link_N;
  float tagged_roller_contact_N;
  float contact_max_N;
  PerStrand<float> strand_mean_N;    // over the links that lie free in the strand
  PerStrand<float> strand_middle_N;  // of the link across the strand's middle: a fixed place
  PerStrand<float> strand_middle_m;  // that place, to the left of travel
  float arm_angle_rad;
  float arm_speed_rad_s;
  float tightener_x_m;  // centre of the sprocket on the arm
  float tightener_y_m;
  float arm_mass_centre_x_m;
  float arm_mass_centre_y_m;
  float tightener_force_N;
  float piston_travel_m;  // of a hydraulic unit, and its oil
  float chamber_pressure_Pa;
  float valve_flow_m3_s;
  PerStrand<float> sprocket_speed_rad_s;
  PerStrand<float> bearing_x_N;  // force on the bearings of each sprocket
  PerStrand<float> bearing_y_N;
  PerStrand<float> offset_x_m;  // of its centre, where the support yields
  PerStrand<float> offset_y_m;
  float driver_torque_N_m;
  float driver_W;
  float link_W;
  float joint_W;
  float contact_W;
  float friction_W;
  float bearing_W;
  float tightener_W;
  float load_W;
  float supply_W;
};

}  // namespace taut::signal
