#include "host_tools/taut/operating_points.h"

#include <algorithm>
#include <cmath>
#include <toml++/toml.h>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/raw_drive.h"
#include "host_tools/taut/swept_quantity.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/toml_value.h"

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

// One [[point]] of a file.
class PointReader {
 public:
  PointReader(const std::string& file, const toml::table& table, Problems& problems)
      : file_(file), table_(table), problems_(problems) {}

  OperatingPoint read() {
    OperatingPoint point;
    point.speed_rpm = number("speed_rpm");
    const double order = number("order");
    point.amplitude_rad_s2 = number("amplitude_rad_s2");
    if (order >= 1 && order <= 1000 && order == std::floor(order)) {
      point.order = static_cast<int>(order);
    } else if (table_.contains("order")) {
      complain("order", "allowed 1 to 1000, whole numbers");
    }
    if (const toml::node* tightener = table_.get("tightener")) {
      point.tightener = text(*tightener, "tightener");
    }
    if (const toml::node* list = table_.get("set")) {
      read_settings(*list, point);
    }
    complain_of_unknown_keys();
    return point;
  }

 private:
  void complain_of_unknown_keys() {
    const std::vector<std::string> known{"speed_rpm", "order", "amplitude_rad_s2", "tightener",
                                         "set"};
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        complain(name, "unknown key; " + suggestion(name, known));
      }
    }
  }

  void complain(const std::string& key, const std::string& why) {
    const toml::node* node = table_.get(key);
    const auto line = (node != nullptr ? *node : table_).source().begin.line;
    const Origin origin{file_, static_cast<int>(line), 0, ""};
    problems_.push_back(
        {origin, node != nullptr ? key + " = " + to_raw(*node, origin).shown : key, why});
  }

  double number(const std::string& key) {
    const toml::node* node = table_.get(key);
    const std::optional<double> value = node != nullptr ? node->value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) {
      complain(key, node != nullptr ? "is not a number" : "is missing in this [[point]]; add it");
      return 0;
    }
    return *value;
  }

  std::string text(const toml::node& node, const std::string& key) {
    const std::optional<std::string> value = node.value<std::string>();
    if (!value) {
      complain(key, "is no text; write it in quotes");
    }
    return value.value_or("");
  }

  void read_settings(const toml::node& node, OperatingPoint& point) {
    const toml::array* list = node.as_array();
    if (list == nullptr) {
      complain("set", "is no list; write [\"KEY=VALUE\", ...]");
      return;
    }
    for (const toml::node& element : *list) {
      point.settings.push_back(text(element, "set"));
    }
  }

  const std::string& file_;
  const toml::table& table_;
  Problems& problems_;
};

toml::table parse(const std::string& file) {
  try {
    return toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    throw Failure(ExitCode::kWrongUse, file + (line > 0 ? ":" + std::to_string(line) : "") + ": " +
                                           std::string(error.description()) +
                                           "; name a file with [[point]] sections");
  }
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
  const toml::table root = parse(file);
  Problems problems;
  std::vector<OperatingPoint> points;
  for (const auto& [key, node] : root) {
    const Origin origin{file, static_cast<int>(key.source().begin.line), 0, ""};
    if (key.str() != "point" || !node.is_array_of_tables()) {
      problems.push_back({origin, std::string(key.str()), "unknown; write [[point]] sections"});
      continue;
    }
    for (const toml::node& element : *node.as_array()) {
      points.push_back(PointReader(file, *element.as_table(), problems).read());
    }
  }
  if (points.empty() && problems.empty()) {
    problems.push_back({{file, 0, 0, ""}, "", "has no point; write [[point]] sections"});
  }
  if (!problems.empty()) {
    throw Failure(ExitCode::kWrongUse, Failure(problems).what());
  }
  return points;
}

}  // namespace taut::tool
