#include "host_tools/taut/drive_file.h"

#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "host_tools/taut/drive_library.h"
#include "host_tools/taut/raw_drive.h"
#include "host_tools/taut/schema.h"
#include "host_tools/taut/suggest.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

using drive::FieldKind;

const char* const kNameKey = "name";

std::string path_of(const std::string& section, int index) {
  return index > 0 ? section + "[" + std::to_string(index) + "]" : section;
}

// What stands in the way of reading `value` as the key wants it; empty: nothing.
std::string wrong_type(const KeyInfo& key, const RawValue& value) {
  const bool number = value.kind == RawValue::Kind::kInteger || value.kind == RawValue::Kind::kReal;
  const std::string is = value.kind == RawValue::Kind::kText ? "is text"
                         : number                            ? "is a number"
                                                             : "is " + value.text;
  if (key.kind == FieldKind::kChoice) {
    return value.kind == RawValue::Kind::kText
               ? ""
               : is + ", not a name; " + allowed(key) + "; write one of them in quotes";
  }
  const std::string unit = key.unit.empty() ? "" : " (" + key.unit + ")";
  if (!number) {
    return is + ", not a number; " + allowed(key) + "; write a plain number" + unit +
           " without quotes";
  }
  if (std::isnan(value.number)) {
    return "is not a number (nan); " + allowed(key) + "; write a number" + unit;
  }
  if (key.kind == FieldKind::kInteger && value.kind != RawValue::Kind::kInteger) {
    return "is not a whole number; " + allowed(key) + "; write it without a decimal point";
  }
  return "";
}

std::string out_of_range(const KeyInfo& key, double value) {
  if (value >= key.lowest && value <= key.highest) {
    return "";
  }
  const std::string unit = key.unit.empty() ? "" : " " + key.unit;
  const std::string end = value < key.lowest
                              ? "below the lowest allowed value, " + general(key.lowest) + unit
                              : "above the highest allowed value, " + general(key.highest) + unit;
  return end + "; " + allowed(key) + "; check " +
         (key.unit.empty() ? "the decimal point" : "unit and decimal point") + " (" + key.help +
         ")";
}

// Turns a RawDrive into a DriveSpec; collects what hinders it.
class Conversion {
 public:
  Conversion(const RawDrive& raw, Problems& problems) : raw_(raw), problems_(problems) {}

  drive::DriveSpec run() {
    convert_top();
    for (const SectionInfo& info : schema()) {
      const auto found = raw_.sections.find(info.name);
      if (found != raw_.sections.end()) {
        convert_all(info, found->second);
      } else if (info.required()) {
        report_missing(info);
      }
    }
    return spec_;
  }

 private:
  void report(const Origin& origin, const std::string& subject, const std::string& text) {
    problems_.push_back({origin, subject, text});
  }

  void convert_top() {
    std::string name = std::filesystem::path(raw_.file).stem().string();
    for (const auto& [key, value] : raw_.values) {
      const std::string subject = key + " = " + value.shown;
      if (key != kNameKey) {
        std::vector<std::string> known = section_names();
        known.emplace_back(kNameKey);
        report(value.origin, subject, "unknown key outside of a section; " + advice(key, known));
      } else if (value.kind != RawValue::Kind::kText) {
        report(value.origin, subject, "is not text; write the drive's name in quotes");
      } else {
        name = value.text;
        if (name.empty() || name.size() > spec_.name.max_size()) {
          report(value.origin, subject,
                 "has " + std::to_string(name.size()) + " letters; allowed 1 to " +
                     std::to_string(spec_.name.max_size()) + "; write another name");
        }
      }
    }
    spec_.name.assign(name.data(), std::min(name.size(), spec_.name.max_size()));
  }

  // A key outside of every section: it may have lost its section.
  static std::string advice(const std::string& key, const std::vector<std::string>& known) {
    for (const SectionInfo& info : schema()) {
      if (info.find(key) != nullptr) {
        return "it belongs below " + info.title();
      }
    }
    return suggestion(key, known);
  }

  void convert_all(const SectionInfo& info, const std::vector<RawSection>& list) {
    int index = 0;
    for (const RawSection& section : list) {
      ++index;
      if (info.repeated() && static_cast<std::size_t>(index) > info.capacity) {
        report(section.origin, path_of(info.name, index),
               "there are " + std::to_string(list.size()) + " " + info.title() + "; allowed 0 to " +
                   std::to_string(info.capacity) + "; leave out the others");
        return;
      }
      add_section(spec_, info.name);
      convert_one(info, section, info.repeated() ? index : 0);
    }
  }

