#include <algorithm>
#include <nlohmann/json.hpp>

#include "host_tools/taut/fault_matrix.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/twin_run.h"

namespace taut::tool {
namespace {

using Json = nlohmann::ordered_json;

const std::string& name_of(rig::Sensor sensor) {
  return rig::sensor_names()[static_cast<std::size_t>(sensor)];
}

const std::string& name_of(rig::FaultKind kind) {
  return rig::fault_names()[static_cast<std::size_t>(kind)];
}

// One kind of fault of one sensor, all phases together.
struct Row {
  rig::Fault fault;
  std::size_t cases = 0;
  std::vector<double> noticed_s;
  std::vector<double> recovered_s;
  std::uint32_t health = 0;
  double valid_error = 0;
  double told_error = 0;
  std::size_t wrong = 0;
  bool is_finite = true;

  void add(const FaultOutcome& outcome) {
    ++cases;
    if (outcome.noticed_s) {
      noticed_s.push_back(*outcome.noticed_s);
    }
    if (outcome.recovered_s) {
      recovered_s.push_back(*outcome.recovered_s);
    }
    const auto trust = std::max(signal::trust_of(health), signal::trust_of(outcome.health));
    health = ((health | outcome.health) & ~signal::kTrustMask) | static_cast<std::uint32_t>(trust);
    valid_error = std::max(valid_error, outcome.valid_error);
    told_error = std::max(told_error, outcome.told_error);
    wrong += outcome.is_wrong() ? 1U : 0U;
    is_finite = is_finite && outcome.is_finite;
  }
};

std::vector<Row> rows_of(const FaultMatrix& matrix) {
  std::vector<Row> rows;
  for (const FaultOutcome& outcome : matrix.outcomes) {
    const rig::Fault& fault = outcome.fault;
    if (rows.empty() || rows.back().fault.sensor != fault.sensor ||
        rows.back().fault.kind != fault.kind) {
      rows.emplace_back();
      rows.back().fault = fault;
    }
    rows.back().add(outcome);
  }
  return rows;
}

// Median and worst, in the unit that the factor makes; with how many, where not all.
std::string times(std::vector<double> seconds, std::size_t of, double factor, int decimals) {
  if (seconds.empty()) {
    return "never";
  }
  std::sort(seconds.begin(), seconds.end());
  const std::string text = fixed(seconds[seconds.size() / 2] * factor, decimals) + ", " +
                           fixed(seconds.back() * factor, decimals);
  return seconds.size() == of
             ? text
             : text + " (" + std::to_string(seconds.size()) + " of " + std::to_string(of) + ")";
}

std::string size_text(const rig::Fault& fault) {
  const rig::SizeRule rule = rig::size_rule(fault.sensor, fault.kind);
  return rule.needed ? rough(fault.size) : "";
}

std::string percent(double part) {
  return fixed(part * 100, 1);
}

Json to_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

std::string to_text(const FaultMatrixRequest& request, const FaultMatrix& matrix) {
  std::string text = std::string(request.rig.drive.name.c_str()) + ": " + request.model +
                     " twin, " + std::to_string(matrix.outcomes.size()) + " faults of " +
                     general(request.fault_s) + " s from " + fixed(matrix.begin_s, 1) +
                     " s on, each watched for " + general(request.watch_s) + " s more; " +
                     fixed(matrix.wall_s, 0) + " s on " + std::to_string(matrix.threads) +
                     " threads\n"
                     "  times: median, worst; error of the tagged link's force below " +
                     general(kSlow_Hz) + " Hz, RMS over " + general(kWrongFor_s * 1e3) +
                     " ms, in % of its mean (" + fixed(matrix.mean_N * 1e-3, 1) + " kN)\n";
  TextTable table({"sensor", "fault", "size", "noticed [ms]", "well again [s]", "told error",
                   "valid error", "says"});
  table.left(0);
  table.left(1);
  table.left(7);
  for (const Row& row : rows_of(matrix)) {
    table.add({name_of(row.fault.sensor), name_of(row.fault.kind), size_text(row.fault),
               times(row.noticed_s, row.cases, 1e3, 1), times(row.recovered_s, row.cases, 1, 2),
               percent(row.told_error), percent(row.valid_error) + (row.wrong > 0 ? " WRONG" : ""),
               health_text(row.health) + (row.is_finite ? "" : "; NOT FINITE")});
  }
  return text + table.text() + "  wrong and not told: " + std::to_string(matrix.wrong()) + " of " +
         std::to_string(matrix.outcomes.size()) + "\n";
}

std::string to_csv(const FaultMatrix& matrix) {
  std::string text =
      "sensor,kind,size,phase_deg,at_s,until_s,noticed_s,recovered_s,health,says,told_error,"
      "valid_error,finite,wrong\n";
  const auto time = [](const std::optional<double>& value) {
    return value ? fixed(*value, 4) : std::string();
  };
  for (const FaultOutcome& outcome : matrix.outcomes) {
    const rig::Fault& fault = outcome.fault;
    text += joined({name_of(fault.sensor), name_of(fault.kind), general(fault.size),
                    fixed(outcome.phase_deg, 1), fixed(fault.at_s, 4), fixed(fault.until_s, 4),
                    time(outcome.noticed_s), time(outcome.recovered_s),
                    std::to_string(outcome.health), csv_cell(health_text(outcome.health)),
                    fixed(outcome.told_error, 4), fixed(outcome.valid_error, 4),
                    outcome.is_finite ? "1" : "0", outcome.is_wrong() ? "1" : "0"},
                   ",") +
            "\n";
  }
  return text;
}

Json to_json(const FaultMatrixRequest& request, const FaultMatrix& matrix) {
  Json json;
  json["drive"] = request.rig.drive.name.c_str();
  json["model"] = request.model;
  json["fault_s"] = request.fault_s;
  json["watch_s"] = request.watch_s;
  json["mean_N"] = matrix.mean_N;
  json["wall_s"] = matrix.wall_s;
  json["wrong"] = matrix.wrong();
  json["cases"] = Json::array();
  for (const FaultOutcome& outcome : matrix.outcomes) {
    json["cases"].push_back({{"sensor", name_of(outcome.fault.sensor)},
                             {"kind", name_of(outcome.fault.kind)},
                             {"size", outcome.fault.size},
                             {"phase_deg", outcome.phase_deg},
                             {"at_s", outcome.fault.at_s},
                             {"until_s", outcome.fault.until_s},
                             {"noticed_s", to_json(outcome.noticed_s)},
                             {"recovered_s", to_json(outcome.recovered_s)},
                             {"word", outcome.health},
                             {"text", health_text(outcome.health)},
                             {"told_error", outcome.told_error},
                             {"valid_error", outcome.valid_error},
                             {"finite", outcome.is_finite},
                             {"wrong", outcome.is_wrong()}});
  }
  return json;
}

}  // namespace taut::tool
