#include "host_tools/taut/operating_points.h"

#include <algorithm>
#include <cmath>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/swept_quantity.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/toml_sections.h"

namespace taut::tool {
namespace {

constexpr std::size_t kMostPoints = 10'000;

std::vector<double> numbers_of(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  if (text == "none") {
    return numbers;
  }
  const auto refuse = [&](const std::string& why) {
    throw Failure(ExitCode::kWrongUse, "--" + option + " " + text + ": " + why +
                                           "; write FROM:TO:STEP, VALUE,VALUE,... or none");
  };
  std::vector<std::string> values;
  try {
    values = parse_swept_quantity(option + "=" + text).values;
  } catch (const Failure&) {
    refuse("is no list of numbers");
  }
  for (const std::string& value : values) {
    const std::optional<double> number = parse_number(value);
    if (!number) {
      refuse("\"" + value + "\" is not a number");
    }
    numbers.push_back(*number);
  }
  return numbers;
}

int whole(const std::string& option, double number) {
  if (!(number >= 1 && number <= 1000 && number == std::floor(number))) {
    throw Failure(ExitCode::kWrongUse,
                  "--" + option + ": " + general(number) + ": allowed 1 to 1000, whole numbers");
  }
  return static_cast<int>(number);
}

OperatingPoint read_point(SectionReader& section) {
  OperatingPoint point;
  point.speed_rpm = section.number("speed_rpm");
  point.order = static_cast<int>(section.whole("order", 1, 1000));
  point.amplitude_rad_s2 = section.number("amplitude_rad_s2");
  point.tightener = section.text("tightener");
  point.settings = section.texts("set");
  return point;
}

}  // namespace

std::string OperatingPoint::variant() const {
  std::vector<std::string> words;
  if (!tightener.empty()) {
    words.push_back("tightener " + tightener);
  }
  words.insert(words.end(), settings.begin(), settings.end());
  return joined(words);
}

std::string OperatingPoint::name() const {
  const std::string changed = variant();
  return general(speed_rpm) + " rpm" +
         (is_constant() ? ""
                        : ", order " + std::to_string(order) + ", " + general(amplitude_rad_s2) +
                              " rad/s^2") +
         (changed.empty() ? "" : ", " + changed);
}

std::vector<OperatingPoint> points_of(const PointGrid& grid) {
  std::vector<OperatingPoint> points;
  for (const double speed_rpm : numbers_of("constant", grid.constant_rpm)) {
    points.push_back({speed_rpm, 1, 0, "", {}});
  }
  for (const double order : numbers_of("orders", grid.orders)) {
    for (const double amplitude_rad_s2 : numbers_of("amplitudes", grid.amplitudes_rad_s2)) {
      for (const double speed_rpm : numbers_of("speeds", grid.speeds_rpm)) {
        points.push_back({speed_rpm, whole("orders", order), amplitude_rad_s2, "", {}});
      }
    }
  }
  if (points.empty() || points.size() > kMostPoints) {
    throw Failure(ExitCode::kWrongUse, "--constant, --speeds, --orders, --amplitudes: make " +
                                           std::to_string(points.size()) +
                                           " points; allowed 1 to " + std::to_string(kMostPoints));
  }
  return points;
}

std::vector<OperatingPoint> read_points(const std::string& file) {
  std::vector<OperatingPoint> points;
  read_sections(
      file, {{"point", [&](SectionReader& section) { points.push_back(read_point(section)); }}});
  return points;
}

}  // namespace taut::tool
