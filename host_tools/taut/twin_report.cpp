#include <nlohmann/json.hpp>

#include "host_tools/taut/text.h"
#include "host_tools/taut/twin_run.h"
#include "sim_core/roller_chain/step_size.h"
#include "sim_core/signal/prediction.h"

namespace taut::tool {
namespace {

using Json = nlohmann::ordered_json;

constexpr HealthReason kReasons[] = {
    {signal::kCrankNotSynced, "crank not synced"},
    {signal::kCrankCoasting, "crank coasting"},
    {signal::kBadAcceleration, "crank acceleration bad"},
    {signal::kBadLinkForce, "link force bad"},
    {signal::kBadTightenerAcceleration, "tightener acceleration bad"},
    {signal::kBadTightenerPosition, "tightener position bad"},
    {signal::kStaleFrame, "frame out of order"},
    {signal::kEdgesLost, "edges lost"},
    {signal::kModelOutside, "outside of the model"},
    {signal::kReduceAgain, "worn: reduce again"},
    {signal::kNotSettled, "not settled"},
    {signal::kFaultyModel, "chain restarted"},
    {signal::kBadEdges, "edges bad"},
    {signal::kBadIndex, "index missing"},
    {signal::kModelDisagrees, "model disagrees with measurements"},
    {signal::kPlaceLost, "place of the chain lost"},
};

constexpr const char* kTrusts[] = {"valid", "degraded", "invalid"};

Json to_json(const TraceComparison& trace) {
  return {{"ticks", trace.ticks},
          {"mean", trace.mean},
          {"sd", trace.sd},
          {"bias", trace.bias},
          {"rms", trace.rms},
          {"slow_rms", trace.slow_rms},
          {"correlation", trace.correlation},
          {"delay_s", trace.delay_s}};
}

void add_row(TextTable& table, const std::string& name, const TraceComparison& trace,
             double scale) {
  table.add({name, fixed(trace.mean * scale, 3), fixed(trace.sd * scale, 3),
             fixed(trace.bias * scale, 3), fixed(trace.rms * scale, 3),
             fixed(trace.slow_rms * scale, 3), fixed(trace.correlation, 4),
             fixed(trace.delay_s * 1e3, 1)});
}

}  // namespace

etl::span<const HealthReason> health_reasons() {
  return kReasons;
}

const char* trust_text(signal::Trust trust) {
  return kTrusts[static_cast<std::size_t>(trust)];
}

std::string health_text(std::uint32_t health) {
  std::vector<std::string> reasons;
  for (const auto& [bit, text] : kReasons) {
    if ((health & bit) != 0) {
      reasons.emplace_back(text);
    }
  }
  return std::string(trust_text(signal::trust_of(health))) +
         (reasons.empty() ? "" : ": " + joined(reasons));
}

std::string to_text(const TwinRequest& request, const TwinReport& report) {
  const double run_s = static_cast<double>(report.ticks) * roller_chain::kTick_s;
  const bool on_rig = request.against.empty();
  std::string text = std::string(request.rig.drive.name.c_str()) + ": " + request.model +
                     " twin against " + (on_rig ? "the rig" : request.against) + ", " +
                     general(run_s) + " s, " + fixed(run_s / report.wall_s, 1) +
                     " times real time" + (on_rig ? ", rig included" : "") +
                     (report.is_whole ? "" : "; the log is cut off after them") + "\n";
  if (report.compared_from_s) {
    text += "  the gauge is on link " + std::to_string(report.tagged_link + 1) +
            " of the twin; compared from " + fixed(*report.compared_from_s, 1) + " s on\n";
    TextTable table({"predicted against", "mean", "sd", "bias", "rms", "rms below 20 Hz",
                     "correlation", "delay [ms]"});
    table.left(0);
    add_row(table, "measured link force [kN]", report.link_measured, 1e-3);
    add_row(table, "measured tightener place [mm]", report.position_measured, 1e3);
    add_row(table, "measured tightener acceleration [m/s^2]", report.acceleration_measured, 1);
    if (report.truth) {
      add_row(table, "true link force [kN]", report.truth->link, 1e-3);
      add_row(table, "true tightener place [mm]", report.truth->position, 1e3);
      add_row(table, "true tightener acceleration [m/s^2]", report.truth->acceleration, 1);
      add_row(table, "true crank speed [rad/s]", report.truth->speed, 1);
    }
    text += table.text();
  } else {
    text +=
        "  too short to compare: the chain has to settle, then go round once with a good gauge\n";
  }
  text += "  a tick of the twin took " + fixed(report.mean_tick_s * 1e6, 1) + " us, at worst " +
          fixed(report.worst_tick_s * 1e6, 1) + " us; longer than the " +
          general(roller_chain::kTick_s * 1e3) + " ms it has: " + std::to_string(report.overruns) +
          "\n";
  text += "  ticks valid " + std::to_string(report.ticks_by_trust[0]) + ", degraded " +
          std::to_string(report.ticks_by_trust[1]) + ", invalid " +
          std::to_string(report.ticks_by_trust[2]) + "; health over time:\n";
  for (const HealthChange& change : report.timeline) {
    text += "    " + fixed(change.time_s, 4) + " s  " + health_text(change.health) + "\n";
  }
  return text;
}

Json to_json(const TwinRequest& request, const TwinReport& report) {
  Json json;
  json["drive"] = request.rig.drive.name.c_str();
  json["model"] = request.model;
  json["against"] = request.against.empty() ? "rig" : request.against;
  json["duration_s"] = static_cast<double>(report.ticks) * roller_chain::kTick_s;
  json["is_whole"] = report.is_whole;
  json["wall_s"] = report.wall_s;
  json["compared_from_s"] = report.compared_from_s ? Json(*report.compared_from_s) : Json();
  json["tagged_link"] = report.tagged_link + 1;
  json["link_force_measured_N"] = to_json(report.link_measured);
  json["tightener_position_measured_m"] = to_json(report.position_measured);
  json["tightener_acceleration_measured_m_s2"] = to_json(report.acceleration_measured);
  if (report.truth) {
    json["link_force_true_N"] = to_json(report.truth->link);
    json["tightener_position_true_m"] = to_json(report.truth->position);
    json["tightener_acceleration_true_m_s2"] = to_json(report.truth->acceleration);
    json["crank_speed_true_rad_s"] = to_json(report.truth->speed);
  }
  for (std::size_t i = 0; i < report.ticks_by_trust.size(); ++i) {
    json["ticks"][kTrusts[i]] = report.ticks_by_trust[i];
  }
  json["tick"] = {{"mean_s", report.mean_tick_s},
                  {"worst_s", report.worst_tick_s},
                  {"overruns", report.overruns}};
  json["health"] = Json::array();
  for (const HealthChange& change : report.timeline) {
    json["health"].push_back({{"time_s", change.time_s},
                              {"trust", trust_text(signal::trust_of(change.health))},
                              {"word", change.health},
                              {"text", health_text(change.health)}});
  }
  return json;
}

}  // namespace taut::tool
