// Crank accelerations from CSV files: two columns, a heading and # comments if you like. What
// is wrong with one is said with its line. Not for raw pulses of a sensor.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace taut::tool {

// Over one crank turn: "angle in degrees, rad/s^2", equally spaced, the first at zero. A last
// row at 360 degrees may repeat the first. Throws a Failure (kWrongUse).
[[nodiscard]] std::vector<double> read_acceleration_table(const std::string& file);

struct AccelerationSeries {
  std::vector<float> samples_rad_s2;
  double period_s = 0;  // from one sample to the next
};

// Over time: "time in s, rad/s^2", equally spaced. Throws a Failure (kWrongUse).
[[nodiscard]] AccelerationSeries read_acceleration_series(const std::string& file);

// Reads each file once, for all the runs that name it. Throws as above.
class AccelerationFiles {
 public:
  [[nodiscard]] std::shared_ptr<const std::vector<double>> table(const std::string& file);
  [[nodiscard]] std::shared_ptr<const AccelerationSeries> series(const std::string& file);

 private:
  std::map<std::string, std::shared_ptr<const std::vector<double>>> tables_;
  std::map<std::string, std::shared_ptr<const AccelerationSeries>> series_;
};

}  // namespace taut::tool
