// What follows from a drive's geometry alone, for people and as JSON: loop, strands, wraps,
// speeds, bars, tightener. Pitch circles and straight strands; no equilibrium, no motion.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/geometry.h"

namespace taut::tool {

struct StrandSummary {
  double length_m;
  double length_pitches;
  double direction_rad;  // of travel, (-pi, pi]
  bool inner;            // crosses between its sprockets
};

struct WrapSummary {
  double angle_rad;
  double pitch_radius_m;
  double seated_rollers;  // in the mean; at any moment one of the whole numbers around it
  double speed_rpm;       // counter-clockwise positive
};

struct BarSummary {
  double begin_m;  // of bar with its ends, along its strand
  double end_m;
  double rollers;  // over the flat part
  double pressed_m;
  double stiffness_N_m_n;
};

struct TightenerSummary {
  double arm_m;          // hinge to axle
  double arm_angle_rad;  // of the axle about the hinge
  double spring_length_m;
  double spring_force_N;    // pushing, in the position of the drawing
  double rest_pressure_Pa;  // of a hydraulic unit
  double oil_force_N;       // at that pressure, the way the unit acts
  double oil_stiffness_N_m;
  double leak_down_s;  // time constant with the piston held
};

struct DriveSummary {
  double chain_length_m;       // worn, without tension
  double loop_m;               // that such a chain lies on
  double strain;               // loop against chain
  double placement_tension_N;  // of that strain, on seats that do not give way
  double speed_m_s;
  double tooth_frequency_Hz;
  double centrifugal_tension_N;
  std::vector<StrandSummary> strands;
  std::vector<WrapSummary> wraps;
  std::vector<BarSummary> bars;
  TightenerSummary tightener;  // of use where the drive has one
};

[[nodiscard]] DriveSummary summarise(const drive::DriveSpec& spec, const drive::Geometry& geometry);
[[nodiscard]] std::string to_text(const drive::DriveSpec& spec, const DriveSummary& summary);
[[nodiscard]] nlohmann::ordered_json to_json(const drive::DriveSpec& spec,
                                             const DriveSummary& summary);

}  // namespace taut::tool