  void convert_one(const SectionInfo& info, const RawSection& section, int index) {
    std::set<std::string> meant;  // keys that an unknown one stands for
    for (const auto& [key, value] : section.values) {
      const KeyInfo* known = info.find(key);
      const std::string subject = path_of(info.name, index) + "." + key + " = " + value.shown;
      if (known == nullptr) {
        report(value.origin, subject, "unknown key; " + advice_in(info, key, meant));
      } else if (const auto number = convert(*known, value, subject)) {
        set_value(spec_, info.name, index, key, *number);
      }
    }
    for (const KeyInfo& key : info.keys) {
      if (key.required && !section.values.contains(key.key) && !meant.contains(key.key)) {
        report(section.origin, path_of(info.name, index) + "." + key.key,
               "is missing (" + key.help + "); " + allowed(key) + "; add " + key.key +
                   " = ... below " + info.title());
      }
    }
  }

  // What to do about an unknown key; notes the key that it was taken for.
  static std::string advice_in(const SectionInfo& info, const std::string& key,
                               std::set<std::string>& meant) {
    for (const KeyInfo& known : info.keys) {
      if (differs_in_unit(key, known.key, known.unit)) {
        meant.insert(known.key);
        return "did you mean " + known.key + " (" + known.unit +
               ")? then the value must be given in " + known.unit + "; " + allowed(known);
      }
    }
    const std::vector<std::string> names = nearest(key, key_names(info));
    if (!names.empty()) {
      meant.insert(names.front());
      const KeyInfo& known = *info.find(names.front());
      return "did you mean " + known.key + (known.unit.empty() ? "" : " (" + known.unit + ")") +
             "? " + allowed(known);
    }
    for (const SectionInfo& other : schema()) {
      if (other.find(key) != nullptr) {
        return "it belongs below " + other.title();
      }
    }
    return "known in " + info.title() + ": " + joined(key_names(info));
  }

  std::optional<double> convert(const KeyInfo& key, const RawValue& value,
                                const std::string& subject) {
    std::string wrong = wrong_type(key, value);
    if (!wrong.empty()) {
      report(value.origin, subject, wrong);
      return std::nullopt;
    }
    if (key.kind == FieldKind::kChoice) {
      for (std::size_t i = 0; i < key.choices.size(); ++i) {
        if (key.choices[i] == value.text) {
          return static_cast<double>(i);
        }
      }
      const std::vector<std::string> names = nearest(value.text, key.choices);
      report(value.origin, subject,
             "unknown name; " + allowed(key) +
                 (names.empty() ? "; write one of them" : "; did you mean " + names.front() + "?"));
      return std::nullopt;
    }
    wrong = out_of_range(key, value.number);
    if (!wrong.empty()) {
      report(value.origin, subject, wrong);
      return std::nullopt;
    }
    return value.number;
  }

  void report_missing(const SectionInfo& info) {
    std::vector<std::string> keys;
    for (const KeyInfo& key : info.keys) {
      if (key.required) {
        keys.push_back(key.key);
      }
    }
    report({raw_.file, 0, 0, ""}, info.title(),
           "section is missing; it needs " + joined(keys) + "; add it (see: taut keys " +
               info.name + ")");
  }

  const RawDrive& raw_;
  Problems& problems_;
  drive::DriveSpec spec_;
};

// The place of what validate() names: its key, else its section, else the file.
Problem locate(const drive::SpecError& error, const RawDrive& raw) {
  const std::string section = to_std(error.section);
  const std::string key = to_std(error.key);
  Problem problem{
      {raw.file, 0, 0, ""}, path_of(section, error.index), {error.text.data(), error.text.size()}};
  const SectionInfo* info = find_section(section);
  const KeyInfo* key_info = info == nullptr ? nullptr : info->find(key);
  if (key_info != nullptr) {
    problem.subject += "." + key + " = " + written(*key_info, error.value);
  }
  const auto list = raw.sections.find(section);
  const auto place = static_cast<std::size_t>(error.index > 0 ? error.index - 1 : 0);
  if (list != raw.sections.end() && place < list->second.size()) {
    const RawSection& found = list->second[place];
    const auto value = found.values.find(key);
    problem.origin = value == found.values.end() ? found.origin : value->second.origin;
  }
  return problem;
}

}  // namespace

LoadedDrive load_drive(const DriveRequest& request) {
  LoadedDrive drive{find_drive(request.drive), {}};
  Problems problems;
  RawDrive raw = read_raw_drive(drive.file, problems);
  const bool readable = problems.empty() || !raw.sections.empty();
  if (readable) {
    apply_settings(request.settings, raw, problems);
    drive.spec = Conversion(raw, problems).run();
  }
  if (problems.empty()) {  // how members fit together is worth a look only now
    drive::SpecErrors errors;
    drive::validate(drive.spec, errors, request.fit);
    for (const drive::SpecError& error : errors) {
      problems.push_back(locate(error, raw));
    }
  }
  if (!problems.empty()) {
    throw Failure(std::move(problems));
  }
  return drive;
}

}  // namespace taut::tool
