// Where two models of a drive are compared: speeds, orders and amplitudes of the crankshaft's
// acceleration as a grid, or a list from a file.
#pragma once

#include <string>
#include <vector>

namespace taut::tool {

struct OperatingPoint {
  double speed_rpm = 0;
  int order = 1;  // of the crankshaft's acceleration
  double amplitude_rad_s2 = 0;
  std::string tightener;              // empty: as the drive says
  std::vector<std::string> settings;  // KEY=VALUE each, as --set

  [[nodiscard]] bool is_constant() const { return amplitude_rad_s2 == 0; }
  [[nodiscard]] std::string name() const;     // "76 rpm, order 6, 4 rad/s^2, tightener fixed"
  [[nodiscard]] std::string variant() const;  // what the drive is changed by: "tightener fixed"
};

// Each as FROM:TO:STEP, VALUE,VALUE,... or "none".
struct PointGrid {
  std::string constant_rpm = "40:90:10";  // without acceleration
  std::string speeds_rpm = "56:90:2";     // of all orders and amplitudes
  std::string orders = "6";
  std::string amplitudes_rad_s2 = "2:7:1";
};

// Throws a Failure (kWrongUse) that names the option.
[[nodiscard]] std::vector<OperatingPoint> points_of(const PointGrid& grid);

// [[point]] sections with speed_rpm, order, amplitude_rad_s2 and, where they differ from the
// drive's, tightener and set (a list of KEY=VALUE). Throws a Failure (kWrongUse) with all problems.
[[nodiscard]] std::vector<OperatingPoint> read_points(const std::string& file);

}  // namespace taut::tool
