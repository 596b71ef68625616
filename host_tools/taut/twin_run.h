// A twin against the rig: what it predicts beside what sensors measured and what was true. Or
// against a log: another twin on the frames that were measured then.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host_tools/rig/rig.h"
#include "host_tools/taut/trace_comparison.h"

namespace taut::tool {

struct TwinRequest {
  rig::RigSpec rig;     // its drive is the twin's too; all else is unused against a log
  std::string against;  // path of a log; empty: the rig
  std::string model;    // kRollerModel or kReducedModel
  std::string block;    // of the reduced model; empty: made on the spot
  std::optional<std::uint64_t> ticks;  // nothing: as many as the log has
  std::string log;                     // paths; empty: none
  std::string csv;
};

struct HealthChange {
  double time_s = 0;
  std::uint32_t health = 0;
};

// Predicted against what was true.
struct TrueComparison {
  TraceComparison link;
  TraceComparison position;  // of the tightener
  TraceComparison acceleration;
  TraceComparison speed;  // of the crank
};

struct TwinReport {
  std::uint64_t ticks = 0;
  bool is_whole = true;  // else the log was cut off after them
  // From there on traces are compared: the chain has settled and its gauge is found. Nothing
  // where the run was too short for that.
  std::optional<double> compared_from_s;
  std::uint32_t tagged_link = 0;  // index, as the twin found it
  // Predicted against each sensor, while that is good.
  TraceComparison link_measured;
  TraceComparison position_measured;
  TraceComparison acceleration_measured;
  std::optional<TrueComparison> truth;  // nobody knows it of a log
  std::vector<HealthChange> timeline;
  std::array<std::uint64_t, 3> ticks_by_trust{};
  double wall_s = 0;
};

using OnTime = std::function<void(double)>;

// Throws a Failure or a RigError that says what is wrong.
[[nodiscard]] TwinReport run_twin(const TwinRequest& request, const OnTime& on_time);

// The reasons that a word of health gives, in words; "valid" where there is none.
[[nodiscard]] std::string health_text(std::uint32_t health);

[[nodiscard]] std::string to_text(const TwinRequest& request, const TwinReport& report);
[[nodiscard]] nlohmann::ordered_json to_json(const TwinRequest& request, const TwinReport& report);

// Runs a log's frames again; says where a prediction first differs in a bit, if any does.
struct ReplayDifference {
  std::size_t row = 0;
  std::string text;  // which quantity: logged, and now
};
struct ReplayReport {
  std::size_t rows = 0;
  std::optional<ReplayDifference> first_different;
  bool is_whole = true;
};
[[nodiscard]] ReplayReport replay(const std::string& log);

}  // namespace taut::tool
