// A twin against the rig: what it predicts beside what sensors measured and what was true. Or
// against a log: another twin on the frames that were measured then.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include <etl/span.h>

#include "host_tools/rig/rig.h"
#include "host_tools/taut/twin_record.h"

namespace taut::tool {

struct TwinRequest {
  rig::RigSpec rig;     // its drive is the twin's too; all else is unused against a log
  std::string against;  // path of a log; empty: the rig
  std::string model;    // of chain_names()
  std::string block;    // of the reduced model; empty: made on the spot
  std::optional<std::uint64_t> ticks;  // nothing: as many as the log has
  TwinFiles files;
};

using OnTime = std::function<void(double)>;

// Throws a Failure or a RigError that says what is wrong.
[[nodiscard]] TwinReport run_twin(const TwinRequest& request, const OnTime& on_time);

struct HealthReason {
  std::uint32_t bit;
  const char* text;
};
[[nodiscard]] etl::span<const HealthReason> health_reasons();
[[nodiscard]] const char* trust_text(signal::Trust trust);
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
