// A drive file as it is written: sections, keys and values with the place each comes from,
// before anything is checked. Settings of the command line are laid over it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host_tools/taut/problem.h"

namespace taut::tool {

struct RawValue {
  enum class Kind { kInteger, kReal, kText, kOther };
  Kind kind = Kind::kOther;
  double number = 0;  // of kInteger, kReal
  std::string text;   // of kText: the text; of kOther: what it is, "a list"
  std::string shown;  // as written
  Origin origin;
};

struct RawSection {
  Origin origin;
  std::map<std::string, RawValue> values;
};

struct RawDrive {
  std::string file;
  std::map<std::string, RawValue> values;                   // outside of every section
  std::map<std::string, std::vector<RawSection>> sections;  // known names only
};

// Appends what is wrong with the file itself: not there, no TOML, unknown sections, a
// section written as a list or a list as a section.
[[nodiscard]] RawDrive read_raw_drive(const std::string& file, Problems& problems);

// Each KEY=VALUE, such as chain.links=146, sprocket[3].teeth=30, tightener.kind=arm.
void apply_settings(const std::vector<std::string>& settings, RawDrive& raw, Problems& problems);

// "did you mean a or b?", else "known: ...".
[[nodiscard]] std::string suggestion(const std::string& written,
                                     const std::vector<std::string>& known);

}  // namespace taut::tool
