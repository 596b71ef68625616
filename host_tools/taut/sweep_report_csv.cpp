#include <map>
#include <nlohmann/json.hpp>

#include "host_tools/taut/sweep_report.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

using Json = nlohmann::ordered_json;

// Calls visit(path, leaf) for every number, text, truth or null: strands[1].mean_N.
template <typename Visit>
void for_each_leaf(const Json& json, const std::string& path, const Visit& visit) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      std::string longer = path;
      longer += (path.empty() ? "" : ".") + key;
      for_each_leaf(value, longer, visit);
    }
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      for_each_leaf(json[i], path + "[" + std::to_string(i + 1) + "]", visit);
    }
  } else {
    visit(path, json);
  }
}

// Grows `all` by what it lacks of `one`, each at its place: drives have unlike numbers of
// strands, strands unlike numbers of peaks.
void merge(const Json& one, Json& all) {
  if (all.is_null() && one.is_structured()) {
    all = one.is_object() ? Json::object() : Json::array();
  }
  if (one.is_object()) {
    for (const auto& [key, value] : one.items()) {
      merge(value, all[key]);
    }
  } else if (one.is_array()) {
    for (std::size_t i = 0; i < one.size(); ++i) {
      merge(one[i], all[i]);
    }
  }
}

std::string cell(const Json& leaf) {
  if (leaf.is_null()) {
    return "";
  }
  return leaf.is_string() ? csv_cell(leaf.get<std::string>()) : leaf.dump();
}

std::string row(const Json& run, const std::vector<std::string>& columns) {
  std::map<std::string, std::string> cells;
  for_each_leaf(run, "",
                [&](const std::string& path, const Json& leaf) { cells[path] = cell(leaf); });
  std::vector<std::string> in_order;
  in_order.reserve(columns.size());
  for (const std::string& column : columns) {
    in_order.push_back(cells[column]);
  }
  return joined(in_order, ",") + "\n";
}

}  // namespace

std::string to_csv(const SweepReport& report) {
  const std::size_t runs = report.batch.outcomes.size();
  Json all;
  for (std::size_t run = 0; run < runs; ++run) {
    merge(run_json(report, run), all);
  }
  std::vector<std::string> columns;
  for_each_leaf(all, "", [&](const std::string& path, const Json&) { columns.push_back(path); });
  std::string text = joined(columns, ",") + "\n";
  for (std::size_t run = 0; run < runs; ++run) {
    text += row(run_json(report, run), columns);
  }
  return text;
}

}  // namespace taut::tool
