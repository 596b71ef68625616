#include "host_tools/taut/toml_sections.h"

#include <algorithm>
#include <cmath>

#include "host_tools/taut/raw_drive.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/toml_value.h"

namespace taut::tool {
namespace {

std::string wanted(const std::vector<SectionKind>& kinds) {
  std::vector<std::string> words;
  words.reserve(kinds.size());
  for (const SectionKind& kind : kinds) {
    words.push_back("[[" + kind.name + "]]");
  }
  return joined(words, " or ") + " sections";
}

toml::table parse_sections(const std::string& file, const std::vector<SectionKind>& kinds) {
  try {
    return toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    throw Failure(ExitCode::kWrongUse, file + (line > 0 ? ":" + std::to_string(line) : "") + ": " +
                                           std::string(error.description()) +
                                           "; name a file with " + wanted(kinds));
  }
}

}  // namespace

SectionReader::SectionReader(std::string file, std::string name, const toml::table& table,
                             Problems& problems)
    : file_(std::move(file)), name_(std::move(name)), table_(table), problems_(problems) {}

const toml::node* SectionReader::find(const std::string& key) {
  asked_.push_back(key);
  return table_.get(key);
}

Origin SectionReader::origin_of(const std::string& key) const {
  const toml::node* node = table_.get(key);
  const auto line = (node != nullptr ? *node : table_).source().begin.line;
  return {file_, static_cast<int>(line), 0, ""};
}

void SectionReader::complain(const std::string& key, const std::string& why) {
  const toml::node* node = table_.get(key);
  const Origin origin = origin_of(key);
  problems_.push_back(
      {origin, node != nullptr ? key + " = " + to_raw(*node, origin).shown : key, why});
}

void SectionReader::complain_as_is(const std::string& key, const std::string& text) {
  problems_.push_back({origin_of(key), "", text});
}

std::optional<double> SectionReader::optional_number(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) {
    return std::nullopt;
  }
  const std::optional<double> value = node->value<double>();
  if (!value || !std::isfinite(*value)) {
    complain(key, "is not a number");
    return std::nullopt;
  }
  return value;
}

double SectionReader::number(const std::string& key) {
  const std::optional<double> value = optional_number(key);
  if (!has(key)) {
    complain(key, "is missing in this [[" + name_ + "]]; add it");
  }
  return value.value_or(0);
}

double SectionReader::whole(const std::string& key, int lowest, int highest) {
  const double value = number(key);
  if (value >= lowest && value <= highest && value == std::floor(value)) {
    return value;
  }
  if (has(key)) {
    complain(key, "allowed " + std::to_string(lowest) + " to " + std::to_string(highest) +
                      ", whole numbers");
  }
  return lowest;
}

double SectionReader::number(const std::string& key, double lowest, double highest,
                             const std::string& unit) {
  const double value = number(key);
  if (has(key) && !(value >= lowest && value <= highest)) {
    complain(key, "allowed " + general(lowest) + " to " + general(highest) + " " + unit);
  }
  return value;
}

std::string SectionReader::text_of(const toml::node& node, const std::string& key) {
  const std::optional<std::string> value = node.value<std::string>();
  if (!value) {
    complain(key, "is no text; write it in quotes");
  }
  return value.value_or("");
}

std::string SectionReader::text(const std::string& key) {
  const toml::node* node = find(key);
  return node != nullptr ? text_of(*node, key) : "";
}

std::vector<std::string> SectionReader::texts(const std::string& key) {
  const toml::node* node = find(key);
  std::vector<std::string> found;
  if (node == nullptr) {
    return found;
  }
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    complain(key, "is no list; write [\"KEY=VALUE\", ...]");
    return found;
  }
  for (const toml::node& element : *list) {
    found.push_back(text_of(element, key));
  }
  return found;
}

std::size_t SectionReader::choice(const std::string& key, const std::vector<std::string>& names) {
  const std::string written = text(key);
  const auto found = std::find(names.begin(), names.end(), written);
  if (found != names.end()) {
    return static_cast<std::size_t>(found - names.begin());
  }
  if (!has(key)) {
    complain(key, "is missing in this [[" + name_ + "]]; allowed " + joined(names));
  } else if (table_.get(key)->is_string()) {
    complain(key, "unknown; " + suggestion(written, names));
  }
  return 0;
}

void SectionReader::finish() {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) {
      complain(name, "unknown key; " + suggestion(name, asked_));
    }
  }
}

void read_sections(const std::string& file, const std::vector<SectionKind>& kinds) {
  const toml::table root = parse_sections(file, kinds);
  Problems problems;
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const SectionKind& known) { return known.name == name; });
    if (kind == kinds.end() || !node.is_array_of_tables()) {
      const Origin origin{file, static_cast<int>(key.source().begin.line), 0, ""};
      problems.push_back({origin, name, "unknown; write " + wanted(kinds)});
      continue;
    }
    for (const toml::node& element : *node.as_array()) {
      SectionReader section(file, name, *element.as_table(), problems);
      kind->read(section);
      section.finish();
    }
  }
  if (root.empty()) {
    problems.push_back(
        {{file, 0, 0, ""}, "", "has no " + kinds.front().name + "; write " + wanted(kinds)});
  }
  if (!problems.empty()) {
    throw Failure(ExitCode::kWrongUse, Failure(problems).what());
  }
}

}  // namespace taut::tool
