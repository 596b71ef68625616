// The field table of sim_core/drive/fields.h without its types: sections and keys by name.
// The one bridge between names in a file and members of a DriveSpec; lists no key itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/fields.h"

namespace taut::tool {

[[nodiscard]] std::string to_std(etl::string_view text);

struct KeyInfo {
  std::string key;
  std::string unit;
  std::string help;
  drive::FieldKind kind;
  bool required;
  double lowest;
  double highest;
  std::vector<std::string> choices;
  double standard;  // what an absent key means
};

struct SectionInfo {
  std::string name;
  std::size_t capacity;  // 0: occurs once, as [name]; else up to so many [[name]]
  std::vector<KeyInfo> keys;

  [[nodiscard]] bool repeated() const { return capacity > 0; }
  [[nodiscard]] bool required() const;      // one that occurs once, with a required key
  [[nodiscard]] std::string title() const;  // "[chain]", "[[sprocket]]"
  [[nodiscard]] const KeyInfo* find(std::string_view key) const;
};

[[nodiscard]] const std::vector<SectionInfo>& schema();
[[nodiscard]] const SectionInfo* find_section(std::string_view name);
[[nodiscard]] std::vector<std::string> section_names();
[[nodiscard]] std::vector<std::string> key_names(const SectionInfo& section);

// "allowed 0.004 to 0.5 m", "allowed: none, fixed, arm".
[[nodiscard]] std::string allowed(const KeyInfo& key);
// A value of the key as it is written in a file.
[[nodiscard]] std::string written(const KeyInfo& key, double value);

// index as in for_each_section(): 0 for a section that occurs once, else from 1.
void add_section(drive::DriveSpec& spec, std::string_view section);
void set_value(drive::DriveSpec& spec, std::string_view section, int index, std::string_view key,
               double value);

}  // namespace taut::tool
