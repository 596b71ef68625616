// What a sweep changes from run to run: an option of `taut run`, or a key of the drive.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace taut::tool {

inline constexpr std::size_t kMostRuns = 100'000;  // of a sweep

struct SweptQuantity {
  std::string name;                 // speed-rpm, chain.joint_damping_N_m_s
  std::string unit;                 // of an option; a key has it at its end
  std::vector<std::string> values;  // as they would be written on the command line

  [[nodiscard]] bool is_drive_key() const { return name.find('.') != std::string::npos; }
  [[nodiscard]] std::string label() const;  // "speed [rpm]"
  // "speed = 60 rpm"
  [[nodiscard]] std::string with_value(const std::string& value) const;
};

// From NAME=FROM:TO:STEP, ends included, or NAME=VALUE,VALUE,... Throws a Failure (kWrongUse).
[[nodiscard]] SweptQuantity parse_swept_quantity(const std::string& text);

}  // namespace taut::tool
