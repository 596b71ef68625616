#include <nlohmann/json.hpp>

#include "host_tools/taut/run_report.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

using Json = nlohmann::ordered_json;

Json force_json(const ForceStatistics& force) {
  return {{"mean_N", force.mean_N},
          {"sd_N", force.sd_N},
          {"max_N", force.max_N},
          {"p999_N", force.p999_N}};
}

Json strand_json(const StrandStatistics& strand) {
  Json json = force_json(strand.tension);
  json["mean_of_links_N"] = strand.mean_of_links_N;
  json["peaks_Hz"] = strand.peaks_Hz;
  json["mid_peaks_Hz"] = strand.mid_peaks_Hz;
  json["mid_mean_m"] = strand.mid_mean_m;
  json["mid_sd_m"] = strand.mid_sd_m;
  return json;
}

Json tightener_json(const RunRequest& request, const TightenerStatistics& tightener) {
  if (request.spec.tightener.kind == drive::TightenerKind::kNone) {
    return nullptr;
  }
  Json json = {{"centre_m", {tightener.centre_x_m, tightener.centre_y_m}},
               {"arm_angle_rad", tightener.arm_angle_rad},
               {"arm_sd_rad", tightener.arm_sd_rad},
               {"com_peaks_Hz", tightener.com_peaks_Hz}};
  if (drive::has_arm(request.spec.tightener.kind)) {
    json["force_mean_N"] = tightener.force_mean_N;
  }
  if (request.spec.tightener.kind == drive::TightenerKind::kHydraulic) {
    json["piston_travel_mean_m"] = tightener.travel_mean_m;
    json["chamber_pressure_mean_Pa"] = tightener.pressure_mean_Pa;
    json["chamber_pressure_max_Pa"] = tightener.pressure_max_Pa;
    json["valve_flow_mean_m3_s"] = tightener.flow_mean_m3_s;
  }
  return json;
}

Json power_json(const RunStatistics& statistics) {
  Json json;
  for (std::size_t i = 0; i < kPowerColumns.size(); ++i) {
    json[kPowerColumns[i].name] = statistics.power_W[i];
  }
  return json;
}

Json steady_json(const SteadyReport& steady) {
  if (!steady.judged) {
    return nullptr;
  }
  Json json = {{"reached", steady.reached}, {"from_s", nullptr}, {"last_imbalance", nullptr}};
  if (steady.reached) {
    json["from_s"] = steady.from_s;
  }
  if (steady.turns > 0) {
    json["last_imbalance"] = steady.last_imbalance;
  }
  return json;
}

Json crank_json(const RunRequest& request, const RunResult& result) {
  Json json = {{"mean_speed_rpm", to_rpm(result.statistics.crank_mean_rad_s)}};
  if (request.crank.table_rad_s2) {
    json["table_mean_removed_rad_s2"] = result.table_mean_removed_rad_s2;
  }
  return json;
}

// Steps of the window at which the reduced model asked for caution.
Json health_json(const HealthSteps& steps) {
  Json json;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    json[kHealthColumns[i].name] = steps[i];
  }
  return json;
}

}  // namespace

Json to_json(const RunRequest& request, const RunResult& result) {
  const RunStatistics& found = result.statistics;
  const double end_s = request.duration_s();
  Json json;
  json["name"] = request.spec.name.c_str();
  json["model"] = request.model;
  json["speed_rpm"] = to_rpm(request.crank.speed_rad_s);
  json["strands"] = Json::array();
  for (const StrandStatistics& strand : found.strands) {
    json["strands"].push_back(strand_json(strand));
  }
  json["tagged_link"] = force_json(found.tagged_link);
  json["tagged_roller"] = {{"mean_N", found.tagged_roller_mean_N},
                           {"max_N", found.tagged_roller_max_N}};
  json["link_max_N"] = found.link_max_N;
  json["contact_max_N"] = found.contact_max_N;
  json["tightener"] = tightener_json(request, found.tightener);
  json["bearings"] = Json::array();
  for (const BearingStatistics& bearing : found.bearings) {
    json["bearings"].push_back({{"mean_x_N", bearing.mean_x_N},
                                {"mean_y_N", bearing.mean_y_N},
                                {"max_N", bearing.max_N},
                                {"offset_max_m", bearing.offset_max_m}});
  }
  json["power_W"] = power_json(found);
  json["steady"] = steady_json(result.steady);
  if (request.is_reduced()) {
    json["health_steps"] = health_json(result.health_steps);
  }
  json["crank"] = crank_json(request, result);
  json["window_s"] = {request.time_s(request.window_begin), end_s};
  json["step_s"] = request.step.step_s;
  json["integrator"] = request.integrator;
  json["precision"] = request.precision;
  json["wall_s"] = result.wall_s;
  json["steps"] = request.steps;
  json["real_time_factor"] = end_s / result.wall_s;
  json["state_hash"] = hexadecimal(result.state_hash, 16);
  return json;
}

}  // namespace taut::tool
