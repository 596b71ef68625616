// A twin against the rig: what it predicts beside what sensors measured and what was true.
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
  rig::RigSpec rig;
  std::string model;  // kRollerModel or kReducedModel
  std::string block;  // of the reduced model; empty: made on the spot
  std::uint64_t ticks = 0;
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

// Runs a log's frames again; says in which row the prediction first differs in a bit, if any.
struct ReplayReport {
  std::size_t rows = 0;
  std::optional<std::size_t> first_different;
  bool is_whole = true;
};
[[nodiscard]] ReplayReport replay(const std::string& log);

}  // namespace taut::tool
