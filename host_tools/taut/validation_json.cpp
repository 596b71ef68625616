#include <nlohmann/json.hpp>

#include "host_tools/taut/text.h"
#include "host_tools/taut/validation.h"

namespace taut::tool {
namespace {

using Json = nlohmann::ordered_json;

Json compared_json(const Compared& compared) {
  return {{"full", compared.value.full},
          {"fast", compared.value.fast},
          {"error", compared.error()},
          {"full_windows_differ", compared.full_spread}};
}

Json point_json(const PointComparison& found) {
  Json json = {{"speed_rpm", found.point.speed_rpm},
               {"order", found.point.is_constant() ? Json(nullptr) : Json(found.point.order)},
               {"amplitude_rad_s2", found.point.amplitude_rad_s2},
               {"tightener", found.point.tightener},
               {"set", found.point.settings},
               {"failure", found.failure ? Json(found.failure->what()) : Json(nullptr)}};
  if (found.failure) {
    return json;
  }
  json["full_step_s"] = found.full_step_s;
  json["full_power_gap"] = found.full_power_gap;
  json["strands"] = Json::array();
  for (const StrandFigures& strand : found.strands) {
    Json figures;
    for (const StrandFigure& figure : kStrandFigures) {
      figures[std::string(figure.name) + "_N"] = compared_json(strand.*figure.member);
    }
    json["strands"].push_back(figures);
  }
  json["driver_W"] = compared_json(found.driver_W);
  if (found.tagged) {
    json["tagged_link"] = {{"mean_N", found.tagged->mean_N},
                           {"rms_of_difference_N", found.tagged->rms_N},
                           {"full_passages", found.tagged->full_passages},
                           {"fast_passages", found.tagged->fast_passages},
                           {"same_order", found.tagged->same_order},
                           {"largest_delay_pitches", found.tagged->worst_pitches}};
  }
  for (std::size_t i = 0; i < kHealthColumns.size(); ++i) {
    json["health_steps"][kHealthColumns[i].name] = found.health_steps[i];
  }
  return json;
}

Json summary_json(const Validation& validation, const std::optional<ErrorSummary>& summary,
                  bool of_strand) {
  if (!summary) {
    return nullptr;
  }
  Json json = {{"count", summary->count},
               {"median", summary->median},
               {"median_full_windows_differ", summary->median_spread},
               {"worst", summary->worst},
               {"worst_full_windows_differ", summary->worst_spread},
               {"worst_point", validation.points[summary->worst_point].point.name()}};
  if (of_strand) {
    json["worst_strand"] = summary->worst_strand + 1;
  }
  return json;
}

Json summaries_json(const Validation& validation, bool constant) {
  Json json;
  for (const StrandFigure& figure : kStrandFigures) {
    json[figure.name] = summary_json(validation, summary_of(validation, figure, constant), true);
  }
  json["driver_power"] = summary_json(validation, driver_summary_of(validation, constant), false);
  return json;
}

Json resonance_json(const Resonance& found) {
  return {{"of", found.of},
          {"strand", found.strand + 1},
          {"full_rpm", found.speed_rpm.full},
          {"fast_rpm", found.speed_rpm.fast},
          {"full_height_N", found.height_N.full},
          {"fast_height_N", found.height_N.fast},
          {"height_error", found.height_N.error()}};
}

}  // namespace

nlohmann::ordered_json to_json(const Validation& validation) {
  Json json;
  json["name"] = validation.drive;
  json["windows"] = kWindows;
  json["window_s"] = validation.window_s;
  json["settle_s"] = validation.settle_s;
  json["at_rest"] = Json::array();
  for (const VariantAtRest& variant : validation.at_rest) {
    Json rest = to_json(variant.rest);
    rest["variant"] = variant.variant;
    json["at_rest"].push_back(rest);
  }
  const PointComparison* gap = largest_gap_of(validation);
  json["largest_full_power_gap"] = gap != nullptr ? Json(gap->full_power_gap) : Json(nullptr);
  json["summary"] = {{"constant", summaries_json(validation, true)},
                     {"accelerated", summaries_json(validation, false)}};
  json["resonances"] = Json::array();
  for (const Resonance& resonance : validation.resonances) {
    json["resonances"].push_back(resonance_json(resonance));
  }
  json["points"] = Json::array();
  for (const PointComparison& point : validation.points) {
    json["points"].push_back(point_json(point));
  }
  json["workers"] = validation.workers;
  json["wall_s"] = validation.wall_s;
  json["simulated_s"] = validation.simulated_s;
  return json;
}

// A row a point and strand.
std::string to_csv(const Validation& validation) {
  std::string text =
      "speed_rpm,order,amplitude_rad_s2,tightener,set,failure,full_step_s,full_power_gap,strand";
  for (const StrandFigure& figure : kStrandFigures) {
    for (const char* column : {"full_N", "fast_N", "error", "full_windows_differ"}) {
      text += "," + std::string(figure.name) + "_" + column;
    }
  }
  text += ",driver_full_W,driver_fast_W,driver_error\n";
  for (const PointComparison& found : validation.points) {
    const OperatingPoint& point = found.point;
    const std::string begin = general(point.speed_rpm) + "," +
                              (point.is_constant() ? "" : std::to_string(point.order)) + "," +
                              general(point.amplitude_rad_s2) + "," + point.tightener + "," +
                              csv_cell(joined(point.settings, " ")) + "," +
                              (found.failure ? csv_cell(found.failure->what()) : "");
    if (found.failure) {
      text += begin + "\n";
    }
    for (std::size_t s = 0; s < found.strands.size(); ++s) {
      text += begin + "," + general(found.full_step_s) + "," + general(found.full_power_gap) + "," +
              std::to_string(s + 1);
      for (const StrandFigure& figure : kStrandFigures) {
        const Compared& compared = found.strands[s].*figure.member;
        text += "," + general(compared.value.full) + "," + general(compared.value.fast) + "," +
                general(compared.error()) + "," + general(compared.full_spread);
      }
      text += "," + general(found.driver_W.value.full) + "," + general(found.driver_W.value.fast) +
              "," + general(found.driver_W.error()) + "\n";
    }
  }
  return text;
}

}  // namespace taut::tool
