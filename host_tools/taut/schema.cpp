#include "host_tools/taut/schema.h"

#include <algorithm>
#include <type_traits>

#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

// The list a repeated section lies in.
auto* list_of(drive::DriveSpec& spec, const drive::SprocketSpec&) {
  return &spec.sprockets;
}
auto* list_of(drive::DriveSpec& spec, const drive::GuideBarSpec&) {
  return &spec.guide_bars;
}
auto* list_of(drive::DriveSpec& spec, const drive::LinkSpec&) {
  return &spec.special_links;
}

// One of each section, so that for_each_section() shows all of them.
drive::DriveSpec specimen() {
  drive::DriveSpec spec;
  spec.sprockets.emplace_back();
  spec.guide_bars.emplace_back();
  spec.special_links.emplace_back();
  return spec;
}

template <typename Section>
KeyInfo describe(const drive::Field<Section>& field) {
  KeyInfo info{to_std(field.key),   to_std(field.unit), to_std(field.help), field.kind,
               field.required,      field.lowest,       field.highest,      {},
               field.get(Section{})};
  for (const etl::string_view& choice : field.choices) {
    info.choices.push_back(to_std(choice));
  }
  return info;
}

std::vector<SectionInfo> describe_all() {
  std::vector<SectionInfo> sections;
  drive::DriveSpec spec = specimen();
  drive::for_each_section(spec, [&](auto& section, int index) {
    using Section = std::decay_t<decltype(section)>;
    SectionInfo info{to_std(drive::section_name<Section>()), 0, {}};
    if constexpr (requires { list_of(spec, section); }) {
      info.capacity = index > 0 ? list_of(spec, section)->capacity() : 0;
    }
    for (const auto& field : drive::fields<Section>()) {
      info.keys.push_back(describe(field));
    }
    sections.push_back(std::move(info));
  });
  return sections;
}

}  // namespace

std::string to_std(etl::string_view text) {
  return {text.data(), text.size()};
}

bool SectionInfo::required() const {
  return !repeated() &&
         std::any_of(keys.begin(), keys.end(), [](const KeyInfo& key) { return key.required; });
}

std::string SectionInfo::title() const {
  return repeated() ? "[[" + name + "]]" : "[" + name + "]";
}

const KeyInfo* SectionInfo::find(std::string_view key) const {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const KeyInfo& info) { return info.key == key; });
  return found == keys.end() ? nullptr : &*found;
}

const std::vector<SectionInfo>& schema() {
  static const std::vector<SectionInfo> sections = describe_all();
  return sections;
}

const SectionInfo* find_section(std::string_view name) {
  for (const SectionInfo& section : schema()) {
    if (section.name == name) {
      return &section;
    }
  }
  return nullptr;
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const SectionInfo& section : schema()) {
    names.push_back(section.name);
  }
  return names;
}

std::vector<std::string> key_names(const SectionInfo& section) {
  std::vector<std::string> names;
  for (const KeyInfo& key : section.keys) {
    names.push_back(key.key);
  }
  return names;
}

std::string allowed(const KeyInfo& key) {
  if (!key.choices.empty()) {
    return "allowed: " + joined(key.choices);
  }
  const std::string unit = key.unit.empty() ? "" : " " + key.unit;
  return "allowed " + general(key.lowest) + " to " + general(key.highest) + unit;
}

std::string written(const KeyInfo& key, double value) {
  if (!key.choices.empty() && value >= 0 && value < static_cast<double>(key.choices.size())) {
    return key.choices[static_cast<std::size_t>(value)];
  }
  return general(value);
}

void add_section(drive::DriveSpec& spec, std::string_view name) {
  drive::DriveSpec all = specimen();
  drive::for_each_section(all, [&](auto& section, int) {
    using Section = std::decay_t<decltype(section)>;
    if constexpr (requires { list_of(spec, section); }) {
      if (to_std(drive::section_name<Section>()) == name) {
        list_of(spec, section)->emplace_back();
      }
    }
  });
}

void set_value(drive::DriveSpec& spec, std::string_view name, int index, std::string_view key,
               double value) {
  drive::for_each_section(spec, [&](auto& section, int section_index) {
    using Section = std::decay_t<decltype(section)>;
    if (section_index != index || to_std(drive::section_name<Section>()) != name) {
      return;
    }
    for (const auto& field : drive::fields<Section>()) {
      if (to_std(field.key) == key) {
        field.set(section, value);
      }
    }
  });
}

}  // namespace taut::tool
