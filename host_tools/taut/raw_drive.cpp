#include "host_tools/taut/raw_drive.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <toml++/toml.h>

#include "host_tools/taut/schema.h"
#include "host_tools/taut/suggest.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/toml_value.h"

namespace taut::tool {
namespace {

constexpr std::uintmax_t kLongestFile = 1'000'000;  // bytes; a drive has a few thousand

int line_of(const toml::source_region& source) {
  return static_cast<int>(source.begin.line);
}

Origin origin_of(const std::string& file, const toml::source_region& source) {
  return {file, line_of(source), 0, ""};
}

std::optional<std::string> read_text(const std::string& file, Problems& problems) {
  namespace fs = std::filesystem;
  const auto fail = [&](const std::string& text) {
    problems.push_back({{file, 0, 0, ""}, "", text});
    return std::nullopt;
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) {
    return fail("no such file; check the path, or list the library: taut drives");
  }
  if (!fs::is_regular_file(status)) {
    return fail(fs::is_directory(status) ? "is a folder; name a drive file (.toml) in it"
                                         : "is not a file; name a drive file (.toml)");
  }
  const std::uintmax_t size = fs::file_size(file, error);
  if (!error && size > kLongestFile) {
    return fail("has " + std::to_string(size) + " bytes; a drive file has at most " +
                std::to_string(kLongestFile) + "; name a drive file (.toml)");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad()) {
    return fail(std::string("cannot be read: ") + std::strerror(errno) + "; check its permissions");
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return fail("is empty; copy a drive of the library (taut drives), keys: taut keys");
  }
  return text;
}

std::optional<toml::table> parse(const std::string& file, const std::string& text,
                                 Problems& problems) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    Origin origin = origin_of(file, error.source());
    origin.column = static_cast<int>(error.source().begin.column);
    problems.push_back({origin, "",
                        "not valid TOML: " + std::string(error.description()) +
                            "; mend this place, what follows was not read"});
    return std::nullopt;
  }
}

void read_section(const std::string& file, const toml::table& table, RawSection& section) {
  for (const auto& [key, node] : table) {
    section.values.emplace(std::string(key.str()), to_raw(node, origin_of(file, key.source())));
  }
}

void read_once(const SectionInfo& info, const toml::node& node, const Origin& origin, RawDrive& raw,
               Problems& problems) {
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    problems.push_back({origin, info.name,
                        (node.is_array() ? "occurs once, not as a list; write " + info.title()
                                         : "is a section, not a value; write " + info.title()) +
                            " and its keys below it"});
    return;
  }
  RawSection& section = raw.sections[info.name].emplace_back();
  section.origin = origin;
  read_section(raw.file, *table, section);
}

void read_list(const SectionInfo& info, const toml::node& node, const Origin& origin, RawDrive& raw,
               Problems& problems) {
  const toml::array* list = node.as_array();
  if (list == nullptr) {
    problems.push_back(
        {origin, info.name, "is one of a list; write " + info.title() + " in double brackets"});
    return;
  }
  for (const toml::node& element : *list) {
    const Origin place = origin_of(raw.file, element.source());
    const toml::table* table = element.as_table();
    if (table == nullptr) {
      problems.push_back(
          {place, info.name,
           "an element is not a section; write " + info.title() + " and its keys below it"});
      continue;
    }
    RawSection& section = raw.sections[info.name].emplace_back();
    section.origin = place;
    read_section(raw.file, *table, section);
  }
}

}  // namespace

std::string suggestion(const std::string& written, const std::vector<std::string>& known) {
  constexpr std::size_t kMost = 3;
  const std::vector<std::string> names = nearest(written, known, kMost);
  return names.empty() ? "known: " + joined(known) : "did you mean " + joined(names, " or ") + "?";
}

RawDrive read_raw_drive(const std::string& file, Problems& problems) {
  RawDrive raw;
  raw.file = file;
  const std::optional<std::string> text = read_text(file, problems);
  const std::optional<toml::table> root = text ? parse(file, *text, problems) : std::nullopt;
  if (!root) {
    return raw;
  }
  for (const auto& [key, node] : *root) {
    const std::string name(key.str());
    const Origin origin = origin_of(file, key.source());
    if (const SectionInfo* info = find_section(name)) {
      (info->repeated() ? read_list : read_once)(*info, node, origin, raw, problems);
    } else if (node.is_table() || node.is_array_of_tables()) {
      problems.push_back({origin, name, "unknown section; " + suggestion(name, section_names())});
    } else {
      raw.values.emplace(name, to_raw(node, origin));
    }
  }
  return raw;
}

}  // namespace taut::tool
