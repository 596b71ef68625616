#include "host_tools/taut/swept_quantity.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

const char* const kForms = "write NAME=FROM:TO:STEP or NAME=VALUE,VALUE,...";

[[noreturn]] void refuse(const std::string& over, const std::string& text) {
  throw Failure(ExitCode::kWrongUse, "--over " + over + ": " + text);
}

std::vector<std::string> split(const std::string& text, char between) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == between) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

struct Range {
  double from;
  double to;
  double step;
};

Range parse_range(const std::string& over, const std::vector<std::string>& words) {
  if (words.size() != 3) {
    refuse(over, "is no range; write FROM:TO:STEP, such as 60:90:2");
  }
  std::array<double, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::optional<double> number = parse_number(words[i]);
    if (!number) {
      refuse(over, "\"" + words[i] + "\" is not a number; write FROM:TO:STEP, such as 60:90:2");
    }
    numbers[i] = *number;
  }
  return {numbers[0], numbers[1], numbers[2]};
}

std::size_t count_of(const std::string& over, const Range& range) {
  if (range.step == 0) {
    refuse(over, "a step of 0 leads nowhere; allowed above or below 0");
  }
  constexpr double kFinest = 1e-9;  // values have ten digits
  if (std::abs(range.step) < kFinest * std::max(std::abs(range.from), std::abs(range.to))) {
    refuse(over, "a step of " + general(range.step) + " is lost beside such values; take a larger");
  }
  const double steps = (range.to - range.from) / range.step;
  if (steps < 0) {
    refuse(over, "no value: steps of " + general(range.step) + " do not lead from " +
                     general(range.from) + " to " + general(range.to) + "; a step " +
                     (range.to > range.from ? "above" : "below") + " 0 does");
  }
  constexpr double kRoundOff = 1e-9;  // of a step: (0.5 - 0.1) / 0.1 may be less than 4
  const double count = std::floor(steps + kRoundOff) + 1;
  if (!(count <= static_cast<double>(kMostRuns))) {
    refuse(over, general(count) + " values; allowed 1 to " + std::to_string(kMostRuns) +
                     "; take a larger step");
  }
  return static_cast<std::size_t>(count);
}

std::vector<std::string> range_values(const std::string& over, const Range& range) {
  std::vector<std::string> values;
  const std::size_t count = count_of(over, range);
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(general(range.from + static_cast<double>(i) * range.step));
  }
  return values;
}

std::vector<std::string> list_values(const std::string& over, const std::string& list) {
  std::vector<std::string> values = split(list, ',');
  for (const std::string& value : values) {
    if (value.empty()) {
      refuse(over, std::string("a value is missing; ") + kForms);
    }
  }
  return values;
}

// Without the unit at its end.
std::string bare_name(const SweptQuantity& quantity) {
  const std::string ending = "-" + quantity.unit;
  const std::size_t less = quantity.name.ends_with(ending) ? ending.size() : 0;
  return quantity.name.substr(0, quantity.name.size() - less);
}

}  // namespace

std::string SweptQuantity::label() const {
  return bare_name(*this) + (unit.empty() ? "" : " [" + unit + "]");
}

std::string SweptQuantity::with_value(const std::string& value) const {
  return bare_name(*this) + " = " + value + (unit.empty() ? "" : " " + unit);
}

SweptQuantity parse_swept_quantity(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    refuse(text, kForms);
  }
  const std::string values = text.substr(equals + 1);
  const std::vector<std::string> ends = split(values, ':');
  return {
      text.substr(0, equals), "",
      ends.size() > 1 ? range_values(text, parse_range(text, ends)) : list_values(text, values)};
}

}  // namespace taut::tool
