// Files of [[sections]] that describe no drive: points, faults, damages, orders. Keys are read one
// by one; what is wrong is collected, each with its line.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <toml++/toml.h>
#include <vector>

#include "host_tools/taut/problem.h"

namespace taut::tool {

// One section. A key that nobody has asked for is unknown: finish() says so.
class SectionReader {
 public:
  SectionReader(std::string file, std::string name, const toml::table& table, Problems& problems);

  double number(const std::string& key);  // must be there; 0 where it is wrong
  std::optional<double> optional_number(const std::string& key);
  double whole(const std::string& key, int lowest, int highest);
  double number(const std::string& key, double lowest, double highest, const std::string& unit);
  std::string text(const std::string& key);  // may be missing
  std::vector<std::string> texts(const std::string& key);
  // One of the names, by its place; must be there.
  std::size_t choice(const std::string& key, const std::vector<std::string>& names);
  void finish();

  // At the key's line, or at the section's where it is missing.
  void complain(const std::string& key, const std::string& why);
  // The same with the subject in the text already.
  void complain_as_is(const std::string& key, const std::string& text);
  [[nodiscard]] bool has(const std::string& key) const { return table_.contains(key); }

 private:
  const toml::node* find(const std::string& key);
  [[nodiscard]] Origin origin_of(const std::string& key) const;
  std::string text_of(const toml::node& node, const std::string& key);

  std::string file_;
  std::string name_;
  const toml::table& table_;
  Problems& problems_;
  std::vector<std::string> asked_;
};

struct SectionKind {
  std::string name;
  std::function<void(SectionReader&)> read;
};

// Reads every [[section]] of the file. Throws a Failure (kWrongUse) with all that is wrong: no
// TOML, unknown sections and keys, what the readers complain of, no section at all.
void read_sections(const std::string& file, const std::vector<SectionKind>& kinds);

}  // namespace taut::tool
