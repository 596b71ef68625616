#include <algorithm>
#include <nlohmann/json.hpp>

#include "host_tools/taut/run_report.h"
#include "host_tools/taut/sweep_report.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const std::string& value) {
  const std::optional<double> number = parse_number(value);
  return number ? Json(*number) : Json(value);
}

Json over_json(const SweptQuantity& quantity) {
  Json values = Json::array();
  std::transform(quantity.values.begin(), quantity.values.end(), std::back_inserter(values),
                 value_json);
  return {{"name", quantity.name}, {"values", values}};
}

}  // namespace

Json run_json(const SweepReport& report, std::size_t run) {
  const Sweep& sweep = report.sweep;
  const RunOutcome& outcome = report.batch.outcomes[run];
  Json json;
  json["drive"] = sweep.drive_of(run);
  json["over"] = Json::object();
  for (std::size_t q = 0; q < sweep.over.size(); ++q) {
    json["over"][sweep.over[q].name] = value_json(sweep.value_of(run, q));
  }
  json["failure"] = outcome.failure ? Json(outcome.failure->what()) : Json(nullptr);
  if (outcome.result) {
    json.update(to_json(sweep.requests[run], *outcome.result));
  }
  return json;
}

Json to_json(const SweepReport& report) {
  const BatchResult& batch = report.batch;
  Json json;
  json["over"] = Json::array();
  for (const SweptQuantity& quantity : report.sweep.over) {
    json["over"].push_back(over_json(quantity));
  }
  json["runs"] = Json::array();
  for (std::size_t run = 0; run < batch.outcomes.size(); ++run) {
    json["runs"].push_back(run_json(report, run));
  }
  json["failed"] = batch.failed();
  json["workers"] = batch.workers;
  json["wall_s"] = batch.wall_s;
  json["simulated_s"] = batch.simulated_s;
  json["real_time_factor"] = batch.simulated_s / batch.wall_s;
  return json;
}

}  // namespace taut::tool
