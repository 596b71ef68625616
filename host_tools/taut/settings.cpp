#include <charconv>
#include <optional>
#include <string>
#include <toml++/toml.h>

#include "host_tools/taut/raw_drive.h"
#include "host_tools/taut/schema.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/toml_value.h"

namespace taut::tool {
namespace {

struct Target {
  std::string section;  // empty: outside of every section
  int index = 0;        // 0: none written
  std::string key;
};

// section.key, section[3].key or key.
std::optional<Target> split(const std::string& path) {
  Target target;
  const std::size_t point = path.find('.');
  target.key = point == std::string::npos ? path : path.substr(point + 1);
  target.section = point == std::string::npos ? "" : path.substr(0, point);
  const std::size_t bracket = target.section.find('[');
  if (bracket != std::string::npos) {
    const char* begin = target.section.data() + bracket + 1;
    const char* end = target.section.data() + target.section.size() - 1;
    const auto [stop, error] = std::from_chars(begin, end, target.index);
    if (*end != ']' || error != std::errc() || stop != end || target.index < 1) {
      return std::nullopt;
    }
    target.section.resize(bracket);
  }
  if (target.key.empty() || (point != std::string::npos && target.section.empty())) {
    return std::nullopt;
  }
  return target;
}

// As in a file, but that text needs no quotes.
RawValue parse_value(const std::string& text, const Origin& origin) {
  try {
    const toml::table table = toml::parse("value = " + text + "\n");
    if (table.size() == 1) {
      return to_raw(*table.get("value"), origin);
    }
  } catch (const toml::parse_error&) {  // a bare word
  }
  RawValue value;
  value.kind = RawValue::Kind::kText;
  value.text = text;
  value.shown = text;
  value.origin = origin;
  return value;
}

// The section a setting goes to; says what is wrong and returns null if there is none.
RawSection* find_target(const Target& target, const Origin& origin, RawDrive& raw,
                        Problems& problems) {
  const auto fail = [&](const std::string& text) -> RawSection* {
    problems.push_back({origin, target.section, text});
    return nullptr;
  };
  const SectionInfo* info = find_section(target.section);
  if (info == nullptr) {
    return fail("unknown section; " + suggestion(target.section, section_names()));
  }
  std::vector<RawSection>& list = raw.sections[target.section];
  if (!info->repeated()) {
    if (target.index > 0) {
      return fail("occurs once; write " + info->name + "." + target.key + "=...");
    }
    if (list.empty()) {
      list.emplace_back().origin = origin;
    }
    return &list.front();
  }
  const std::string form = info->name + "[1]." + target.key + "=...";
  if (target.index == 0) {
    return fail("there are " + std::to_string(list.size()) + " of these; say which: " + form);
  }
  const auto index = static_cast<std::size_t>(target.index);
  if (index == list.size() + 1) {  // a new one
    list.emplace_back().origin = origin;
  }
  if (index > list.size()) {
    return fail("there is no number " + std::to_string(target.index) + ", the file has " +
                std::to_string(list.size()) + "; a new one would be " + info->name + "[" +
                std::to_string(list.size() + 1) + "]");
  }
  return &list[index - 1];
}

}  // namespace

void apply_settings(const std::vector<std::string>& settings, RawDrive& raw, Problems& problems) {
  for (const std::string& setting : settings) {
    const Origin origin{"", 0, 0, "--set " + setting};
    const std::size_t equals = setting.find('=');
    const std::optional<Target> target =
        equals == std::string::npos ? std::nullopt : split(setting.substr(0, equals));
    if (!target || equals + 1 == setting.size()) {
      problems.push_back({origin, "",
                          "not of the form KEY=VALUE; write for example chain.links=146 or "
                          "sprocket[3].teeth=30"});
      continue;
    }
    const RawValue value = parse_value(setting.substr(equals + 1), origin);
    if (target->section.empty()) {
      raw.values[target->key] = value;
    } else if (RawSection* section = find_target(*target, origin, raw, problems)) {
      section->values[target->key] = value;
    }
  }
}

}  // namespace taut::tool
